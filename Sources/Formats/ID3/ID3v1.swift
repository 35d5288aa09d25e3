import Runtime

/// The last 128 bytes of many MP3 files: fields of fixed size, in an encoding that nobody states.
extension FileReading {
  static let id3v1Length: Int64 = 128

  /// `end` moves in front of it.
  mutating func readID3v1(before end: inout Int64) throws(Fault) {
    let tag = try bytes.piece(at: end - Self.id3v1Length, count: Int(Self.id3v1Length))
    guard tag.count == Int(Self.id3v1Length), tag.begins("TAG") else { return }
    end -= Self.id3v1Length
    add(.title, tag.part(3, 30))
    add(.artist, tag.part(33, 30))
    add(.album, tag.part(63, 30))
    add(.year, tag.part(93, 4))
    // Version 1.1 took the last two bytes of the comment: a zero, then the number.
    if tag[125] == 0, tag[126] > 0 { texts.add(.track, number: Int(tag[126])) }
    if let genre = Genres.name(Int(tag[127])) { texts.add(.genre, text: genre) }
  }

  private mutating func add(_ field: TagField, _ piece: Piece) { texts.add(field, piece, .undeclared) }
}
