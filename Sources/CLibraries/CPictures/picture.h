// What the kinds of picture have in common.
#pragma once
#include "CPictures.h"
#include <setjmp.h>

struct layby_picture_class {
  size_t size;
  int (*head)(layby_picture *);
  int (*begin)(layby_picture *, int width, int height, size_t memory);
  int (*step)(layby_picture *, int64_t *work);
  int (*row)(layby_picture *, uint8_t *pixels);
  void (*close)(layby_picture *);
};

/// The first member of each kind's own.
struct layby_picture {
  const struct layby_picture_class *class;
  const uint8_t *bytes;
  size_t count;
  int width, height;
  int rows_given;
  char reason[200];
};

extern const struct layby_picture_class layby_jpeg_class, layby_png_class, layby_webp_class;

/// Keeps the first reason; gives 0.
int layby_picture_refuse(layby_picture *picture, const char *format, ...) __attribute__((format(printf, 2, 3)));
