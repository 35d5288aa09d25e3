#pragma once

/// How often this thread has asked the heap for memory since it began; -1 where a sanitizer owns the heap.
long counted_heap_calls(void);
