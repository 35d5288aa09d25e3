/* rewinds DEVICE RATE FORMAT REWINDS MARGIN_MS SEED: plays numbered frames into a deep buffer and takes back as many of
 * them as it can, again and again, at random. What must have been heard in the end is printed as runs of numbers, to be
 * held against what was recorded. A frame's number stands in the upper halves of its two samples and is never 0.
 * Compiled by the test that uses it and run inside the virtual board. */
#include <alsa/asoundlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DEEP 2 /* seconds */
#define MOST_RUNS 100000

static struct { uint32_t first; long count; } runs[MOST_RUNS];
static int run_count;
static uint32_t next_number = 65536;
static long xruns, given, refused, shorter, disagreed, late, deepest, nearest = 1L << 30;
static int wide;
static snd_pcm_t *pcm;
static uint64_t dice;

static uint64_t throw_dice(uint64_t below) {
  dice ^= dice << 13, dice ^= dice >> 7, dice ^= dice << 17;
  return dice % below;
}

static void check(long answer, const char *what) {
  if (answer >= 0) return;
  printf("cannot %s: %s\n", what, snd_strerror((int)answer));
  exit(1);
}

static void pause_ms(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

/* A break in the sound: the next frame begins anew. */
static void mend(long answer) {
  if (answer == -EPIPE) xruns++;
  check(answer == -EPIPE || answer == -EAGAIN ? 0 : answer, "go on");
  if (answer == -EPIPE) check(snd_pcm_prepare(pcm), "prepare");
}

static long write_frames(long frames, int silent) {
  static uint16_t narrow[2 * 4096];
  static uint32_t broad[2 * 4096];
  long done = 0;
  while (done < frames) {
    long part = frames - done < 4096 ? frames - done : 4096;
    for (long frame = 0; frame < part; frame++) {
      uint32_t number = silent ? 0 : next_number + frame;
      narrow[2 * frame] = number, narrow[2 * frame + 1] = number >> 16;
      broad[2 * frame] = number << 16, broad[2 * frame + 1] = number & 0xffff0000;
    }
    long answer = snd_pcm_writei(pcm, wide ? (void *)broad : narrow, part);
    if (answer < 0) { mend(answer); return done; }
    if (!silent && answer > 0) {
      int joins = run_count > 0 && runs[run_count - 1].first + runs[run_count - 1].count == next_number;
      if (joins) runs[run_count - 1].count += answer;
      else if (run_count < MOST_RUNS) runs[run_count].first = next_number, runs[run_count++].count = answer;
      next_number += answer;
    }
    done += answer;
    if (answer < part) break;
  }
  return done;
}

static long room(void) {
  long frames = snd_pcm_avail_update(pcm);
  if (frames < 0) mend(frames);
  return frames < 0 ? 0 : frames;
}

static void take_back(long frames) {
  while (frames > 0 && run_count > 0) {
    long part = frames < runs[run_count - 1].count ? frames : runs[run_count - 1].count;
    runs[run_count - 1].count -= part, frames -= part;
    if (runs[run_count - 1].count == 0) run_count--;
  }
  next_number += 7; /* so that what was taken back is never taken for what came after */
}

int main(int argc, char **words) {
  if (argc < 7) return 64;
  unsigned rate = atoi(words[2]);
  int rewinds = atoi(words[4]);
  long margin = rate / 1000 * atoi(words[5]);
  dice = strtoull(words[6], NULL, 10) * 2654435769u + 88172645463325252u;
  wide = strcmp(words[3], "S32_LE") == 0;
  check(snd_pcm_open(&pcm, words[1], SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK), "open");
  snd_pcm_hw_params_t *hardware;
  snd_pcm_hw_params_alloca(&hardware);
  check(snd_pcm_hw_params_any(pcm, hardware), "anything");
  snd_pcm_hw_params_set_rate_resample(pcm, hardware, 1);
  check(snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "interleave");
  check(snd_pcm_hw_params_set_format(pcm, hardware, wide ? SND_PCM_FORMAT_S32_LE : SND_PCM_FORMAT_S16_LE), "format");
  check(snd_pcm_hw_params_set_channels(pcm, hardware, 2), "stereo");
  check(snd_pcm_hw_params_set_rate(pcm, hardware, rate, 0), "rate");
  int can_rest = snd_pcm_hw_params_can_disable_period_wakeup(hardware);
  if (can_rest) snd_pcm_hw_params_set_period_wakeup(pcm, hardware, 0);
  snd_pcm_uframes_t buffer = DEEP * rate, period = rate / 100;
  snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer);
  snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, 0);
  check(snd_pcm_hw_params(pcm, hardware), "hw_params");
  snd_pcm_hw_params_get_period_size(hardware, &period, 0);
  snd_pcm_hw_params_get_buffer_size(hardware, &buffer);
  snd_pcm_sw_params_t *software;
  snd_pcm_sw_params_alloca(&software);
  snd_pcm_sw_params_current(pcm, software);
  snd_pcm_sw_params_set_start_threshold(pcm, software, rate / 100);
  snd_pcm_sw_params_set_avail_min(pcm, software, buffer / 2);
  check(snd_pcm_sw_params(pcm, software), "sw_params");
  printf("type %s buffer %lu period %lu batch %d rests %d\n", snd_pcm_type_name(snd_pcm_type(pcm)), buffer, period,
         snd_pcm_hw_params_is_batch(hardware), can_rest);

  double began = now();
  write_frames(rate / 100, 0);
  int state = snd_pcm_state(pcm);
  for (int turn = 0; turn < rewinds; turn++) {
    write_frames(room(), 0);
    pause_ms(20 + throw_dice(200));
    room();
    snd_pcm_sframes_t before = 0, after = 0;
    if (snd_pcm_delay(pcm, &before) < 0) continue;
    if (before > deepest) deepest = before;
    double moment = now();
    long can = snd_pcm_rewindable(pcm);
    long most = (can < before ? can : before) - margin;
    if (most <= 0) { refused++; continue; }
    long asked = throw_dice(2) ? most : 1 + throw_dice(most);
    long got = snd_pcm_rewind(pcm, asked);
    if (got < 0) { mend(got); refused++; continue; }
    snd_pcm_delay(pcm, &after);
    double passed = now() - moment;
    given++;
    if (got != asked) shorter++;
    /* What passed meanwhile was heard; a USB card tells of that in pieces of up to 10 ms. */
    if (after > before - got + (long)rate / 100 || after < before - got - (long)((passed + 0.01) * rate)) disagreed++;
    if (after < nearest) nearest = after;
    take_back(got);
    write_frames(rate / 20 + throw_dice(rate / 2), 0);
    /* The card came to the place before we did: this computer stood still for too long. */
    if ((now() - moment) * rate > before - got - (long)rate / 500) late++;
  }
  double seconds = now() - began;
  /* Silence behind the last, so that what comes late at the end is not missed. */
  for (int part = 0; part < 40 + DEEP * 10; part++) {
    write_frames(room() / 2, 1);
    pause_ms(100);
  }
  printf("started %s rewinds %ld refused %ld shorter %ld disagreed %ld late %ld xruns %ld deepest %ld nearest %ld seconds %.1f\n",
         state == SND_PCM_STATE_RUNNING ? "early" : "late", given, refused, shorter, disagreed, late, xruns, deepest,
         given ? nearest : 0, seconds);
  for (int run = 0; run < run_count; run++) printf("run %u %ld\n", runs[run].first, runs[run].count);
  return 0;
}
