// Loaded before the tests under the thread sanitizer. The standard library's Mutex hands a lock that is fought over
// from thread to thread inside the kernel, where the sanitizer does not look; it then sees races between two bodies of
// `withLock`. Here it is told what the lock's slow paths mean. The fast paths are atomics, which it sees itself.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

SWIFT void lock_slow(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, SELF) {
  typedef SWIFT void (*Function)(uint32_t, SELF);
  ((Function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"))(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
  typedef SWIFT bool (*Function)(SELF);
  bool got = ((Function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"))(self);
  if (got && __tsan_acquire) __tsan_acquire(self);
  return got;
}

SWIFT void unlock_slow(SELF) {
  typedef SWIFT void (*Function)(SELF);
  if (__tsan_release) __tsan_release(self);
  ((Function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"))(self);
}
