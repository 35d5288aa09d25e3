import Runtime

/// The chapters that an ID3v2 tag at the beginning of a file tells of (frames `CHAP`), for its decoder: libmpg123 does not
/// read them. Pictures and all other frames are passed over unread.
package enum ID3v2Chapters {
  private static let mostFrames = 4_000
  /// How many bytes of a `CHAP` frame are read: the title stands near its beginning, and a picture may follow.
  private static let longestFrame = 4_096
  private static let longestTag: Int64 = 64 << 20

  /// Empty when there is no tag or it cannot be read: the music then plays without chapters.
  package static func read(_ source: any ByteSource, tagLength: Int64) -> [Chapter] {
    guard tagLength > Int64(ID3v2Tag.headLength), tagLength <= longestTag else { return [] }
    do throws(Fault) { return try read(SourceBytes(source), end: tagLength) } catch { return [] }
  }

  private static func read(_ bytes: SourceBytes, end: Int64) throws(Fault) -> [Chapter] {
    let head = try bytes.piece(at: 0, count: ID3v2Tag.headLength)
    let version = head[3]
    // Only these know chapters. With zeros put in between (a bit of 2.3) lengths do not lead from frame to frame.
    guard head.begins("ID3"), version == 4 || version == 3 && head[5] & 0x80 == 0 else { return [] }
    var at = Int64(ID3v2Tag.headLength)
    if head[5] & 0x40 != 0 {
      let more = try bytes.piece(at: at, count: 4)
      at += version == 4 ? Int64(more.syncSafe(0)) : Int64(more.big32(0)) + 4
    }
    var found: [Chapter] = []
    for _ in 0..<mostFrames {
      guard at + 10 <= end, found.count < Chapter.most else { break }
      let frame = try bytes.piece(at: at, count: 10)
      let (isChapter, length) = (frame.begins("CHAP"), self.length(of: frame, version))
      guard frame.count == 10, frame[0] != 0, length >= 0 else { break }
      if isChapter {
        let inside = try bytes.piece(at: at + 10, count: Int(min(length, Int64(longestFrame), end - at - 10)))
        if let chapter = chapter(inside, version) { found.append(chapter) }
      }
      at += 10 + length
    }
    return Chapter.inOrder(found)
  }

  private static func length(of head: Piece, _ version: UInt8) -> Int64 {
    let isSafe = version == 4 && (4..<8).allSatisfy { head[$0] < 0x80 }
    return isSafe ? Int64(head.syncSafe(4)) : Int64(head.big32(4))
  }

  /// A name for programs and its end, four numbers, of which the first is where it begins in milliseconds, and frames.
  private static func chapter(_ inside: Piece, _ version: UInt8) -> Chapter? {
    guard let nameEnd = inside.first(0), inside.count >= nameEnd + 17 else { return nil }
    let begins = inside.big32(nameEnd + 1)
    // It is told in bytes instead, which says nothing without knowing how long each frame of sound is.
    guard begins != .max else { return nil }
    var title = ""
    var at = nameEnd + 17
    while at + 11 <= inside.count {
      let frame = inside.part(at, 10)
      let length = length(of: frame, version)
      guard length > 0, frame[0] != 0 else { break }
      if frame.begins("TIT2") {
        title = text(inside.part(at + 10, Int(min(length, Int64(inside.count)))))
        break
      }
      at += 10 + Int(min(length, Int64(inside.count)))
    }
    return Chapter(at: .milliseconds(Int64(begins)), title: title)
  }

  /// A byte that says how it is written, and the text.
  private static func text(_ piece: Piece) -> String {
    let bytes = piece.from(1).buffer
    let text: String
    switch piece[0] {
    case 1, 2:
      let isLittle = bytes.count > 1 && bytes[0] == 0xFF && bytes[1] == 0xFE
      var units: [UInt16] = []
      for at in stride(from: 0, to: bytes.count - bytes.count % 2, by: 2) {
        let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
        units.append(isLittle ? second << 8 | first : first << 8 | second)
      }
      text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    case 3: text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    default:
      let plain = bytes.prefix { $0 != 0 }
      // Many write UTF-8 and say otherwise.
      text = String(validating: plain, as: UTF8.self) ?? String(decoding: plain.map { UInt16($0) }, as: UTF16.self)
    }
    return Tags.clean(text)
  }
}
