import Formats

/// M3U: a path a line; `#EXTINF:seconds,text` before it says what it is.
extension PlaylistFile {
  mutating func readM3U(_ text: PlaylistText) {
    var title: String?
    var artist: String?
    var seconds: Int?
    var found: [Entry] = []
    text.forEachLine { line in
      if line.first == UInt8(ascii: "#") {
        guard let rest = Self.after("#EXTINF:", in: line) else { return }
        let comma = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        seconds = Self.number(rest[..<comma])
        (artist, title) = Self.parts(Tags.clean(text.text(rest[comma...].dropFirst())))
        return
      }
      guard found.count < Self.mostEntries else { return }
      found.append(Entry(path: Array(line), pathText: text.text(line), title: title, artist: artist, seconds: seconds))
      (title, artist, seconds) = (nil, nil, nil)
    }
    entries = found
  }

  /// PLS: `File1=`, `Title1=`, `Length1=` in whatever order.
  mutating func readPLS(_ text: PlaylistText) {
    var found: [Int: Entry] = [:]
    text.forEachLine { line in
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return }
      let value = line[(equals + 1)...]
      for (name, key) in Self.plsKeys {
        guard let digits = Self.after(name, in: line[..<equals]), let number = Self.number(digits),
          found[number] != nil || found.count < Self.mostEntries
        else { continue }
        var entry = found[number] ?? Entry(path: [], pathText: "")
        switch key {
        case .file: (entry.path, entry.pathText) = (Array(value), text.text(value))
        case .title: (entry.artist, entry.title) = Self.parts(Tags.clean(text.text(value)))
        case .length: entry.seconds = Self.number(value)
        }
        found[number] = entry
      }
    }
    for (_, entry) in found.sorted(by: { $0.key < $1.key }) { add(entry) }
  }

  private enum PLSKey {
    case file, title, length
  }

  private static let plsKeys: [(StaticString, PLSKey)] = [("FILE", .file), ("TITLE", .title), ("LENGTH", .length)]

  /// "Artist - Title", as nearly all programs write it.
  private static func parts(_ text: String) -> (artist: String?, title: String?) {
    if text.isEmpty { return (nil, nil) }
    let scalars = text.unicodeScalars
    var at = scalars.startIndex
    while at < scalars.endIndex {
      if scalars[at...].starts(with: " - ".unicodeScalars) {
        let artist = String(scalars[..<at])
        let title = String(scalars[scalars.index(at, offsetBy: 3)...])
        return artist.isEmpty || title.isEmpty ? (nil, text) : (artist, title)
      }
      at = scalars.index(after: at)
    }
    return (nil, text)
  }

  /// What stands behind `name`, in whatever case it is written; `name` is in upper case.
  static func after(_ name: StaticString, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let length = name.utf8CodeUnitCount
    guard line.count >= length else { return nil }
    for (index, byte) in line.prefix(length).enumerated() {
      let upper = byte >= 0x61 && byte <= 0x7A ? byte & 0xDF : byte
      if upper != name.utf8Start[index] { return nil }
    }
    return line.dropFirst(length)
  }

  /// Nil for -1, which says that nobody knows, and for what is none.
  static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    var digits = 0
    for byte in bytes {
      guard byte >= 0x30, byte <= 0x39, digits < 9 else { break }
      value = value * 10 + Int(byte - 0x30)
      digits += 1
    }
    return digits > 0 ? value : nil
  }
}
