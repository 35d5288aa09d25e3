// Preloaded into a program, this watches the folder LAYBY_LOSSY_FOLDER and writes to the file LAYBY_LOSSY_LOG every
// operation that changes it, once it has succeeded. The log is written with plain write(2): it lives in the kernel's
// memory, which a kill -9 does not touch. From it a test builds what a power cut at any moment could have left.
//
// One lock is held over an operation and its record, so the log's order is the order in which things happened. Two
// things are not seen: what is mapped into memory (SQLite maps its -shm only, which need not survive) and what the C
// library's streams write. A test holds the whole log against the real folder, so that nothing is missed in silence.
#ifndef LOSSY_WATCH_H
#define LOSSY_WATCH_H
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "LossyDisk.h"

// None of these names may stand in the way of the program's own.
#pragma GCC visibility push(hidden)

// The C library's own function under one of our names.
#define REAL(name) ((__typeof__(&name))real(#name))
void *real(const char *name);

extern pthread_mutex_t lossy_lock;

// Is there a folder to watch at all?
int watching(void);

// One record for the log. Of `data` the first `bytes` count.
void note(enum lossy_kind kind, uint64_t file, int64_t offset, const char *name, const char *second,
          const struct iovec *data, int parts, size_t bytes);

// The name inside the folder, in `space` of PATH_MAX bytes, or null when `path` lies elsewhere. The last part is not
// followed: it is the name itself that is made, renamed or removed.
const char *inside(int directory, const char *path, char *space);

#define MOST_FILES 4096

// Which of our descriptors belong to the folder. A number may have been closed behind our back and stand for another
// file by now; the file's own number tells.
struct watched_file {
  uint8_t watched;  // 1 a file, 2 a folder
  dev_t device;
  ino_t file;
  char *name;  // of a folder
};
extern struct watched_file table[MOST_FILES];

int has(int number);
void drop(int number);
void keep(int number, const struct stat *found, const char *name);

// 1 a watched file, 2 a watched folder, 0 what is none of our business.
int watched(int number);

#pragma GCC visibility pop

#endif
