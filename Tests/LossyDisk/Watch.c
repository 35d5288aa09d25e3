// What is watched, and the log. See Watch.h.
#define _GNU_SOURCE
#include "Watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

pthread_mutex_t lossy_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int log_number = -1;
static char folder[PATH_MAX];
static size_t folder_length;

struct watched_file table[MOST_FILES];

void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();  // a program that calls what the C library lacks would not have started
  return found;
}

// What a shell opened for this program before it was one.
static void adopt(void) {
  for (int number = 0; number < 64; number++) {
    char link[64], path[PATH_MAX];
    struct stat found;
    snprintf(link, sizeof link, "/proc/self/fd/%d", number);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= (ssize_t)folder_length || fstat(number, &found) != 0 || !S_ISREG(found.st_mode)) continue;
    path[length] = 0;
    if (!strncmp(path, folder, folder_length) && path[folder_length] == '/') keep(number, &found, "");
  }
}

static void begin(void) {
  const char *wish = getenv("LAYBY_LOSSY_FOLDER"), *log = getenv("LAYBY_LOSSY_LOG");
  if (!wish || !log || !realpath(wish, folder)) return;
  folder_length = strlen(folder);
  // Far above the numbers that a program counts on, and never handed to a child.
  int number = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  log_number = (int)syscall(SYS_fcntl, number, F_DUPFD_CLOEXEC, 900);
  if (log_number < 0) abort();  // a log with a hole in it would prove nothing
  syscall(SYS_close, number);
  adopt();
}

int watching(void) {
  pthread_once(&once, begin);
  return log_number >= 0;
}

// MARK: The log

void note(enum lossy_kind kind, uint64_t file, int64_t offset, const char *name, const char *second,
                 const struct iovec *data, int parts, size_t bytes) {
  struct lossy_record record = {LOSSY_MAGIC, kind, file, offset, 0, 0, bytes};
  record.name_bytes = name ? (uint32_t)strlen(name) : 0;
  record.second_bytes = second ? (uint32_t)strlen(second) : 0;
  struct iovec pieces[16] = {{&record, sizeof record}, {(void *)name, record.name_bytes},
                             {(void *)second, record.second_bytes}};
  int count = 3;
  // Only what was written is logged, even where that ends in the middle of a part.
  for (int part = 0; part < parts && bytes > 0; part++) {
    size_t length = data[part].iov_len < bytes ? data[part].iov_len : bytes;
    if (count == 16) abort();
    pieces[count++] = (struct iovec){data[part].iov_base, length};
    bytes -= length;
  }
  size_t whole = sizeof record + record.name_bytes + record.second_bytes + record.data_bytes;
  if (syscall(SYS_writev, log_number, pieces, count) != (long)whole) abort();
}

// MARK: Names

const char *inside(int directory, const char *path, char *space) {
  char whole[PATH_MAX], parent[PATH_MAX];
  if (!path || !watching()) return 0;
  if (path[0] != '/' && directory != AT_FDCWD) {
    char link[64], base[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = 0;
    if (snprintf(whole, sizeof whole, "%s/%s", base, path) >= (int)sizeof whole) return 0;
  } else if (snprintf(whole, sizeof whole, "%s", path) >= (int)sizeof whole) {
    return 0;
  }
  size_t length = strlen(whole);
  while (length > 1 && whole[length - 1] == '/') whole[--length] = 0;
  char *slash = strrchr(whole, '/');
  const char *last = slash ? slash + 1 : whole;
  if (!strcmp(last, ".") || !strcmp(last, "..") || !*last) {
    if (!realpath(whole, space)) return 0;
  } else {
    if (slash) *slash = 0;
    if (!realpath(slash ? (whole[0] ? whole : "/") : ".", parent)) return 0;
    if (snprintf(space, PATH_MAX, "%s/%s", parent[1] ? parent : "", last) >= PATH_MAX) return 0;
  }
  if (strncmp(space, folder, folder_length) != 0) return 0;
  if (space[folder_length] == 0) return space + folder_length;
  return space[folder_length] == '/' ? space + folder_length + 1 : 0;
}

// MARK: Descriptors

int has(int number) { return number >= 0 && number < MOST_FILES && table[number].watched; }

void drop(int number) {
  if (number < 0 || number >= MOST_FILES) return;
  free(table[number].name);
  table[number].name = 0;
  table[number].watched = 0;
}

void keep(int number, const struct stat *found, const char *name) {
  if (number >= MOST_FILES) abort();
  drop(number);
  table[number].watched = S_ISDIR(found->st_mode) ? 2 : 1;
  table[number].device = found->st_dev;
  table[number].file = found->st_ino;
  if (S_ISDIR(found->st_mode)) table[number].name = strdup(name);
}

int watched(int number) {
  if (!watching() || !has(number)) return 0;
  struct stat found;
  if (fstat(number, &found) == 0 && found.st_dev == table[number].device && found.st_ino == table[number].file)
    return table[number].watched;
  drop(number);
  return 0;
}

