import CZ

/// As good as the bytes themselves for telling whether they are what they were, and quickly found.
package func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  UInt32(truncatingIfNeeded: crc32(0, bytes.bindMemory(to: UInt8.self).baseAddress, uInt(bytes.count)))
}
