#pragma once

/// How often this thread has asked the heap for memory since it began; -1 where a sanitizer owns the heap.
long counted_heap_calls(void);

/// Pieces of memory that this thread has taken and not given back, less those of other threads that it gave back; -1
/// where a sanitizer owns the heap.
long counted_heap_held(void);
