/// What stands in a playlist: paths as somebody's program wrote them, and what it said of the music. Which files they
/// mean is told by `PlaylistPath`.
package struct PlaylistFile: Equatable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case m3u, m3u8, pls, cue
  }

  package struct Entry: Equatable, Sendable {
    /// As written: a file's name may have these very bytes.
    package var path: [UInt8]
    /// The same as characters, by the playlist's encoding.
    package var pathText: String
    package var title: String?
    package var artist: String?
    package var seconds: Int?
    /// Of a cue sheet's track, which is a part of its file.
    package var cue: CueTimes?
  }

  /// Of a track in a file, in 1/75 s.
  package struct CueTimes: Equatable, Sendable {
    package var number: Int
    /// Where it begins for those who choose it (INDEX 01).
    package var start: Int64
    /// Where what leads to it begins, in the file (INDEX 00).
    package var lead: Int64?
    /// Silence that is not in the file (PREGAP).
    package var pregap: Int64 = 0
    /// Where the next one of the same file begins.
    package var end: Int64?

    package static let perSecond: Int64 = 75
  }

  package var entries: [Entry] = []
  /// Of the whole list, where it says so: a cue sheet's album and whose it is.
  package var title: String?
  package var artist: String?
  /// What its texts were taken for.
  package var encoding = TextEncoding.utf8

  package static let mostEntries = 100_000
  static let longestLine = 8_192

  /// Whatever the bytes are, there is a list; it may be empty.
  package static func entries(
    of bytes: [UInt8], kind: Kind, encoding forced: TextEncoding? = nil
  ) -> PlaylistFile {
    let text = PlaylistText(bytes, kind: kind, forced: forced)
    var list = PlaylistFile()
    list.encoding = text.encoding
    switch kind {
    case .m3u, .m3u8: list.readM3U(text)
    case .pls: list.readPLS(text)
    case .cue: list.readCue(text)
    }
    return list
  }

  mutating func add(_ entry: Entry) {
    if !entry.path.isEmpty && entries.count < Self.mostEntries { entries.append(entry) }
  }
}

/// The lines of a playlist, as bytes and as characters.
struct PlaylistText {
  let encoding: TextEncoding
  private let bytes: [UInt8]

  init(_ given: [UInt8], kind: PlaylistFile.Kind, forced: TextEncoding?) {
    if given.starts(with: [0xEF, 0xBB, 0xBF]) {
      (bytes, encoding) = (Array(given.dropFirst(3)), .utf8)
    } else if given.starts(with: [0xFF, 0xFE]) || given.starts(with: [0xFE, 0xFF]) {
      (bytes, encoding) = (Self.utf8(fromWide: given), .utf8)
    } else {
      bytes = given
      encoding = forced ?? Self.guess(given)
    }
  }

  private static func guess(_ bytes: [UInt8]) -> TextEncoding {
    if String(validating: bytes, as: UTF8.self) != nil { return .utf8 }
    var guess = EncodingGuess()
    var left = 200
    for line in bytes.split(maxSplits: PlaylistFile.mostEntries, whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    where left > 0 && line.count <= PlaylistFile.longestLine && line.contains(where: { $0 >= 0x80 }) {
      guess.add(line)
      left -= 1
    }
    return guess.best
  }

  private static func utf8(fromWide bytes: [UInt8]) -> [UInt8] {
    let isLittle = bytes[0] == 0xFF
    let units = stride(from: 2, to: bytes.count - 1, by: 2).lazy.map { at in
      isLittle ? UInt16(bytes[at + 1]) << 8 | UInt16(bytes[at]) : UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
    }
    return Array(String(decoding: Array(units), as: UTF16.self).utf8)
  }

  /// Each line without the blanks around it; empty ones are left out, and those that no program writes.
  func forEachLine(_ body: (ArraySlice<UInt8>) -> Void) {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      var line = bytes[start..<end]
      while let first = line.first, first == 0x20 || first == 0x09 { line = line.dropFirst() }
      while let last = line.last, last == 0x20 || last == 0x09 || last == 0 { line = line.dropLast() }
      if !line.isEmpty && line.count <= PlaylistFile.longestLine { body(line) }
      start = end + 1
    }
  }

  func text(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    return encoding.text(bytes) ?? String(decoding: bytes, as: UTF8.self)
  }
}
