#include "CShaping.h"

#include "../late.h"

#include <pthread.h>
#include <stdlib.h>

// As both libraries lay them out.
struct glyph_info {
  uint32_t codepoint, mask, cluster, var1, var2;
};
struct glyph_position {
  int32_t x_advance, y_advance, x_offset, y_offset;
  uint32_t var;
};

enum { LEFT_TO_RIGHT = 4, RIGHT_TO_LEFT = 5 };
// FriBidi's "weak, neutral": the text decides.
enum { BY_ITS_TEXT = 0x40 };

static struct {
  void *(*blob_from_file)(const char *);
  void (*blob_destroy)(void *);
  unsigned (*blob_length)(void *);
  void *(*face_create)(void *, unsigned);
  void (*face_destroy)(void *);
  unsigned (*face_glyphs)(void *);
  void *(*font_create)(void *);
  void (*font_destroy)(void *);
  void (*font_scale)(void *, int, int);
  void *(*buffer_create)(void);
  void (*buffer_destroy)(void *);
  void (*buffer_clear)(void *);
  void (*buffer_add)(void *, const uint32_t *, int, unsigned, int);
  void (*buffer_guess)(void *);
  void (*buffer_direction)(void *, int);
  void (*shape)(void *, void *, const void *, unsigned);
  struct glyph_info *(*infos)(void *, unsigned *);
  struct glyph_position *(*positions)(void *, unsigned *);
  void (*bidi_types)(const uint32_t *, int, uint32_t *);
  void (*bracket_types)(const uint32_t *, int, const uint32_t *, uint32_t *);
  signed char (*levels)(const uint32_t *, const uint32_t *, int, uint32_t *, signed char *);
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static void load(void) {
  void *hb = dlopen("libharfbuzz.so.0", RTLD_NOW | RTLD_LOCAL);
  void *bidi = dlopen("libfribidi.so.0", RTLD_NOW | RTLD_LOCAL);
  if (hb == NULL || bidi == NULL) return;
  is_loaded = find(hb, "hb_blob_create_from_file", &lib.blob_from_file) &&
              find(hb, "hb_blob_destroy", &lib.blob_destroy) && find(hb, "hb_blob_get_length", &lib.blob_length) &&
              find(hb, "hb_face_create", &lib.face_create) && find(hb, "hb_face_destroy", &lib.face_destroy) &&
              find(hb, "hb_face_get_glyph_count", &lib.face_glyphs) &&
              find(hb, "hb_font_create", &lib.font_create) && find(hb, "hb_font_destroy", &lib.font_destroy) &&
              find(hb, "hb_font_set_scale", &lib.font_scale) && find(hb, "hb_buffer_create", &lib.buffer_create) &&
              find(hb, "hb_buffer_destroy", &lib.buffer_destroy) &&
              find(hb, "hb_buffer_clear_contents", &lib.buffer_clear) &&
              find(hb, "hb_buffer_add_utf32", &lib.buffer_add) &&
              find(hb, "hb_buffer_guess_segment_properties", &lib.buffer_guess) &&
              find(hb, "hb_buffer_set_direction", &lib.buffer_direction) && find(hb, "hb_shape", &lib.shape) &&
              find(hb, "hb_buffer_get_glyph_infos", &lib.infos) &&
              find(hb, "hb_buffer_get_glyph_positions", &lib.positions) &&
              find(bidi, "fribidi_get_bidi_types", &lib.bidi_types) &&
              find(bidi, "fribidi_get_bracket_types", &lib.bracket_types) &&
              find(bidi, "fribidi_get_par_embedding_levels_ex", &lib.levels);
}

int layby_shaping_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

enum { LONGEST = 4096 };

int layby_bidi_levels(const uint32_t *text, int32_t length, uint8_t *levels, uint8_t *own) {
  static _Thread_local uint32_t types[LONGEST], brackets[LONGEST];
  if (length < 1 || length > LONGEST) return 0;
  uint32_t base = BY_ITS_TEXT;
  lib.bidi_types(text, length, types);
  lib.bracket_types(text, length, types, brackets);
  int is_done = lib.levels(types, brackets, length, &base, (signed char *)levels) != 0;
  // What FriBidi found takes the place of what it was asked for; its lowest bit is the direction.
  *own = base & 1;
  return is_done;
}

// A font, and the buffer that all its texts go through: made once, not for each word.
struct font {
  void *font, *buffer;
};

void *layby_font_open(const char *path, int32_t parts) {
  void *blob = lib.blob_from_file(path);
  void *made = NULL;
  if (lib.blob_length(blob) > 0) {
    void *face = lib.face_create(blob, 0);
    if (lib.face_glyphs(face) > 0) made = lib.font_create(face);
    lib.face_destroy(face);
  }
  lib.blob_destroy(blob);
  if (made == NULL) return NULL;
  lib.font_scale(made, parts, parts);
  struct font *font = malloc(sizeof *font);
  if (font == NULL) {
    lib.font_destroy(made);
    return NULL;
  }
  *font = (struct font){made, lib.buffer_create()};
  return font;
}

void layby_font_close(void *opened) {
  struct font *font = opened;
  lib.buffer_destroy(font->buffer);
  lib.font_destroy(font->font);
  free(font);
}

int32_t layby_shape(void *opened, const uint32_t *text, int32_t all, int32_t start, int32_t length,
                    int is_right_to_left, struct layby_placed *placed, int32_t most) {
  struct font *font = opened;
  void *buffer = font->buffer;
  unsigned count = 0;
  lib.buffer_clear(buffer);
  lib.buffer_add(buffer, text, all, (unsigned)start, length);
  lib.buffer_guess(buffer);
  lib.buffer_direction(buffer, is_right_to_left ? RIGHT_TO_LEFT : LEFT_TO_RIGHT);
  lib.shape(font->font, buffer, NULL, 0);
  struct glyph_info *infos = lib.infos(buffer, &count);
  struct glyph_position *positions = lib.positions(buffer, &count);
  if (infos == NULL || positions == NULL) return -1;
  int32_t taken = count > (unsigned)most ? most : (int32_t)count;
  for (int32_t index = 0; index < taken; index++) {
    placed[index] = (struct layby_placed){infos[index].codepoint, infos[index].cluster, positions[index].x_advance,
                                          positions[index].x_offset, positions[index].y_offset};
  }
  return taken;
}
