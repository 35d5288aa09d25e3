import Runtime

/// The four bytes before each frame of MPEG audio. Any text holds something like one; so a file counts as MPEG only
/// when a second header stands where the first one says.
package struct MPEGHeader: Equatable {
  let version: UInt8
  package let layer: UInt8
  package let sampleRate: Int32
  package let isMono: Bool
  /// Bytes of the whole frame; nil when the header leaves it open (free format).
  package let frameLength: Int?

  package init?(_ bytes: some Collection<UInt8>) {
    var word: UInt32 = 0
    var count = 0
    for byte in bytes.prefix(4) {
      word = word << 8 | UInt32(byte)
      count += 1
    }
    guard count == 4 else { return nil }
    self.init(word: word)
  }

  /// Its four bytes as one number.
  package init?(word: UInt32) {
    guard word >> 21 == 0x7FF else { return nil }
    let version = UInt8(truncatingIfNeeded: word >> 19 & 3)
    let layer = UInt8(truncatingIfNeeded: word >> 17 & 3)
    let bitrate = Int(word >> 12 & 15)
    let rate = Int(word >> 10 & 3)
    guard version != 1, layer != 0, bitrate != 15, rate != 3, word & 3 != 2 else { return nil }
    let full = version == 3
    self.version = version
    self.layer = 4 - layer
    isMono = word >> 6 & 3 == 3
    sampleRate = [44_100, 48_000, 32_000][rate] >> (full ? 0 : version == 2 ? 1 : 2)
    let kilobits = Self.kilobits[full ? Int(3 - layer) : layer == 3 ? 3 : 4][bitrate]
    let padding = Int(word >> 9 & 1)
    if kilobits == 0 {
      frameLength = nil
    } else if self.layer == 1 {
      frameLength = (12_000 * kilobits / Int(sampleRate) + padding) * 4
    } else {
      frameLength = (self.layer == 3 && !full ? 72_000 : 144_000) * kilobits / Int(sampleRate) + padding
    }
  }

  /// Frames of sound in one of these.
  package var samples: Int { layer == 1 ? 384 : layer == 2 || version == 3 ? 1_152 : 576 }

  /// From the header to where an encoder's note on the whole file stands, if there is one.
  package var sideLength: Int { version == 3 ? (isMono ? 17 : 32) : (isMono ? 9 : 17) }

  private static let kilobits = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// How far behind the tag the music may begin: some files have padding or a broken tag there.
  package static let searched = 65_536
  /// Mostly it begins at once, and what is still on its way is not waited for.
  package static let firstLook = 2_048

  package static func isNear(_ offset: Int64, in source: any ByteSource, within most: Int) throws(Fault) -> Bool {
    var looks = firstLook
    while true {
      let bytes = try source.peek(looks, at: offset)
      if stands(in: bytes, isEnd: bytes.count < looks) { return true }
      if bytes.count < looks || looks >= most { return false }
      looks = min(4 * looks, most)
    }
  }

  /// In a row, so that they are no accident: in noise, one header in thousands is followed by another one.
  private static let consistentHeaders = 5

  /// Whether frames of one kind and of that rate follow each other from `place` on.
  package static func holdsStream(at place: Int64, rate: Int32, in source: any ByteSource) throws(Fault) -> Bool {
    var at = place
    var first: MPEGHeader?
    for _ in 0..<consistentHeaders {
      guard let header = MPEGHeader(try source.peek(4, at: at)), header.sampleRate == rate,
        let length = header.frameLength, header.layer == first?.layer ?? header.layer
      else { return false }
      first = header
      at += Int64(length)
    }
    return true
  }

  /// Any text holds something like a header: there has to be a second one where this one, which stands at `start`, says.
  /// `isAll`: there is nothing behind `piece`.
  func goesOn(in piece: Piece, at start: Int, isAll: Bool) -> Bool {
    // Free format has no length to check; it is believed at the very beginning only.
    guard let length = frameLength else { return start == 0 }
    let next = start + length
    // The last frame of a short file, or one that was cut off: there is no second header to see.
    if next + 4 > piece.count { return start == 0 && isAll }
    guard let second = MPEGHeader(word: piece.big32(next)) else { return false }
    return second.sampleRate == sampleRate && second.layer == layer
  }

  /// What is found in few bytes is found in more of them.
  private static func stands(in bytes: [UInt8], isEnd: Bool) -> Bool {
    Piece.with(bytes) { piece in
      var at = 0
      while let start = piece.first(0xFF, from: at), start + 4 <= piece.count {
        at = start + 1
        if let header = MPEGHeader(word: piece.big32(start)), header.goesOn(in: piece, at: start, isAll: isEnd) {
          return true
        }
      }
      return false
    }
  }
}
