import Runtime

/// Which file a playlist means. Lists come from other computers: with backslashes and letters for drives, with the
/// path of another place where the stick was, in other cases and other ways of writing an accent.
package enum PlaylistPath {
  /// The names of one folder, ready to be looked up.
  package struct Names: Sendable {
    private var first: [String: FilePath] = [:]
    /// Others that look the same; mostly there are none.
    private var more: [String: [FilePath]] = [:]

    package init(_ names: [FilePath]) {
      for name in names {
        let key = Self.key(name.bytes)
        if first[key] == nil { first[key] = name } else { more[key, default: []].append(name) }
      }
    }

    /// That look different.
    var count: Int { first.count }

    /// Strings that look the same are equal, however their accents are written.
    private static func key(_ bytes: some Collection<UInt8>) -> String {
      String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// The one that is called exactly so comes first.
    func matches(_ wanted: [UInt8]) -> [FilePath] {
      let key = Self.key(wanted)
      guard let first = first[key] else { return [] }
      let all = [first] + (more[key] ?? [])
      guard let same = all.firstIndex(where: { $0.bytes == wanted }), same > 0 else { return all }
      return [all[same]] + all[..<same] + all[(same + 1)...]
    }
  }

  private static let deepest = 64
  /// Folders that differ only in their case may each hold the file.
  private static let widest = 8

  /// The file's path, or nil when there is none. Nothing outside of `root` is ever found.
  /// - Parameters:
  ///   - text: `written` in the playlist's encoding, for names that are UTF-8 where the list is not.
  ///   - folder: where the playlist lies, from the root on; empty for the root itself.
  ///   - isConverted: where there is no such file, one of the same name in another format is meant: cue sheets say
  ///     "Album.wav" of what became Album.flac.
  ///   - names: what lies in a folder, given from the root on; nil when it is none.
  package static func resolve(
    _ written: [UInt8], text: String? = nil, beside folder: [FilePath], root: FilePath, isConverted: Bool = false,
    names: ([FilePath]) -> Names?
  ) -> FilePath? {
    let plain = forms(of: written) + (text.map { forms(of: Array($0.utf8)) } ?? [])
    let others = isConverted ? formats.flatMap { ending in plain.compactMap { converted($0, to: ending) } } : []
    var tried: Set<[UInt8]> = []
    for form in plain + others where tried.insert(form).inserted {
      guard let found = find(form, beside: folder, root: root, names) else { continue }
      var path = root
      for name in found {
        path = FilePath(bytes: path.bytes + (path.bytes.last == slash ? [] : [slash]) + name.bytes) ?? path
      }
      return path.bytes.count <= FilePath.limit ? path : nil
    }
    return nil
  }

  private static let slash = UInt8(ascii: "/")

  /// As it stands, and as it may be meant: a URL is one thing only, all else may be a name with signs in it.
  private static func forms(of written: [UInt8]) -> [[UInt8]] {
    guard !written.contains(0), written.count <= 3 * FilePath.limit else { return [] }
    if let rest = PlaylistFile.after("FILE:", in: written[...]) { return [unescaped(local(rest))] }
    if isAddress(written) { return [] }
    var forms = [written]
    let isWindows = written.contains(UInt8(ascii: "\\"))
    if isWindows { forms.append(written.map { $0 == UInt8(ascii: "\\") ? slash : $0 }) }
    if written.contains(UInt8(ascii: "%")) { forms += forms.map { unescaped($0[...]) } }
    return forms
  }

  /// What becomes of a WAV file, those first that are the same to the sample.
  private static let formats = [
    "flac", "ape", "wv", "tta", "tak", "wav", "aiff", "aif", "m4a", "mp3", "opus", "ogg", "mpc", "wma", "aac",
  ]

  /// With another ending; nil for what has none.
  private static func converted(_ form: [UInt8], to ending: String) -> [UInt8]? {
    let name = form.lastIndex(of: slash).map { $0 + 1 } ?? 0
    guard let dot = form[name...].lastIndex(of: UInt8(ascii: ".")), dot > name else { return nil }
    return Array(form[...dot]) + Array(ending.utf8)
  }

  /// "file:///a", "file://host/a" and "file:/a" are all "/a".
  private static func local(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard rest.starts(with: [slash, slash]) else { return rest }
    let path = rest.dropFirst(2)
    return path.firstIndex(of: slash).map { path[$0...] } ?? []
  }

  /// Letters and "://": what is played from a network is no file.
  private static func isAddress(_ written: [UInt8]) -> Bool {
    let name = written.prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
    return name.count > 1 && written.dropFirst(name.count).starts(with: "://".utf8)
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    func digit(_ at: Int) -> UInt8? {
      guard at < bytes.endIndex else { return nil }
      switch bytes[at] {
      case 0x30...0x39: return bytes[at] - 0x30
      case 0x41...0x46: return bytes[at] - 0x41 + 10
      case 0x61...0x66: return bytes[at] - 0x61 + 10
      default: return nil
      }
    }
    var plain: [UInt8] = []
    var at = bytes.startIndex
    while at < bytes.endIndex {
      if bytes[at] == UInt8(ascii: "%"), let high = digit(at + 1), let low = digit(at + 2), high << 4 | low != 0 {
        plain.append(high << 4 | low)
        at += 3
      } else {
        plain.append(bytes[at])
        at += 1
      }
    }
    return plain
  }

  private static func find(
    _ form: [UInt8], beside folder: [FilePath], root: FilePath, _ names: ([FilePath]) -> Names?
  ) -> [FilePath]? {
    var path = form[...]
    // "C:", also behind a URL's slash.
    let drive = path.first == slash ? path.dropFirst() : path
    let hasDrive =
      drive.count > 1 && drive.dropFirst().first == UInt8(ascii: ":") && ((drive.first ?? 0) | 0x20) >= 0x61
    if hasDrive { path = drive.dropFirst(2) }
    var parts = path.split(separator: slash).filter { $0 != [0x2E] }.map(Array.init)
    guard !parts.isEmpty, parts.count <= deepest else { return nil }
    if !hasDrive && form.first != slash {
      return search(parts, from: folder, names)
    }
    // Below the root as it is now, then below whatever it was when the list was written: the longest end that fits.
    let rootParts = root.bytes.split(separator: slash).map(Array.init)
    if parts.starts(with: rootParts), let found = search(Array(parts.dropFirst(rootParts.count)), from: [], names) {
      return found
    }
    while !parts.isEmpty {
      if let found = search(parts, from: [], names) ?? search(parts, from: folder, names) { return found }
      parts.removeFirst()
    }
    return nil
  }

  /// Down from `folder`, name by name. ".." leads up, but not out.
  private static func search(
    _ parts: [[UInt8]], from folder: [FilePath], _ names: ([FilePath]) -> Names?
  ) -> [FilePath]? {
    guard let last = parts.last, last != [0x2E, 0x2E] else { return nil }
    var places = [folder]
    for part in parts {
      var next: [[FilePath]] = []
      for place in places {
        if part == [0x2E, 0x2E] {
          if !place.isEmpty { next.append(place.dropLast()) }
        } else if let names = names(place) {
          for name in names.matches(part) where next.count < widest { next.append(place + [name]) }
        }
      }
      if next.isEmpty { return nil }
      places = next
    }
    return places.first
  }
}
