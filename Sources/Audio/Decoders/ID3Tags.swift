internal import CMPG123
import Formats
import Runtime

/// The tags of an MP3 file: version 2 where there is one, then APE's, and version 1 for what both leave open.
extension MPG123Library {
  /// A tag that stands alone, as in WAV and AIFF files: all of `bytes`. Without memory for it the music plays untagged,
  /// which is why a failure is none here.
  static func tags(_ bytes: [UInt8]) -> Tags? {
    guard ID3v2.length(bytes) > 0 else { return nil }
    guard let library = try? MPG123Library(skippingTag: false) else { return nil }  // no memory: see above
    guard mpg123_open_feed(library.handle) == MPG123_OK.rawValue,
      mpg123_feed(library.handle, bytes, bytes.count) == MPG123_OK.rawValue
    else { return nil }
    // It reads the tag on its way to the first frame, which never comes.
    _ = mpg123_decode_frame(library.handle, nil, nil, nil)
    return library.readTags()
  }

  /// What stands in the comment of that name.
  borrowing func comment(_ name: String) -> String? {
    var old: UnsafeMutablePointer<mpg123_id3v1>?
    var new: UnsafeMutablePointer<mpg123_id3v2>?
    guard mpg123_id3(handle, &old, &new) == MPG123_OK.rawValue, let new = new?.pointee else { return nil }
    for index in 0..<min(new.comments, Tags.most) {
      guard let field = new.comment_list?[index], Self.texts(field.description).first == name else { continue }
      return Self.texts(field.text).first
    }
    return nil
  }

  /// - Parameter tail: APE's, which stands at the file's end.
  borrowing func readTags(behind tail: Tags? = nil) -> Tags {
    var old: UnsafeMutablePointer<mpg123_id3v1>?
    var new: UnsafeMutablePointer<mpg123_id3v2>?
    var tags = Tags()
    guard mpg123_id3(handle, &old, &new) == MPG123_OK.rawValue else { return tail ?? tags }
    if let new = new?.pointee {
      for index in 0..<min(new.texts, Tags.most) {
        guard let field = new.text?[index] else { continue }
        for value in Self.texts(field.text) { tags.add(Self.latin(field.id), value) }
      }
      for index in 0..<min(new.extras, Tags.most) {
        guard let field = new.extra?[index], let key = Self.texts(field.description).first else { continue }
        for value in Self.texts(field.text) { tags.add("TXXX:" + key, value) }
      }
    }
    tags.title = tags.values("TIT2").first ?? tail?.title
    tags.artist = Tags.joined(tags.values("TPE1")) ?? tail?.artist
    tags.album = tags.values("TALB").first ?? tail?.album
    tags.trackNumber = Tags.number(tags.values("TRCK").first) ?? tail?.trackNumber
    for field in tail?.raw ?? [] where tags.values("TXXX:" + field.key).isEmpty { tags.add(field.key, field.value) }
    if let old = old?.pointee {
      tags.title = tags.title ?? Self.filled(old.title)
      tags.artist = tags.artist ?? Self.filled(old.artist)
      tags.album = tags.album ?? Self.filled(old.album)
      // Version 1.1 keeps the number in the last two bytes of the comment: a zero, then the number.
      let comment = withUnsafeBytes(of: old.comment) { Array($0) }
      if tags.trackNumber == nil, comment.count == 30, comment[28] == 0, comment[29] > 0 {
        tags.trackNumber = Int(comment[29])
      }
    }
    return tags
  }

  /// One field may hold several texts, with zeros between them.
  private static func texts(_ string: mpg123_string) -> [String] {
    guard let start = string.p, string.fill > 0 else { return [] }
    let bytes = UnsafeRawBufferPointer(start: start, count: min(string.fill, 16_384))
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func filled<Field>(_ field: Field) -> String? {
    let text = Tags.clean(latin(field))
    return text.isEmpty ? nil : text
  }

  /// Fixed-size fields of C, in ISO 8859-1, up to the first zero.
  private static func latin<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in
      var text = String.UnicodeScalarView()
      for byte in bytes.prefix(while: { $0 != 0 }) { text.append(Unicode.Scalar(byte)) }
      return String(text)
    }
  }
}
