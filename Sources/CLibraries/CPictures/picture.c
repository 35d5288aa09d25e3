#include "picture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int layby_picture_kind_of(const uint8_t *bytes, size_t count) {
  if (count >= 3 && memcmp(bytes, "\xFF\xD8\xFF", 3) == 0) return LAYBY_JPEG;
  if (count >= 8 && memcmp(bytes, "\x89PNG\r\n\x1A\n", 8) == 0) return LAYBY_PNG;
  if (count >= 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0) return LAYBY_WEBP;
  return LAYBY_NO_PICTURE;
}

layby_picture *layby_picture_open(const uint8_t *bytes, size_t count) {
  const struct layby_picture_class *class;
  switch (layby_picture_kind_of(bytes, count)) {
    case LAYBY_JPEG: class = &layby_jpeg_class; break;
    case LAYBY_PNG: class = &layby_png_class; break;
    case LAYBY_WEBP: class = &layby_webp_class; break;
    default: return NULL;
  }
  layby_picture *picture = calloc(1, class->size);
  if (picture == NULL) return NULL;
  picture->class = class;
  picture->bytes = bytes;
  picture->count = count;
  return picture;
}

void layby_picture_close(layby_picture *picture) {
  picture->class->close(picture);
  free(picture);
}

int layby_picture_refuse(layby_picture *picture, const char *format, ...) {
  if (picture->reason[0] != 0) return 0;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(picture->reason, sizeof picture->reason, format, arguments);
  va_end(arguments);
  return 0;
}

const char *layby_picture_reason(const layby_picture *picture) { return picture->reason; }
int layby_picture_width(const layby_picture *picture) { return picture->width; }
int layby_picture_height(const layby_picture *picture) { return picture->height; }
int layby_picture_head(layby_picture *picture) { return picture->class->head(picture); }

int layby_picture_begin(layby_picture *picture, int width, int height, size_t memory) {
  return picture->class->begin(picture, width, height, memory);
}

int layby_picture_step(layby_picture *picture, int64_t *work) { return picture->class->step(picture, work); }

int layby_picture_row(layby_picture *picture, uint8_t *pixels) {
  if (picture->rows_given >= picture->height || !picture->class->row(picture, pixels)) return 0;
  picture->rows_given++;
  return 1;
}
