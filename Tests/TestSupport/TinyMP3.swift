/// An MP3 file of a few silent frames, with a tag in front.
package struct TinyMP3 {
  package var title = "Air"
  package var artist = "Johann Bach"
  package var albumArtist: String?
  package var album = "Suites"
  package var genre: String?
  package var track = 1
  /// What the sound is; the same number is the same recording.
  package var sound: UInt64 = 1
  /// Without, there is nothing but frames.
  package var hasTag = true
  /// Latin-1 unless it is written otherwise.
  package var rawTitle: [UInt8]?

  package init(
    title: String = "Air", artist: String = "Johann Bach", album: String = "Suites", track: Int = 1,
    sound: UInt64 = 1, rawTitle: [UInt8]? = nil
  ) {
    (self.title, self.artist, self.album, self.track, self.sound) = (title, artist, album, track, sound)
    self.rawTitle = rawTitle
  }

  package var bytes: [UInt8] {
    var frames = Self.frame("TIT2", rawTitle.map { [0] + $0 } ?? Self.text(title))
    frames += Self.frame("TPE1", Self.text(artist)) + Self.frame("TALB", Self.text(album))
    frames += Self.frame("TRCK", Self.text("\(track)"))
    if let albumArtist { frames += Self.frame("TPE2", Self.text(albumArtist)) }
    if let genre { frames += Self.frame("TCON", Self.text(genre)) }
    let size = (0..<4).map { (at: Int) -> UInt8 in UInt8(frames.count >> (21 - 7 * at) & 0x7F) }
    var random = SeededGenerator(seed: sound)
    // MPEG 1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes; silent side information, then what tells one from another.
    let sound = (0..<6).flatMap { _ -> [UInt8] in
      [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 32)
        + (0..<381).map { _ in UInt8.random(in: 0..<0x80, using: &random) }
    }
    guard hasTag else { return sound }
    return Array("ID3".utf8) + [3, 0, 0] + size + frames + sound
  }

  private static func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (24 - 8 * $0)) } + [0, 0] + body
  }

  /// Latin-1 where that is enough, else UTF-16 with its mark.
  private static func text(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return [0] + Array(text.utf8) }
    return [1, 0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }
}
