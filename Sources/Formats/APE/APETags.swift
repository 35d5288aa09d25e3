import Runtime

/// What an MP3 file's APE tag says, for its decoder: what is measured of loudness often stands there and nowhere else,
/// and libmpg123 does not read it. All keys are kept, and texts that are not UTF-8 are left out.
package enum APETags {
  /// In bytes. A longer value is a picture, or a text that nobody reads.
  private static let longestValue = 16_384

  /// Nil where there is no tag, where a stream has not come to its end, and where the tag cannot be read: the music plays
  /// without it.
  package static func read(_ source: any ByteSource) -> Tags? {
    guard !source.isComing, let length = source.length else { return nil }
    do throws(Fault) { return try read(SourceBytes(source), before: length) } catch { return nil }
  }

  private static func read(_ bytes: SourceBytes, before length: Int64) throws(Fault) -> Tags? {
    var end = length
    if try bytes.piece(at: end - FileReading.id3v1Length, count: 3).begins("TAG") { end -= FileReading.id3v1Length }
    end -= try LyricsTag.length(before: end, in: bytes)
    guard var tag = try APETag(before: end, in: bytes) else { return nil }
    var tags = Tags()
    while let item = try tag.next(in: bytes) {
      guard item.kind == .text, item.value.count <= longestValue,
        let key = String(validating: item.key.buffer, as: UTF8.self)
      else { continue }
      // Several values of a key have zeros between them.
      let value = try bytes.piece(at: item.value.lowerBound, count: item.value.count)
      for part in value.buffer.split(separator: 0) {
        if let text = String(validating: part, as: UTF8.self) { tags.add(key, text) }
      }
    }
    tags.title = tags.values("TITLE").first
    tags.artist = Tags.joined(tags.values("ARTIST"))
    tags.album = tags.values("ALBUM").first
    tags.trackNumber = Tags.number(tags.values("TRACK").first)
    return tags
  }
}
