// JPEG, PNG and WebP as rows of pixels, decoded step by step. libjpeg and libpng report errors by longjmp: it begins
// and ends within each of these calls, so that it never passes a frame of Swift's.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct layby_picture layby_picture;

enum layby_picture_kind { LAYBY_NO_PICTURE = 0, LAYBY_JPEG = 1, LAYBY_PNG = 2, LAYBY_WEBP = 3 };

/// Told by the first bytes.
int layby_picture_kind_of(const uint8_t *bytes, size_t count);

/// `bytes` are not copied and have to stay until the end. Null when there is no memory, or no such kind.
layby_picture *layby_picture_open(const uint8_t *bytes, size_t count);
void layby_picture_close(layby_picture *picture);

/// What went wrong, for people; empty when nothing did.
const char *layby_picture_reason(const layby_picture *picture);

/// Reads the head: afterwards width and height are known, as they are declared, and nothing large was allocated. 0 when
/// it is refused.
int layby_picture_head(layby_picture *picture);
int layby_picture_width(const layby_picture *picture);
int layby_picture_height(const layby_picture *picture);

/// Chooses how small it can be decoded without becoming smaller than `width` x `height`, and what that takes. Width and
/// height are those of the rows from now on. 0 when it is refused, for example because it would take more than `memory`
/// bytes.
int layby_picture_begin(layby_picture *picture, int width, int height, size_t memory);

/// Goes on a little: 2 while there is more to be done before the first row, 1 when rows can be read, 0 when it is
/// refused. `work` grows by about the pixels that were gone through.
int layby_picture_step(layby_picture *picture, int64_t *work);

/// The next row as red, green, blue and alpha: 1, or 0 when no more can be had. After a reason that stands then, what
/// was read before is what there is.
int layby_picture_row(layby_picture *picture, uint8_t *pixels);
