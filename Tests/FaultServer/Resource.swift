/// A file as a server has it.
package struct Resource: Sendable {
  package var bytes: [UInt8]
  /// With its quotation marks; `W/"..."` for a weak one. Nil: the server sends none.
  package var etag: String?
  package var kind: String
  package var headers: [(name: String, value: String)] = []

  package init(_ bytes: [UInt8], etag: String? = "\"first\"", kind: String = "audio/flac") {
    (self.bytes, self.etag, self.kind) = (bytes, etag, kind)
  }

  /// Bytes that are all different from their neighbours, the same for the same seed: what is lost, doubled or moved
  /// shows.
  package static func noise(_ count: Int, seed: UInt64 = 1, etag: String? = "\"first\"") -> Resource {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { space, filled in
      for place in 0..<count {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        space.initializeElement(at: place, to: UInt8(truncatingIfNeeded: state >> 24))
      }
      filled = count
    }
    return Resource(bytes, etag: etag)
  }
}
