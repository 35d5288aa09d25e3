/// The tags of FLAC, Vorbis and Opus: `KEY=value` in UTF-8, several of one key where there are several artists.
/// The decoders' libraries have found them already on their way to the sound. The library of music (`TagTexts`) finds them
/// itself, because it starts no decoder and wants to know where pictures lie.
package struct VorbisComments {
  package private(set) var tags = Tags()
  private var chapters = ChapterComments()

  /// How many comments of a file are looked at: two for each chapter, and `Tags.most` others.
  package static let most = Tags.most + 2 * Chapter.most

  /// A text of the size of a picture is a picture.
  private static let longest = 16_384
  /// A key has at most so many bytes, all of them ASCII without control characters, as the standard has it.
  private static let longestKey = 64
  private static let pictures = ["METADATA_BLOCK_PICTURE", "COVERART"]

  package mutating func add(_ bytes: UnsafePointer<UInt8>, length: Int) {
    let text = UnsafeBufferPointer(start: bytes, count: max(0, min(length, Self.longest)))
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return }
    // What has no place any more is not even read.
    if tags.raw.count >= Tags.most, !ChapterComments.isKey(text[..<equals]) { return }
    add(key: text[..<equals], value: String(decoding: text[(equals + 1)...], as: UTF8.self))
  }

  package mutating func add(key: String, value: String) { add(key: key.utf8, value: value) }

  /// A foreign text becomes a `String` that is compared only once it is known to be a short one.
  private mutating func add(key bytes: some Collection<UInt8>, value: String) {
    guard bytes.count <= Self.longestKey, bytes.allSatisfy({ (0x20...0x7D).contains($0) }) else { return }
    let key = String(decoding: bytes, as: UTF8.self).uppercased()
    if Self.pictures.contains(key) || chapters.add(key, value) { return }
    tags.add(key, value)
  }

  /// As libvorbis and libopusfile keep them.
  package init(
    texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, lengths: UnsafeMutablePointer<Int32>?, count: Int32
  ) {
    guard let texts, let lengths else { return }
    for index in 0..<max(0, min(Int(count), Self.most)) {
      guard let text = texts[index], lengths[index] > 0 else { continue }
      let length = Int(lengths[index])
      text.withMemoryRebound(to: UInt8.self, capacity: length) { add($0, length: length) }
    }
    nameFields()
  }

  package init() {}

  /// After the last `add`.
  package mutating func nameFields() {
    tags.title = tags.values("TITLE").first
    tags.artist = Tags.joined(tags.values("ARTIST"))
    tags.album = tags.values("ALBUM").first
    tags.trackNumber = Tags.number(tags.values("TRACKNUMBER").first)
    tags.chapters = chapters.chapters
  }
}

extension Tags {
  /// Several artists are one line.
  package static func joined(_ values: [String]) -> String? {
    values.isEmpty ? nil : clean(values.joined(separator: "; "))
  }
}
