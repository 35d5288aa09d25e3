#include "CountedHeap.h"
#include <errno.h>
#include <stdlib.h>

// glibc's hooks are gone; what the program itself defines goes before the library's. A sanitizer does the same, so
// there it is left alone.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define HEAP_IS_TAKEN 1
#endif
#endif

#if !defined(HEAP_IS_TAKEN) && defined(__GLIBC__)
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Thread_local long calls, held;

static void *counted(void *memory) {
  calls += 1;
  held += memory != NULL;
  return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *old, size_t size) {
  void *memory = counted(__libc_realloc(old, size));
  // What grew is the same piece still; of size 0 it is gone, and what could not grow is still there.
  if (old != NULL && (memory != NULL || size == 0)) held -= 1;
  return memory;
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = counted(__libc_memalign(alignment, size));
  return *memory == NULL ? ENOMEM : 0;
}

void free(void *memory) {
  held -= memory != NULL;
  __libc_free(memory);
}

long counted_heap_calls(void) { return calls; }
long counted_heap_held(void) { return held; }
#else
long counted_heap_calls(void) { return -1; }
long counted_heap_held(void) { return -1; }
#endif
