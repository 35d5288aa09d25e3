#include "picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct png {
  layby_picture picture;
  png_structp reader;
  png_infop info;
  size_t at;
  uint8_t *whole;  // of an interlaced one
  int passes, pass, line, lines_read;
};

enum { most_side = 65500 };

static void fail(png_structp reader, png_const_charp text) {
  layby_picture_refuse(png_get_error_ptr(reader), "%s", text);
  png_longjmp(reader, 1);
}

static void note(png_structp reader, png_const_charp text) { (void)reader, (void)text; }

static void give(png_structp reader, png_bytep to, size_t count) {
  struct png *own = png_get_io_ptr(reader);
  if (count > own->picture.count - own->at) png_error(reader, "it ends too early");
  memcpy(to, own->picture.bytes + own->at, count);
  own->at += count;
}

/// What is written about the picture, and packed profiles of colours, would only cost memory.
static void leave_out_words(png_structp reader) {
  static const uint8_t names[] = "cHRM\0gAMA\0iCCP\0sRGB\0bKGD\0eXIf\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT"
                                 "\0tEXt\0tIME\0zTXt";
  png_set_keep_unknown_chunks(reader, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_set_keep_unknown_chunks(reader, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
}

static int head(layby_picture *picture) {
  struct png *own = (struct png *)picture;
  own->reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, own, fail, note);
  if (own->reader == NULL) return layby_picture_refuse(picture, "there is no memory");
  if (setjmp(png_jmpbuf(own->reader))) return 0;
  own->info = png_create_info_struct(own->reader);
  if (own->info == NULL) return layby_picture_refuse(picture, "there is no memory");
  png_set_read_fn(own->reader, own, give);
  png_set_user_limits(own->reader, most_side, most_side);
  png_set_chunk_malloc_max(own->reader, 1 << 20);
  png_set_chunk_cache_max(own->reader, 16);
  leave_out_words(own->reader);
  // A picture with a wrong sum is still a picture.
  png_set_crc_action(own->reader, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
#ifdef PNG_IGNORE_ADLER32  // Some distributions build the library without.
  png_set_option(own->reader, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
#endif
  png_read_info(own->reader, own->info);
  picture->width = (int)png_get_image_width(own->reader, own->info);
  picture->height = (int)png_get_image_height(own->reader, own->info);
  return 1;
}

static int begin(layby_picture *picture, int width, int height, size_t memory) {
  (void)width, (void)height;
  struct png *own = (struct png *)picture;
  if (setjmp(png_jmpbuf(own->reader))) return 0;
  png_set_expand(own->reader);
  png_set_scale_16(own->reader);
  png_set_gray_to_rgb(own->reader);
  png_set_add_alpha(own->reader, 255, PNG_FILLER_AFTER);
  own->passes = png_set_interlace_handling(own->reader);
  png_read_update_info(own->reader, own->info);
  const size_t row = (size_t)picture->width * 4;
  if (png_get_rowbytes(own->reader, own->info) != row) {
    return layby_picture_refuse(picture, "its colours are of an unknown kind");
  }
  if (own->passes == 1) return 1;
  if (row * (size_t)picture->height > memory) {
    return layby_picture_refuse(
        picture, "its %d x %d interlaced pixels take more than %zu MB to decode", picture->width, picture->height,
        memory >> 20);
  }
  own->whole = calloc((size_t)picture->height, row);
  return own->whole != NULL ? 1 : layby_picture_refuse(picture, "there is no memory");
}

static uint8_t *line_of(struct png *own, int line) {
  return own->whole + (size_t)line * (size_t)own->picture.width * 4;
}

/// Each pass fills what later ones make finer, so that what has an early end is coarse and not full of holes.
static int step(layby_picture *picture, int64_t *work) {
  struct png *own = (struct png *)picture;
  if (own->passes == 1) return 1;
  // An early end is told when the rows are given; when nothing was read there is nothing to give.
  if (setjmp(png_jmpbuf(own->reader))) return own->lines_read > 0 ? 1 : 0;
  for (int count = 0; count < 64; count++) {
    if (own->pass == own->passes) return 1;
    *work += picture->width;
    png_read_row(own->reader, NULL, line_of(own, own->line));
    own->lines_read++;
    if (++own->line == picture->height) own->line = 0, own->pass++;
  }
  return 2;
}

static int row(layby_picture *picture, uint8_t *pixels) {
  struct png *own = (struct png *)picture;
  if (own->whole != NULL) {
    memcpy(pixels, line_of(own, picture->rows_given), (size_t)picture->width * 4);
    return 1;
  }
  if (setjmp(png_jmpbuf(own->reader))) return 0;
  png_read_row(own->reader, pixels, NULL);
  return 1;
}

static void close_it(layby_picture *picture) {
  struct png *own = (struct png *)picture;
  if (own->reader != NULL) png_destroy_read_struct(&own->reader, own->info != NULL ? &own->info : NULL, NULL);
  free(own->whole);
}

const struct layby_picture_class layby_png_class = {sizeof(struct png), head, begin, step, row, close_it};
