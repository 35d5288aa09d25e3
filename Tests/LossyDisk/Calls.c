// The calls of the C library that change a folder, each with its record. See Watch.h.
#define _GNU_SOURCE
#include "Watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

static int opened(int directory, const char *path, int flags, mode_t mode) {
  char space[PATH_MAX];
  pthread_mutex_lock(&lossy_lock);
  int before = errno;
  const char *name = inside(directory, path, space);
  struct stat found;
  int was_there = name && fstatat(directory, path, &found, AT_SYMLINK_NOFOLLOW) == 0;
  errno = before;
  int number = REAL(openat)(directory, path, flags, mode);
  int after = errno;
  if (number >= 0 && number < MOST_FILES) drop(number);
  if (number >= 0 && name && fstat(number, &found) == 0) {
    keep(number, &found, name);
    if (S_ISREG(found.st_mode)) {
      note(LOSSY_OPENED, found.st_ino, !was_there, name, 0, 0, 0, 0);
      int writes = (flags & O_ACCMODE) != O_RDONLY;
      if (was_there && writes && (flags & O_TRUNC)) note(LOSSY_RESIZED, found.st_ino, 0, 0, 0, 0, 0, 0);
    }
  }
  pthread_mutex_unlock(&lossy_lock);
  errno = after;
  return number;
}

#define MODE_OF(flags)                                        \
  mode_t mode = 0;                                            \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {                    \
    va_list rest;                                             \
    va_start(rest, flags);                                    \
    mode = va_arg(rest, mode_t);                              \
    va_end(rest);                                             \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  return opened(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_OF(flags)
  return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  MODE_OF(flags)
  return opened(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
  MODE_OF(flags)
  return opened(directory, path, flags | O_LARGEFILE, mode);
}

// What the compiler makes of open without a mode when it fortifies.
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags | O_LARGEFILE, 0); }
int __openat_2(int directory, const char *path, int flags) { return opened(directory, path, flags, 0); }

int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

int close(int number) {
  pthread_mutex_lock(&lossy_lock);
  drop(number);
  int result = (int)syscall(SYS_close, number);
  pthread_mutex_unlock(&lossy_lock);
  return result;
}

static int copied(int from, int to) {
  int after = errno;
  pthread_mutex_lock(&lossy_lock);
  if (to >= 0 && to != from) {
    struct stat found;
    char *name = has(from) && table[from].name ? strdup(table[from].name) : 0;
    if (watched(from) && fstat(to, &found) == 0) keep(to, &found, name ? name : ""); else drop(to);
    free(name);
  }
  pthread_mutex_unlock(&lossy_lock);
  errno = after;
  return to;
}

int dup(int number) { return copied(number, REAL(dup)(number)); }
int dup2(int number, int wish) { return copied(number, REAL(dup2)(number, wish)); }
int dup3(int number, int wish, int flags) { return copied(number, REAL(dup3)(number, wish, flags)); }

int fcntl(int number, int command, ...) {
  va_list rest;
  va_start(rest, command);
  long argument = va_arg(rest, long);
  va_end(rest);
  int result = (int)syscall(SYS_fcntl, number, command, argument);
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? copied(number, result) : result;
}

int fcntl64(int number, int command, ...) {
  va_list rest;
  va_start(rest, command);
  long argument = va_arg(rest, long);
  va_end(rest);
  return fcntl(number, command, argument);
}

// MARK: Data

// A descriptor's file does not change while somebody writes to it, so what is not watched need not wait for the lock.
#define LOCKED(number, call, record)            \
  if (!watching() || !has(number)) return call; \
  pthread_mutex_lock(&lossy_lock);                    \
  int kind = watched(number);                   \
  __typeof__(call) result = call;               \
  int after = errno;                            \
  if (kind && result >= 0) {                    \
    uint64_t file = table[number].file;         \
    (void)file;                                 \
    record;                                     \
  }                                             \
  pthread_mutex_unlock(&lossy_lock);                  \
  errno = after;                                \
  return result;

static void wrote(uint64_t file, off_t offset, const struct iovec *parts, int count, ssize_t bytes) {
  if (bytes > 0) note(LOSSY_WRITTEN, file, offset, 0, 0, parts, count, (size_t)bytes);
}

ssize_t write(int number, const void *bytes, size_t count) {
  struct iovec part = {(void *)bytes, count};
  LOCKED(number, (ssize_t)syscall(SYS_write, number, bytes, count),
         wrote(file, lseek(number, 0, SEEK_CUR) - result, &part, 1, result))
}

ssize_t writev(int number, const struct iovec *parts, int count) {
  LOCKED(number, (ssize_t)syscall(SYS_writev, number, parts, count),
         wrote(file, lseek(number, 0, SEEK_CUR) - result, parts, count, result))
}

ssize_t pwrite(int number, const void *bytes, size_t count, off_t offset) {
  struct iovec part = {(void *)bytes, count};
  LOCKED(number, (REAL(pwrite)(number, bytes, count, offset)), wrote(file, offset, &part, 1, result))
}

ssize_t pwrite64(int number, const void *bytes, size_t count, off64_t offset) {
  return pwrite(number, bytes, count, offset);
}

ssize_t pwritev(int number, const struct iovec *parts, int count, off_t offset) {
  LOCKED(number, (REAL(pwritev)(number, parts, count, offset)), wrote(file, offset, parts, count, result))
}

ssize_t pwritev64(int number, const struct iovec *parts, int count, off64_t offset) {
  return pwritev(number, parts, count, offset);
}

int ftruncate(int number, off_t size) {
  LOCKED(number, (REAL(ftruncate)(number, size)), note(LOSSY_RESIZED, file, size, 0, 0, 0, 0, 0))
}

int ftruncate64(int number, off64_t size) { return ftruncate(number, size); }

static void allocated(int number, uint64_t file, int failed) {
  struct stat found;
  if (!failed && fstat(number, &found) == 0) note(LOSSY_RESIZED, file, found.st_size, 0, 0, 0, 0, 0);
}

// Afterwards the file is as long as what was asked for, and zeros lie where nothing lay.
int posix_fallocate(int number, off_t offset, off_t length) {
  LOCKED(number, (REAL(posix_fallocate)(number, offset, length)), allocated(number, file, result))
}

static void made_durable(int number, int kind) {
  if (kind == 2) note(LOSSY_SYNCED_FOLDER, 0, 0, table[number].name, 0, 0, 0, 0);
  else note(LOSSY_SYNCED, table[number].file, 0, 0, 0, 0, 0, 0);
}

int fsync(int number) { LOCKED(number, ((int)syscall(SYS_fsync, number)), made_durable(number, kind)) }

// The size is made durable with the data, which is all that a reader needs.
int fdatasync(int number) { LOCKED(number, ((int)syscall(SYS_fdatasync, number)), made_durable(number, kind)) }

// Ways to write that nobody here uses; should one come up, the test says so instead of proving nothing.
#define REFUSED(number, call, what) \
  LOCKED(number, call, note(LOSSY_UNKNOWN, file, 0, what, 0, 0, 0, 0))

int fallocate(int number, int mode, off_t offset, off_t length) {
  REFUSED(number, (REAL(fallocate)(number, mode, offset, length)), "fallocate")
}

// Copying inside the kernel would pass the data by us; told that it cannot be done, programs write instead.
ssize_t copy_file_range(int from, off64_t *place, int to, off64_t *target, size_t count, unsigned flags) {
  if (!watching() || !has(to)) return REAL(copy_file_range)(from, place, to, target, count, flags);
  errno = EXDEV;
  return -1;
}

ssize_t sendfile(int to, int from, off_t *place, size_t count) {
  if (!watching() || !has(to)) return REAL(sendfile)(to, from, place, count);
  errno = EINVAL;
  return -1;
}

// A stream opened here will write past us.
FILE *fopen(const char *path, const char *mode) {
  char space[PATH_MAX];
  if (strpbrk(mode, "wa+") && inside(AT_FDCWD, path, space)) {
    pthread_mutex_lock(&lossy_lock);
    note(LOSSY_UNKNOWN, 0, 0, "fopen", 0, 0, 0, 0);
    pthread_mutex_unlock(&lossy_lock);
  }
  return REAL(fopen)(path, mode);
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

// MARK: Changes of names

#define NAMED(directory, path, call, record)                                 \
  char space[PATH_MAX];                                                      \
  pthread_mutex_lock(&lossy_lock);                                                 \
  const char *name = inside(directory, path, space);                         \
  int result = call;                                                         \
  int after = errno;                                                         \
  if (name && result == 0) record;                                           \
  pthread_mutex_unlock(&lossy_lock);                                               \
  errno = after;                                                             \
  return result;

int mkdirat(int directory, const char *path, mode_t mode) {
  NAMED(directory, path, REAL(mkdirat)(directory, path, mode), note(LOSSY_FOLDER, 0, 0, name, 0, 0, 0, 0))
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int unlinkat(int directory, const char *path, int flags) {
  NAMED(directory, path, REAL(unlinkat)(directory, path, flags), note(LOSSY_REMOVED, 0, 0, name, 0, 0, 0, 0))
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  char old_space[PATH_MAX], new_space[PATH_MAX];
  pthread_mutex_lock(&lossy_lock);
  const char *old_name = inside(from, old, old_space), *new_name = inside(to, new, new_space);
  int result = (int)syscall(SYS_renameat2, from, old, to, new, flags);
  int after = errno;
  if (result == 0 && (old_name || new_name)) {
    // Across the border, or two names exchanged: not in the model.
    int known = old_name && new_name && (flags & ~1u) == 0;
    note(known ? LOSSY_RENAMED : LOSSY_UNKNOWN, 0, 0, old_name ? old_name : new_name, new_name, 0, 0, 0);
  }
  pthread_mutex_unlock(&lossy_lock);
  errno = after;
  return result;
}

int renameat(int from, const char *old, int to, const char *new) { return renameat2(from, old, to, new, 0); }
int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }

int linkat(int from, const char *old, int to, const char *new, int flags) {
  NAMED(to, new, REAL(linkat)(from, old, to, new, flags), note(LOSSY_UNKNOWN, 0, 0, "link", 0, 0, 0, 0))
}

int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

int symlinkat(const char *target, int directory, const char *path) {
  NAMED(directory, path, REAL(symlinkat)(target, directory, path), note(LOSSY_UNKNOWN, 0, 0, "symlink", 0, 0, 0, 0))
}

int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

int truncate(const char *path, off_t size) {
  NAMED(AT_FDCWD, path, REAL(truncate)(path, size), note(LOSSY_UNKNOWN, 0, 0, "truncate", 0, 0, 0, 0))
}
