#include "picture.h"

#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

struct webp {
  layby_picture picture;
  WebPDecoderConfig config;
  WebPIDecoder *decoder;
  uint8_t *pixels;
  size_t fed;
  int lines;
};

static int head(layby_picture *picture) {
  struct webp *own = (struct webp *)picture;
  if (!WebPInitDecoderConfig(&own->config)) return layby_picture_refuse(picture, "libwebp is another than expected");
  const VP8StatusCode status = WebPGetFeatures(picture->bytes, picture->count, &own->config.input);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA) return layby_picture_refuse(picture, "it ends too early");
  if (status != VP8_STATUS_OK) return layby_picture_refuse(picture, "its head makes no sense");
  if (own->config.input.has_animation) return layby_picture_refuse(picture, "it moves, which is not shown here");
  picture->width = own->config.input.width;
  picture->height = own->config.input.height;
  return 1;
}

/// libwebp makes smaller while it decodes, but as steps and not as light: what is left to us is at least a half.
static int begin(layby_picture *picture, int width, int height, size_t memory) {
  struct webp *own = (struct webp *)picture;
  const int64_t full = (int64_t)picture->width * picture->height;
  // Without loss the whole stands in memory before it is made smaller: a number a pixel, and tables beside it.
  if (own->config.input.format == 2 && full * 5 > (int64_t)memory) {
    return layby_picture_refuse(
        picture, "its %d x %d pixels without loss take more than %zu MB to decode", picture->width, picture->height,
        memory >> 20);
  }
  int across = picture->width, down = picture->height;
  while (across / 2 >= 2 * width && down / 2 >= 2 * height && across > 1 && down > 1) across /= 2, down /= 2;
  if (across != picture->width) {
    own->config.options.use_scaling = 1;
    own->config.options.scaled_width = across;
    own->config.options.scaled_height = down;
  }
  const size_t size = (size_t)across * (size_t)down * 4;
  if (size > memory) {
    return layby_picture_refuse(
        picture, "its %d x %d pixels take more than %zu MB to decode", picture->width, picture->height, memory >> 20);
  }
  own->pixels = calloc(1, size);
  if (own->pixels == NULL) return layby_picture_refuse(picture, "there is no memory");
  own->config.output.colorspace = MODE_RGBA;
  own->config.output.is_external_memory = 1;
  own->config.output.u.RGBA.rgba = own->pixels;
  own->config.output.u.RGBA.stride = across * 4;
  own->config.output.u.RGBA.size = size;
  own->decoder = WebPIDecode(NULL, 0, &own->config);
  if (own->decoder == NULL) return layby_picture_refuse(picture, "there is no memory");
  picture->width = across;
  picture->height = down;
  return 1;
}

static int step(layby_picture *picture, int64_t *work) {
  struct webp *own = (struct webp *)picture;
  const size_t left = picture->count - own->fed;
  own->fed += left < 32768 ? left : 32768;
  *work += own->config.input.width;
  const VP8StatusCode status = WebPIUpdate(own->decoder, picture->bytes, own->fed);
  if (status == VP8_STATUS_SUSPENDED && own->fed < picture->count) return 2;
  if (WebPIDecGetRGB(own->decoder, &own->lines, NULL, NULL, NULL) == NULL) own->lines = 0;
  if (status == VP8_STATUS_OK) {
    own->lines = picture->height;
    return 1;
  }
  layby_picture_refuse(picture, "%s", status == VP8_STATUS_SUSPENDED ? "it ends too early" : "it is broken");
  return own->lines > 0 ? 1 : 0;
}

static int row(layby_picture *picture, uint8_t *pixels) {
  struct webp *own = (struct webp *)picture;
  if (picture->rows_given >= own->lines) return 0;
  const size_t stride = (size_t)picture->width * 4;
  memcpy(pixels, own->pixels + (size_t)picture->rows_given * stride, stride);
  return 1;
}

static void close_it(layby_picture *picture) {
  struct webp *own = (struct webp *)picture;
  if (own->decoder != NULL) WebPIDelete(own->decoder);
  free(own->pixels);
}

const struct layby_picture_class layby_webp_class = {sizeof(struct webp), head, begin, step, row, close_it};
