// A sound device without sound, as an ALSA plug-in that any player can open. It takes stereo of 32 bits into a buffer
// of its own, plays at the pace of the clock, can be rewound, and notes when it was handed what. So two players can be
// held against each other at the very moment that counts, without asking either of them.
//
// Preloaded too, it passes for a device of the kernel's, which is what it does the work of: players trust those more.
//
//   pcm_type.bench { lib "/path/libBenchDevice.so" }
//   pcm.bench { type bench  log "/path/fifo" }
#define PIC 1
#define _GNU_SOURCE
#include "include/BenchDevice.h"

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct device {
  snd_pcm_ioplug_t io;
  int log;
  int running;
  int64_t started;  // when the first frame began to play
  uint64_t played;  // frames since then, as far as the library was told
  snd_pcm_uframes_t boundary;
  snd_pcm_uframes_t enough;  // room that is worth waking up for
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static uint64_t frames_until(const struct device *device, int64_t moment) {
  const int64_t spent = moment - device->started;
  return (uint64_t)(spent / 1000000000) * device->io.rate + (uint64_t)(spent % 1000000000) * device->io.rate / 1000000000;
}

static int start(snd_pcm_ioplug_t *io) {
  struct device *device = io->private_data;
  device->running = 1;
  device->started = now();
  device->played = 0;
  return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  ((struct device *)io->private_data)->running = 0;
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  struct device *device = io->private_data;
  if (!device->running) return (snd_pcm_sframes_t)io->hw_ptr;
  const uint64_t until = frames_until(device, now());
  const uint64_t more = until - device->played;
  if (more > snd_pcm_ioplug_hw_avail(io, io->hw_ptr, io->appl_ptr)) return -EPIPE;
  device->played = until;
  return (snd_pcm_sframes_t)((io->hw_ptr + more) % device->boundary);
}

static uint32_t magnitude(int32_t sample) { return sample < 0 ? 0u - (uint32_t)sample : (uint32_t)sample; }

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  const struct device *device = io->private_data;
  struct bench_device_record record = {.at = now()};
  // Both channels lie in one area, interleaved: no other access is offered.
  const int32_t *samples = (const int32_t *)((const char *)areas->addr + (areas->first + offset * areas->step) / 8);
  for (snd_pcm_uframes_t i = 0; i < size; i++) {
    const uint32_t left = magnitude(samples[2 * i]), right = magnitude(samples[2 * i + 1]);
    if (left > record.left) record.left = left;
    if (right > record.right) record.right = right;
  }
  // Nobody reads, or too slowly: the music is not kept waiting for that.
  const ssize_t written = write(device->log, &record, sizeof record);
  (void)written;
  return (snd_pcm_sframes_t)size;
}

static int set_software(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
  struct device *device = io->private_data;
  snd_pcm_sw_params_get_boundary(params, &device->boundary);
  snd_pcm_sw_params_get_avail_min(params, &device->enough);
  return 0;
}

// The alarm goes off when there is enough room, and stays so until the next one asks.
static int descriptors(snd_pcm_ioplug_t *io, struct pollfd *slots, unsigned int space) {
  struct device *device = io->private_data;
  if (space < 1) return 0;
  int64_t at = 1;
  if (device->running) {
    const snd_pcm_uframes_t room = io->buffer_size - snd_pcm_ioplug_hw_avail(io, io->hw_ptr, io->appl_ptr);
    const uint64_t until = device->played + (device->enough > room ? device->enough - room : 0);
    at = device->started + (int64_t)(until / io->rate) * 1000000000 +
         (int64_t)(until % io->rate) * 1000000000 / io->rate + 1;
  }
  const struct itimerspec alarm = {.it_value = {.tv_sec = at / 1000000000, .tv_nsec = at % 1000000000}};
  timerfd_settime(io->poll_fd, TFD_TIMER_ABSTIME, &alarm, NULL);
  slots[0].fd = io->poll_fd;
  slots[0].events = POLLIN;
  slots[0].revents = 0;
  return 1;
}

static int events(snd_pcm_ioplug_t *io, struct pollfd *slots, unsigned int count, unsigned short *found) {
  (void)io;
  *found = count > 0 && (slots[0].revents & POLLIN) ? POLLOUT : 0;
  return 0;
}

static int prepare(snd_pcm_ioplug_t *io) { return stop(io); }

static int close_device(snd_pcm_ioplug_t *io) {
  struct device *device = io->private_data;
  close(device->log);
  close(io->poll_fd);
  free(device);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = stop,
    .pointer = pointer,
    .transfer = transfer,
    .prepare = prepare,
    .sw_params = set_software,
    .poll_descriptors = descriptors,
    .poll_revents = events,
    .close = close_device,
};

static int limit(snd_pcm_ioplug_t *io) {
  static const unsigned int access[] = {SND_PCM_ACCESS_RW_INTERLEAVED}, format[] = {SND_PCM_FORMAT_S32};
  int answer = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (answer >= 0) answer = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
  if (answer >= 0) answer = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, 2, 2);
  if (answer >= 0) answer = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, 8000, 192000);
  if (answer >= 0) answer = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 1024, 1 << 20);
  if (answer >= 0) answer = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 4096, 4 << 20);
  if (answer >= 0) answer = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
  return answer;
}

SND_PCM_PLUGIN_DEFINE_FUNC(bench) {
  (void)root;
  const char *log = NULL;
  snd_config_iterator_t entry, next;
  snd_config_for_each(entry, next, conf) {
    snd_config_t *found = snd_config_iterator_entry(entry);
    const char *key;
    if (snd_config_get_id(found, &key) >= 0 && strcmp(key, "log") == 0) snd_config_get_string(found, &log);
  }
  if (!log || stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
  struct device *device = calloc(1, sizeof *device);
  if (!device) return -ENOMEM;
  device->log = open(log, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  device->boundary = LONG_MAX;
  device->io = (snd_pcm_ioplug_t){
      .version = SND_PCM_IOPLUG_VERSION,
      .name = "what a player hands over, and when",
      .flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA,
      .poll_fd = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC),
      .poll_events = POLLIN,
      .callback = &callbacks,
      .private_data = device,
  };
  int answer = device->log < 0 || device->io.poll_fd < 0 ? -errno : 0;
  if (answer >= 0) answer = snd_pcm_ioplug_create(&device->io, name, stream, mode);
  if (answer >= 0) {
    answer = limit(&device->io);
    if (answer >= 0) {
      *pcmp = device->io.pcm;
      return 0;
    }
    snd_pcm_ioplug_delete(&device->io);
    return answer;
  }
  if (device->log >= 0) close(device->log);
  if (device->io.poll_fd >= 0) close(device->io.poll_fd);
  free(device);
  return answer;
}

SND_PCM_PLUGIN_SYMBOL(bench);

snd_pcm_type_t snd_pcm_type(snd_pcm_t *pcm) {
  snd_pcm_type_t (*library)(snd_pcm_t *) = (snd_pcm_type_t(*)(snd_pcm_t *))dlsym(RTLD_NEXT, "snd_pcm_type");
  const snd_pcm_type_t type = library ? library(pcm) : SND_PCM_TYPE_IOPLUG;
  const char *name = snd_pcm_name(pcm);
  return type == SND_PCM_TYPE_IOPLUG && name && strcmp(name, "bench") == 0 ? SND_PCM_TYPE_HW : type;
}
