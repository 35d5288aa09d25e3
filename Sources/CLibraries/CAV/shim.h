// libavformat, libavcodec and libavutil, 5.1 or newer, and their macros that Swift cannot see.
#pragma once
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/mem.h>
#include <math.h>
#include <string.h>

static const int layby_av_end = AVERROR_EOF;
static const int layby_av_again = AVERROR(EAGAIN);
static const int layby_av_refused = AVERROR(EPERM);
static const int layby_av_broken = AVERROR_INVALIDDATA;
static const int layby_av_no_memory = AVERROR(ENOMEM);
static const int64_t layby_av_no_time = AV_NOPTS_VALUE;
static const int64_t layby_av_second = AV_TIME_BASE;

/// A bit a speaker, in the order of the channels; 0 when the file does not say.
static inline uint64_t layby_av_speakers(const AVChannelLayout *layout) {
  return layout->order == AV_CHANNEL_ORDER_NATIVE ? layout->u.mask : 0;
}

/// One channel of a frame as samples that fill an int32_t: full scale of floats is 1, louder is cut there, what is no
/// number is silence. False when samples of that kind are unknown.
static inline int layby_av_samples(const AVFrame *frame, int channel, int first, int count, int32_t *to) {
  const int channels = frame->ch_layout.nb_channels;
  const int planar = av_sample_fmt_is_planar((enum AVSampleFormat)frame->format);
  const int step = planar ? 1 : channels;
  const ptrdiff_t start = planar ? first : (ptrdiff_t)first * channels + channel;
  const void *data = planar ? frame->extended_data[channel] : frame->extended_data[0];
  switch (av_get_packed_sample_fmt((enum AVSampleFormat)frame->format)) {
    case AV_SAMPLE_FMT_U8: {
      const uint8_t *from = (const uint8_t *)data + start;
      for (int i = 0; i < count; i++) to[i] = (int32_t)((uint32_t)(from[i * step] ^ 0x80) << 24);
      return 1;
    }
    case AV_SAMPLE_FMT_S16: {
      const int16_t *from = (const int16_t *)data + start;
      for (int i = 0; i < count; i++) to[i] = (int32_t)((uint32_t)(uint16_t)from[i * step] << 16);
      return 1;
    }
    case AV_SAMPLE_FMT_S32: {
      const int32_t *from = (const int32_t *)data + start;
      for (int i = 0; i < count; i++) to[i] = from[i * step];
      return 1;
    }
    case AV_SAMPLE_FMT_S64: {
      const int64_t *from = (const int64_t *)data + start;
      for (int i = 0; i < count; i++) to[i] = (int32_t)(from[i * step] >> 32);
      return 1;
    }
    case AV_SAMPLE_FMT_FLT: {
      const float *from = (const float *)data + start;
      for (int i = 0; i < count; i++) {
        const double scaled = (double)from[i * step] * 2147483648.0;
        to[i] = isnan(scaled) ? 0 : (int32_t)lrint(fmin(fmax(scaled, -2147483648.0), 2147483647.0));
      }
      return 1;
    }
    case AV_SAMPLE_FMT_DBL: {
      const double *from = (const double *)data + start;
      for (int i = 0; i < count; i++) {
        const double scaled = from[i * step] * 2147483648.0;
        to[i] = isnan(scaled) ? 0 : (int32_t)lrint(fmin(fmax(scaled, -2147483648.0), 2147483647.0));
      }
      return 1;
    }
    default: return 0;
  }
}
