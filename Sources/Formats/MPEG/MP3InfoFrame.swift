/// The first, silent frame into which encoders write what they know of the whole file.
package struct MP3InfoFrame: Equatable {
  /// It is of the kind that libmpg123 takes the length, delay and padding from, and cuts both off itself.
  package let statesLength: Bool
  package let statesDelay: Bool
  /// Frames of MPEG behind it; 0 where nothing is said of them.
  private(set) var frames: UInt32 = 0
  /// Frames of sound that the encoder put before and behind the music.
  private(set) var cut: Int64 = 0

  /// Enough of the frame for all of the above.
  package static let length = 192

  /// `bytes` begin where the first frame does.
  package init?(_ bytes: [UInt8]) {
    let found = Piece.with(bytes) { piece in
      MPEGHeader(word: piece.big32(0)).flatMap { MP3InfoFrame(piece, $0) }
    }
    guard let found else { return nil }
    self = found
  }

  init?(_ piece: Piece, _ header: MPEGHeader) {
    guard header.layer == 3 else { return nil }
    var at = 4 + header.sideLength
    // A sum of 16 bits may stand behind the header.
    if piece[1] & 1 == 0, !piece.begins("Xing", at: at), !piece.begins("Info", at: at) { at += 2 }
    if piece.begins("Xing", at: at) || piece.begins("Info", at: at) {
      // Number of frames, of bytes, a table, a quality: each is there when its flag is set. The encoder's name follows.
      let flags = piece[at + 7]
      if flags & 1 != 0 { frames = piece.big32(at + 8) }
      let name =
        at + 8 + (flags & 1 == 0 ? 0 : 4) + (flags & 2 == 0 ? 0 : 4) + (flags & 4 == 0 ? 0 : 100)
        + (flags & 8 == 0 ? 0 : 4)
      if piece[name] != 0 {
        let gaps = piece.big24(name + 21)
        cut = Int64(gaps >> 12 + gaps & 0xFFF)
      }
      (statesLength, statesDelay) = (true, flags & 1 != 0 && cut > 0)
    } else if piece.begins("VBRI", at: 36) {
      frames = piece.big32(50)
      (statesLength, statesDelay) = (false, false)
    } else {
      return nil
    }
  }
}
