// Kernel calls that Glibc's Swift module leaves out, and the few that are variadic or macros.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/fb.h>
#include <linux/input.h>
#include <linux/netlink.h>
#include <linux/watchdog.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/timex.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "KMS.h"

// Enumerations arrive in Swift as separate types; these are the bits as the calls take them.
static const uint32_t layby_epoll_in = EPOLLIN;
static const uint32_t layby_epoll_urgent = EPOLLPRI;
static const uint32_t layby_epoll_out = EPOLLOUT;
static const uint32_t layby_epoll_oneshot = EPOLLONESHOT;
static const int32_t layby_epoll_cloexec = EPOLL_CLOEXEC;
static const int32_t layby_eventfd_flags = EFD_NONBLOCK | EFD_CLOEXEC;
static const int32_t layby_timerfd_flags = TFD_NONBLOCK | TFD_CLOEXEC;
static const int32_t layby_signalfd_flags = SFD_NONBLOCK | SFD_CLOEXEC;
static const unsigned long layby_watchdog_set_timeout = WDIOC_SETTIMEOUT;
static const unsigned long layby_watchdog_get_timeout = WDIOC_GETTIMEOUT;
static const int32_t layby_inotify_flags = IN_NONBLOCK | IN_CLOEXEC;
/// A name in the folder came, went, or was given to somebody.
static const uint32_t layby_inotify_names = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB;
/// Somebody who wrote a file in the folder has closed it.
static const uint32_t layby_inotify_contents = IN_CLOSE_WRITE;
static const int32_t layby_socket_stream = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
static const int32_t layby_socket_datagram = SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

/// The time in seconds; 1 while a time server holds the clock.
static inline int layby_clock(int64_t *seconds) {
  struct timex state = {0};
  int told = adjtimex(&state);
  // Where a filter of system calls refuses that, the time is known all the same, but not who holds it.
  *seconds = told >= 0 ? (int64_t)state.time.tv_sec : (int64_t)time(NULL);
  return told >= 0 && !(state.status & STA_UNSYNC);
}

/// 0 or -1.
static inline int layby_close_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline int layby_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
/// The codes of `type` (0: the types) that an input device has, as bits; how many bytes, or -1.
static inline int layby_input_bits(int fd, int type, void *bits, int size) {
  return ioctl(fd, EVIOCGBIT((unsigned)type, (unsigned)size), bits);
}
/// What else is known of an input device (INPUT_PROP_...), as bits; how many bytes, or -1.
static inline int layby_input_properties(int fd, void *bits, int size) { return ioctl(fd, EVIOCGPROP((unsigned)size), bits); }
/// From now on its events are stamped by that clock; 0 or -1.
static inline int layby_input_clock(int fd, int clock) { return ioctl(fd, EVIOCSCLOCKID, &clock); }
static inline int layby_input_name(int fd, char *name, int size) { return ioctl(fd, EVIOCGNAME((unsigned)size), name); }
static inline int layby_window_size(int fd, struct winsize *size) { return ioctl(fd, TIOCGWINSZ, size); }

/// A descriptor that is readable whenever one of `signals` (ended by 0) is pending; they are blocked for the thread.
int layby_signalfd(const int *signals);
/// The next pending signal of a signalfd, or 0.
int layby_next_signal(int fd);
/// Names the calling thread, as `top -H` shows it.
void layby_name_thread(const char *name);
/// The calling thread was started with a stack of so many bytes; it may have been given more.
void layby_note_stack(size_t bytes);
/// Bytes of stack that the calling thread has left of those it was started with; 0 when that cannot be found out.
size_t layby_stack_left(void);
/// The calling thread takes of processor and disk only what nobody else wants; 0 or an errno.
int layby_go_idle(void);
/// How many free bytes each heap keeps at its end before it gives them back to the kernel.
void layby_keep_heap(int bytes);
/// Gives back to the kernel all that is free.
void layby_give_heap_back(void);
/// No page of the program's and its libraries' code is mapped any more until it is run or read again.
void layby_let_go_of_code(void);
/// Asks for SCHED_FIFO at `priority` for the calling thread; 0 or an errno.
int layby_go_realtime(int priority);
/// What is started has no descriptor from `first` on; 0 or an errno.
int layby_spawn_close_from(posix_spawn_file_actions_t *actions, int first);
/// As `rename`, but what has the name `to` already keeps it, and it fails with EEXIST.
int layby_rename_new(const char *from, const char *to);
/// Room for the first `length` bytes of a file, which is not made longer by that; 0 or -1.
int layby_allocate(int fd, int64_t length);
/// The kernel's number of the kind of file system that `path` lies on; 0 when that cannot be found out.
uint64_t layby_file_system(const char *path);
/// A netlink socket for `protocol` with an address of its own, not waiting; or -1.
int layby_netlink_socket(int protocol);
/// The next datagram, or -1. Gives its whole length, also when less fits in, and who sent it: 0 is the kernel.
ssize_t layby_netlink_receive(int fd, void *bytes, size_t size, uint32_t *sender);
