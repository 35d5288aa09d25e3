#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H
#include <stdint.h>

// What BenchDevice.c writes to its log for every helping of frames it is handed, in one piece. Numbers are the
// machine's own: whoever reads the log runs on the machine that wrote it.
struct bench_device_record {
  int64_t at;     // nanoseconds of the boot clock, before anything else was done
  uint32_t left;  // the largest magnitude in each channel, of 2^31
  uint32_t right;
};

#endif
