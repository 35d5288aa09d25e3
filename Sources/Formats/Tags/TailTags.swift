import Runtime

/// Tags behind the sound, in whatever order programs have put them there.
extension FileReading {
  private static let mostTails = 6

  /// Where the first of them begins.
  mutating func readTail(rank: UInt8 = TagRank.tail) throws(Fault) -> Int64 {
    var end = bytes.size
    for _ in 0..<Self.mostTails {
      let before = end
      texts.rank = rank
      try readAPE(before: &end)
      try readID3v2(before: &end)
      texts.rank = TagRank.last
      try readID3v1(before: &end)
      end -= try LyricsTag.length(before: end, in: bytes)
      if end == before { break }
    }
    return end
  }

  /// A tag of 2.4 that has a foot may stand at the end.
  private mutating func readID3v2(before end: inout Int64) throws(Fault) {
    let foot = try bytes.piece(at: end - Int64(ID3v2Tag.headLength), count: ID3v2Tag.headLength)
    guard foot.begins("3DI") else { return }
    let start = end - Int64(foot.syncSafe(6)) - 2 * Int64(ID3v2Tag.headLength)
    guard start >= 0, let tag = ID3v2Tag(try bytes.piece(at: start, count: ID3v2Tag.headLength), at: start),
      tag.whole == end - start
    else { return }
    try readFrames(tag)
    end = start
  }
}

/// Words of songs, which may stand behind other tags and in front of the oldest: six digits of length, then a mark.
enum LyricsTag {
  private static let footLength: Int64 = 15

  /// Of the whole; 0 when none ends at `end`.
  static func length(before end: Int64, in bytes: any PlacedBytes) throws(Fault) -> Int64 {
    let foot = try bytes.piece(at: end - footLength, count: Int(footLength))
    guard foot.count == Int(footLength), foot.begins("LYRICS200", at: 6) else { return 0 }
    let digits = foot.part(0, 6).buffer
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    let length = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } + footLength
    return try bytes.piece(at: end - length, count: 11).begins("LYRICSBEGIN") ? length : 0
  }
}

/// Which tag is believed first: the format's own, then the one in front, then those behind.
package enum TagRank {
  static let own: UInt8 = 0
  static let front: UInt8 = 10
  static let list: UInt8 = 50
  static let tail: UInt8 = 100
  package static let last: UInt8 = 200
}
