/// What iTunes writes into a comment (`iTunSMPB`): how many frames the encoder put before the music, and how many of
/// music there are. It stands in files that have no such note of LAME's.
package struct GaplessNote: Equatable {
  package var delay: Int64
  package var frames: Int64

  static let comment = "iTunSMPB"
  /// The decoder's own delay comes on top, as with LAME's note.
  static let decoderDelay: Int64 = 529

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

/// The first, silent frame into which encoders write what they know of the whole file.
struct MP3InfoFrame: Equatable {
  /// Frames in all, delay and padding: the library cuts both off itself.
  var statesLength = false
  var statesDelay = false

  /// `bytes` begin where the first frame does.
  init(_ bytes: [UInt8]) {
    guard MPEGHeader(bytes) != nil,
      let at = (4..<max(4, min(bytes.count - 8, 44))).first(where: {
        bytes[$0...].starts(with: "Xing".utf8) || bytes[$0...].starts(with: "Info".utf8)
      })
    else { return }
    statesLength = true
    let flags = bytes[at + 7]
    // Number of frames, of bytes, a table, a quality: each is there when its flag is set. The encoder's name follows.
    let name =
      at + 8 + (flags & 1 == 0 ? 0 : 4) + (flags & 2 == 0 ? 0 : 4) + (flags & 4 == 0 ? 0 : 100)
      + (flags & 8 == 0 ? 0 : 4)
    guard name + 24 <= bytes.count, bytes[name] != 0 else { return }
    statesDelay = flags & 1 != 0 && bytes[name + 21..<name + 24].contains { $0 != 0 }
  }

  /// Of the frame, that the above may be found.
  static let length = 192
}
