internal import CZ

/// What was compressed in zlib's format. PNG pictures are, and parts of some ID3 tags.
package enum ZlibBytes {
  /// The first bytes of it, `most` at most; nil when it is none, or broken before that.
  package static func inflated(_ bytes: UnsafeBufferPointer<UInt8>, most: Int) -> [UInt8]? {
    guard let start = bytes.baseAddress, most > 0 else { return nil }
    var stream = z_stream()
    guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    stream.next_in = UnsafeMutablePointer(mutating: start)
    stream.avail_in = uInt(clamping: bytes.count)
    var status = Z_OK
    let plain = [UInt8](unsafeUninitializedCapacity: most) { space, count in
      stream.next_out = space.baseAddress
      stream.avail_out = uInt(clamping: most)
      status = inflate(&stream, Z_SYNC_FLUSH)
      count = most - Int(stream.avail_out)
    }
    // More would come, or the end was reached; whatever else it says, the bytes are broken.
    return status == Z_OK || status == Z_STREAM_END ? plain : nil
  }

  /// What zlib answers when it cannot, which is when memory is short.
  package struct Refusal: Error {
    package let status: Int32
  }

  /// Compressed, as a reader of zlib's format expects it.
  package static func deflated(_ bytes: [UInt8]) throws(Refusal) -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    var packed = [UInt8](repeating: 0, count: Int(length))
    let status = compress2(&packed, &length, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
    guard status == Z_OK else { throw Refusal(status: status) }
    return Array(packed[..<Int(length)])
  }

  /// The sum that PNG puts behind each of its parts.
  package static func sum(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, uInt(bytes.count)))
  }
}
