internal import CLinux

/// For work in batches: what one frees the next one asks for again. Unless told otherwise the C library gives it back
/// to the kernel in between, and takes it anew page by page.
package enum KeptHeap {
  /// From now on each thread's heap keeps a little that is free.
  package static func begin() { layby_keep_heap(524_288) }

  /// What is free goes back; the limit is the C library's own again.
  package static func end() {
    layby_keep_heap(131_072)
    layby_give_heap_back()
  }
}
