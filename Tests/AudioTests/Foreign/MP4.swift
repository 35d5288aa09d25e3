import Testing

/// The boxes of an MP4 file: four bytes of size, four letters, and what is in it.
enum MP4 {
  struct Missing: Error { let box: String }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + Array(name.utf8) + content
  }

  /// The file with iTunes' own note in it. For files with the music before the boxes that speak of it: then no place
  /// that these speak of moves.
  static func adding(note: String, to bytes: [UInt8]) throws -> [UInt8] {
    let flags = [UInt8](repeating: 0, count: 4)
    let added = box(
      "----",
      box("mean", flags + Array("com.apple.iTunes".utf8)) + box("name", flags + Array("iTunSMPB".utf8))
        + box("data", [0, 0, 0, 1] + flags + Array(note.utf8)))
    var bytes = bytes
    var at = 0
    var end = bytes.count
    // Each but the last holds the next; "meta" begins with flags.
    for (name, head) in [("moov", 8), ("udta", 8), ("meta", 12), ("ilst", 8)] {
      while true {
        guard at + 8 <= end else { throw Missing(box: name) }
        let size = (0..<4).reduce(0) { $0 << 8 | Int(bytes[at + $1]) }
        if bytes[at + 4..<at + 8].elementsEqual(name.utf8) {
          bytes.replaceSubrange(at..<at + 4, with: number(size + added.count))
          end = at + size
          at += head
          break
        }
        at += size
      }
    }
    bytes.insert(contentsOf: added, at: end)
    return bytes
  }
}
