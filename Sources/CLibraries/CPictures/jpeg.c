#include "picture.h"

#include <stdio.h>
#include <jpeglib.h>
#include <string.h>

struct jpeg {
  layby_picture picture;
  struct jpeg_decompress_struct decoder;
  struct jpeg_error_mgr errors;
  jmp_buf caught;
  int is_made, is_inverted, scan, samples;
};

// A file that is broken in so many places shows nothing any more.
enum { most_warnings = 5000 };
// Of encoders, ten are usual.
enum { most_scans = 100 };

static void fail(j_common_ptr common) {
  struct jpeg *own = common->client_data;
  char text[JMSG_LENGTH_MAX];
  common->err->format_message(common, text);
  layby_picture_refuse(&own->picture, "%s", text);
  longjmp(own->caught, 1);
}

static void note(j_common_ptr common, int level) {
  if (level >= 0) return;
  struct jpeg *own = common->client_data;
  if (++common->err->num_warnings <= most_warnings) return;
  layby_picture_refuse(&own->picture, "it is broken in more than %d places", most_warnings);
  longjmp(own->caught, 1);
}

static void say_nothing(j_common_ptr common) { (void)common; }

static int head(layby_picture *picture) {
  struct jpeg *own = (struct jpeg *)picture;
  struct jpeg_decompress_struct *decoder = &own->decoder;
  decoder->err = jpeg_std_error(&own->errors);
  own->errors.error_exit = fail;
  own->errors.emit_message = note;
  own->errors.output_message = say_nothing;
  decoder->client_data = own;
  if (setjmp(own->caught)) return 0;
  own->is_made = 1;
  jpeg_create_decompress(decoder);
  // Making it wipes all but the error manager and this.
  decoder->client_data = own;
  jpeg_mem_src(decoder, picture->bytes, picture->count);
  jpeg_read_header(decoder, TRUE);
  picture->width = (int)decoder->image_width;
  picture->height = (int)decoder->image_height;
  return 1;
}

/// Of all coefficients, which a picture of several scans keeps until the end.
static size_t coefficients(const struct jpeg_decompress_struct *decoder) {
  size_t all = 0;
  for (int at = 0; at < decoder->num_components; at++) {
    const jpeg_component_info *part = &decoder->comp_info[at];
    const size_t across = (size_t)part->width_in_blocks + (size_t)part->h_samp_factor;
    const size_t down = (size_t)part->height_in_blocks + (size_t)part->v_samp_factor;
    all += across * down * sizeof(JBLOCK);
  }
  return all;
}

static int begin(layby_picture *picture, int width, int height, size_t memory) {
  struct jpeg *own = (struct jpeg *)picture;
  struct jpeg_decompress_struct *decoder = &own->decoder;
  if (setjmp(own->caught)) return 0;
  decoder->buffered_image = jpeg_has_multiple_scans(decoder);
  decoder->mem->max_memory_to_use = (long)memory;
  if (decoder->buffered_image && coefficients(decoder) > memory) {
    return layby_picture_refuse(
        picture, "its %d x %d pixels in several scans take more than %zu MB to decode", picture->width, picture->height,
        memory >> 20);
  }
  if (decoder->jpeg_color_space == JCS_CMYK || decoder->jpeg_color_space == JCS_YCCK) {
    decoder->out_color_space = JCS_CMYK;
    own->is_inverted = decoder->saw_Adobe_marker;
  } else {
    decoder->out_color_space = JCS_EXT_RGBA;
  }
  decoder->dct_method = JDCT_ISLOW;
  decoder->scale_denom = 8;
  for (unsigned scale = 1; scale <= 8; scale *= 2) {
    decoder->scale_num = scale;
    jpeg_calc_output_dimensions(decoder);
    if ((int)decoder->output_width >= width && (int)decoder->output_height >= height) break;
  }
  own->samples = decoder->output_components;
  if (own->samples != 4) return layby_picture_refuse(picture, "its colours are of an unknown kind");
  if (!decoder->buffered_image) jpeg_start_decompress(decoder);
  picture->width = (int)decoder->output_width;
  picture->height = (int)decoder->output_height;
  return 1;
}

static int step(layby_picture *picture, int64_t *work) {
  struct jpeg *own = (struct jpeg *)picture;
  struct jpeg_decompress_struct *decoder = &own->decoder;
  if (!decoder->buffered_image) return 1;
  if (setjmp(own->caught)) return 0;
  if (own->scan == 0) {
    own->scan = 1;
    jpeg_start_decompress(decoder);
  }
  const int row = (int)decoder->image_width * decoder->max_v_samp_factor * 8;
  for (int count = 0; count < 16; count++) {
    *work += row;
    const int status = jpeg_consume_input(decoder);
    if (decoder->input_scan_number > most_scans) {
      return layby_picture_refuse(picture, "it has more than %d scans", most_scans);
    }
    if (status == JPEG_REACHED_EOI) {
      jpeg_start_output(decoder, decoder->input_scan_number);
      return 1;
    }
    if (status == JPEG_SUSPENDED) return layby_picture_refuse(picture, "it ends too early");
  }
  return 2;
}

/// Inks are kept as what is left of the light by everything but Adobe's programs' heirs, who turn them round.
static void from_inks(uint8_t *pixels, int count, int is_inverted) {
  for (int at = 0; at < count; at++, pixels += 4) {
    const unsigned turn = is_inverted ? 0 : 255;
    const unsigned black = pixels[3] ^ turn;
    for (int part = 0; part < 3; part++) pixels[part] = (uint8_t)(((pixels[part] ^ turn) * black + 127) / 255);
    pixels[3] = 255;
  }
}

static int row(layby_picture *picture, uint8_t *pixels) {
  struct jpeg *own = (struct jpeg *)picture;
  if (setjmp(own->caught)) return 0;
  JSAMPROW rows[1] = {pixels};
  if (jpeg_read_scanlines(&own->decoder, rows, 1) != 1) return 0;
  if (own->decoder.out_color_space == JCS_CMYK) from_inks(pixels, picture->width, own->is_inverted);
  return 1;
}

static void close_it(layby_picture *picture) {
  struct jpeg *own = (struct jpeg *)picture;
  if (!own->is_made || setjmp(own->caught)) return;
  jpeg_destroy_decompress(&own->decoder);
}

const struct layby_picture_class layby_jpeg_class = {sizeof(struct jpeg), head, begin, step, row, close_it};
