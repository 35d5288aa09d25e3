/// What iTunes writes into a comment (`iTunSMPB`): how many frames the encoder put before the music, and how many of
/// music there are. It stands in files that have no such note of LAME's.
package struct GaplessNote: Equatable {
  package var delay: Int64
  package var frames: Int64

  package static let comment = "iTunSMPB"
  /// The decoder's own delay comes on top, as with LAME's note.
  package static let decoderDelay: Int64 = 529

  /// Numbers in base 16: zero, delay, padding, frames, and others that nobody needs. Nil when they make no sense.
  package init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 12)
    guard words.count >= 4, let delay = Self.number(words[1]), Self.number(words[2]) != nil,
      let frames = Self.number(words[3]), delay <= 65_535, (1...1 << 40).contains(frames)
    else { return nil }
    self.delay = delay
    self.frames = frames
  }

  private static func number(_ word: Substring) -> Int64? {
    word.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") } ? Int64(word, radix: 16) : nil
  }
}
