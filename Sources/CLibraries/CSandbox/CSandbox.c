#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the table of allowed calls has to be checked for this processor"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF_NOT(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
// A call of x86-64's other face (x32) has another number than all that are allowed.
#define ONLY_OWN_CALLS LOAD(arch), IF_NOT(OWN_ARCHITECTURE, 1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), KILL, LOAD(nr)
#define ALLOWED(name) IF_NOT(__NR_##name, 1), ALLOW
// Memory, as long as it cannot become code. Both processors are little-endian: the low half comes first.
#define ALLOWED_WITHOUT_CODE(name) \
  IF_NOT(__NR_##name, 4), LOAD(args[2]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), KILL, ALLOW

// What a single-threaded decoder that has opened all it needs asks of the kernel.
static struct sock_filter table[] = {
  ONLY_OWN_CALLS,
  ALLOWED(read),
  ALLOWED(write),
  ALLOWED(brk),
  ALLOWED(munmap),
  ALLOWED(mremap),
  ALLOWED(madvise),
  ALLOWED_WITHOUT_CODE(mmap),
  ALLOWED_WITHOUT_CODE(mprotect),
  ALLOWED(futex),
  ALLOWED(clock_gettime),
  ALLOWED(gettimeofday),
  ALLOWED(getrandom),
  ALLOWED(sched_getaffinity),
  ALLOWED(sched_yield),
  ALLOWED(sysinfo),
  ALLOWED(rt_sigreturn),
  ALLOWED(rt_sigprocmask),
  ALLOWED(restart_syscall),
  ALLOWED(close),
  ALLOWED(exit),
  ALLOWED(exit_group),
  KILL,
};

#define ALLOWED_IF(name, may) IF_NOT((may) ? __NR_##name : -1, 1), ALLOW

#ifdef __NR_open
#define OLD_CALLS_OF_FILES ALLOWED(open), ALLOWED(rename), ALLOWED(unlink), ALLOWED(mkdir), ALLOWED(poll),
#else
#define OLD_CALLS_OF_FILES
#endif

static int limit(int what, rlim_t most) {
  const struct rlimit both = {most, most};
  return setrlimit(what, &both) == 0 ? 0 : errno;
}

// A sanitizer's runtime asks the kernel for much more, and would be killed for it.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
static const int is_sanitized = 1;
#else
static const int is_sanitized = 0;
#endif

int layby_sandbox_enter(void) {
  if (is_sanitized) return ENOTSUP;
  int refused;
  // Gone before the player, when memory is short. A wish: not every system shows /proc.
  const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    const ssize_t written = write(score, "800", 3);
    (void)written;
    close(score);
  }
  // What it may hold: its own code and the library's are 200 MB of addresses.
  if ((refused = limit(RLIMIT_AS, 512u << 20))) return refused;
  if ((refused = limit(RLIMIT_DATA, 160u << 20))) return refused;
  // Playing takes a few minutes of the processor for a long book; what stops answering is ended by the player.
  if ((refused = limit(RLIMIT_CPU, 4 * 3600))) return refused;
  if ((refused = limit(RLIMIT_NOFILE, 0))) return refused;
  if ((refused = limit(RLIMIT_FSIZE, 0))) return refused;
  if ((refused = limit(RLIMIT_CORE, 0))) return refused;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
  if (prctl(PR_SET_DUMPABLE, 0) != 0) return errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  const struct sock_fprog program = {sizeof table / sizeof table[0], table};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return errno;
  return 0;
}

#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

// The kernel's own numbers (linux/landlock.h), which older headers do not have.
struct rule_set {
  uint64_t handled;
};
struct rule_below {
  uint64_t allowed;
  int32_t folder;
} __attribute__((packed));
enum {
  every_right = 0x1FFF,
  write_file = 1 << 1, read_file = 1 << 2, read_folder = 1 << 3, remove_file = 1 << 5, make_folder = 1 << 7,
  make_file = 1 << 8,
};

// What has no Landlock goes without: then the rights of its user, and what the service manager hides, are what is left.
static void stay_below(int folder) {
  const struct rule_set rules = {every_right};
  const int set = (int)syscall(__NR_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (set < 0) return;
  const struct rule_below below = {write_file | read_file | read_folder | remove_file | make_folder | make_file, folder};
  if (syscall(__NR_landlock_add_rule, set, 1, &below, 0) == 0) syscall(__NR_landlock_restrict_self, set, 0);
  close(set);
}

int layby_sandbox_closes_files(void) { return syscall(__NR_landlock_create_ruleset, NULL, 0, 1) >= 1; }

int layby_sandbox_keep(int folder, int may_connect) {
  int refused;
  if ((refused = limit(RLIMIT_CORE, 0))) return refused;
  if (prctl(PR_SET_DUMPABLE, 0) != 0) return errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (is_sanitized) return 0;
  stay_below(folder);
  struct sock_filter calls[] = {
    ONLY_OWN_CALLS,
    ALLOWED(read),
    ALLOWED(write),
    ALLOWED(writev),
    ALLOWED(lseek),
    ALLOWED(close),
    ALLOWED(fstat),
    ALLOWED(newfstatat),
    ALLOWED(fcntl),
    ALLOWED(fsync),
    OLD_CALLS_OF_FILES
    ALLOWED(openat),
    ALLOWED(renameat),
    ALLOWED(renameat2),
    ALLOWED(unlinkat),
    ALLOWED(mkdirat),
    ALLOWED(getdents64),
    ALLOWED(ppoll),
    ALLOWED(accept),
    ALLOWED(accept4),
    ALLOWED(recvfrom),
    ALLOWED(recvmsg),
    ALLOWED(sendto),
    ALLOWED(sendmsg),
    ALLOWED(getsockopt),
    ALLOWED(brk),
    ALLOWED(munmap),
    ALLOWED(mremap),
    ALLOWED(madvise),
    ALLOWED(mlock),
    ALLOWED(munlock),
    ALLOWED_WITHOUT_CODE(mmap),
    ALLOWED_WITHOUT_CODE(mprotect),
    ALLOWED(futex),
    ALLOWED(clock_gettime),
    ALLOWED(clock_nanosleep),
    ALLOWED(gettimeofday),
    // What time it is, and whether a time server holds the clock; to set it takes a right that this process has not.
    ALLOWED(adjtimex),
    ALLOWED(clock_adjtime),
    ALLOWED(getrandom),
    ALLOWED(getpid),
    ALLOWED(gettid),
    ALLOWED(sched_getaffinity),
    ALLOWED(sched_yield),
    ALLOWED(sysinfo),
    ALLOWED(rt_sigreturn),
    ALLOWED(rt_sigprocmask),
    ALLOWED(restart_syscall),
    ALLOWED(exit),
    ALLOWED(exit_group),
    ALLOWED_IF(socket, may_connect),
    ALLOWED_IF(connect, may_connect),
    ALLOWED_IF(setsockopt, may_connect),
    ALLOWED_IF(getsockname, may_connect),
    ALLOWED_IF(getpeername, may_connect),
    KILL,
  };
  const struct sock_fprog program = {sizeof calls / sizeof calls[0], calls};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return errno;
  return 0;
}

int layby_sandbox_try(const char *what) {
  if (strcmp(what, "open") == 0) return open("/etc/passwd", O_RDONLY) >= 0;
  if (strcmp(what, "socket") == 0) return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
  if (strcmp(what, "exec") == 0) return execl("/bin/true", "true", (char *)0);
  if (strcmp(what, "fork") == 0) return fork() >= 0;
  if (strcmp(what, "kill") == 0) return kill(getppid(), 0) == 0;
  if (strcmp(what, "execmem") == 0)
    return mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  return -1;
}
