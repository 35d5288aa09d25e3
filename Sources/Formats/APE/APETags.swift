import Runtime

/// The tag that many MP3 files have at their end: APE's, version 2, with its foot last. What is measured of loudness
/// often stands there and nowhere else.
package enum APETags {
  private static let mark = Array("APETAGEX".utf8)
  private static let footLength = 32
  private static let id3v1Length: Int64 = 128
  private static let lyricsFootLength: Int64 = 15
  /// In bytes, of a value and of a key. A longer value is a picture, or a text that nobody reads.
  private static let longestValue = 16_384
  private static let longestKey = 256
  private static let mostItems = 500

  /// Nil where there is no tag, where a stream has not come to its end, and where the tag cannot be read: the music plays
  /// without it.
  package static func read(_ source: any ByteSource) -> Tags? {
    guard !source.isComing, let length = source.length else { return nil }
    do throws(Fault) { return try read(source, before: length) } catch { return nil }
  }

  private static func read(_ source: any ByteSource, before length: Int64) throws(Fault) -> Tags? {
    var end = length
    if try begins("TAG", at: end - id3v1Length, source) { end -= id3v1Length }
    if let lyrics = try lyricsLength(before: end, source) { end -= lyrics }
    guard end >= Int64(footLength) else { return nil }
    let foot = try source.peek(footLength, at: end - Int64(footLength))
    guard foot.count == footLength, foot.starts(with: mark) else { return nil }
    // With the foot, without the head.
    let size = Int64(number(foot, 12))
    guard size >= Int64(footLength), size <= end else { return nil }
    var tags = Tags()
    var at = end - size
    let stop = end - Int64(footLength)
    for _ in 0..<min(Int(number(foot, 16)), mostItems) where at < stop {
      let head = try source.peek(Int(min(stop - at, Int64(8 + longestKey))), at: at)
      guard head.count > 8, let zero = head[8...].firstIndex(of: 0) else { break }
      let value = at + Int64(zero) + 1
      let count = Int64(number(head, 0))
      guard count <= stop - value else { break }
      // Two bits say that it is a text.
      if number(head, 4) >> 1 & 3 == 0, count <= Int64(longestValue) {
        add(head[8..<zero], try source.peek(Int(count), at: value), to: &tags)
      }
      at = value + count
    }
    tags.title = tags.values("TITLE").first
    tags.artist = Tags.joined(tags.values("ARTIST"))
    tags.album = tags.values("ALBUM").first
    tags.trackNumber = Tags.number(tags.values("TRACK").first)
    return tags
  }

  /// Several values of a key have zeros between them. All are UTF-8, or none of ours.
  private static func add(_ key: ArraySlice<UInt8>, _ value: [UInt8], to tags: inout Tags) {
    guard let key = String(validating: key, as: UTF8.self) else { return }
    for part in value.split(separator: 0) {
      if let text = String(validating: part, as: UTF8.self) { tags.add(key, text) }
    }
  }

  private static func begins(_ text: String, at offset: Int64, _ source: any ByteSource) throws(Fault) -> Bool {
    guard offset >= 0 else { return false }
    return try source.peek(text.utf8.count, at: offset).elementsEqual(text.utf8)
  }

  /// Words of songs may stand between the two: six digits of length, then a mark.
  private static func lyricsLength(before end: Int64, _ source: any ByteSource) throws(Fault) -> Int64? {
    guard end >= lyricsFootLength else { return nil }
    let foot = try source.peek(Int(lyricsFootLength), at: end - lyricsFootLength)
    guard foot.count == Int(lyricsFootLength), foot[6...].elementsEqual("LYRICS200".utf8) else { return nil }
    let digits = foot[..<6]
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let length = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } + lyricsFootLength
    return try begins("LYRICSBEGIN", at: end - length, source) ? length : nil
  }

  /// The smaller byte first.
  private static func number(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
  }
}
