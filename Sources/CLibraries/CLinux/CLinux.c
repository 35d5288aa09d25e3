#define _GNU_SOURCE
#include "CLinux.h"

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

int layby_go_realtime(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}
