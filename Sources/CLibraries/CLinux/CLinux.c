#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <stdio.h>
#include <sys/vfs.h>

int layby_signalfd(const int *signals) {
  sigset_t set;
  sigemptyset(&set);
  for (; *signals; signals++) sigaddset(&set, *signals);
  if (pthread_sigmask(SIG_BLOCK, &set, 0) != 0) return -1;
  return signalfd(-1, &set, layby_signalfd_flags);
}

int layby_next_signal(int fd) {
  struct signalfd_siginfo info;
  return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

void layby_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static _Thread_local size_t asked_stack;

void layby_note_stack(size_t bytes) { asked_stack = bytes; }

size_t layby_stack_left(void) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void *lowest = 0;
  size_t size = 0, guard = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_getguardsize(&attributes, &guard);
  pthread_attr_destroy(&attributes);
  // glibc counts the guard page as part of the stack.
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = (uintptr_t)lowest + guard;
  // It also hands on the stacks of ended threads, up to four times as large as was asked for.
  uintptr_t top = (uintptr_t)lowest + size;
  if (asked_stack > 0 && asked_stack < size && top - asked_stack > end) end = top - asked_stack;
  return here > end ? here - end : 0;
}

int layby_go_idle(void) {
  struct sched_param parameters = {.sched_priority = 0};
  // "Who", 0: this thread; class 3: the disk's idle time. Where a kernel has no such classes, it stays as it is.
  syscall(SYS_ioprio_set, 1, 0, 3 << 13);
  return pthread_setschedparam(pthread_self(), SCHED_IDLE, &parameters);
}

void layby_keep_heap(int bytes) { mallopt(M_TRIM_THRESHOLD, bytes); }
void layby_give_heap_back(void) { malloc_trim(0); }

// Only what is never written, so that the file is all there is of it: relocated pages lie in segments that are.
static int let_go_of_code(struct dl_phdr_info *program, size_t size, void *nothing) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    uintptr_t begin = program->dlpi_addr + segment->p_vaddr;
    uintptr_t end = begin + segment->p_filesz;
    begin = (begin + page - 1) & ~(page - 1);
    end &= ~(page - 1);
    if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

void layby_let_go_of_code(void) { dl_iterate_phdr(let_go_of_code, 0); }

int layby_go_realtime(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

int layby_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int layby_rename_new(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE); }

int layby_allocate(int fd, int64_t length) { return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, length); }

uint64_t layby_file_system(const char *path) {
  struct statfs facts;
  return statfs(path, &facts) == 0 ? (uint64_t)facts.f_type : 0;
}

int layby_netlink_socket(int protocol) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
  if (fd < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

ssize_t layby_netlink_receive(int fd, void *bytes, size_t size, uint32_t *sender) {
  struct sockaddr_nl address = {0};
  socklen_t length = sizeof address;
  ssize_t count = recvfrom(fd, bytes, size, MSG_TRUNC | MSG_DONTWAIT, (struct sockaddr *)&address, &length);
  *sender = address.nl_pid;
  return count;
}
