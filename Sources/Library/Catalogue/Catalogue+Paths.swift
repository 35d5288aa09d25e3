import Formats
import Runtime
import Store

/// From paths to files and back.
extension Catalogue {
  /// The file that has this path, of a source that is present before one that is away: what plays while its stick is
  /// pulled is still asked for.
  package func file(at path: FilePath) throws(Fault) -> Int64? {
    let connection = try opened()
    let sources = try sources()
    for source in sources.filter(\.isPresent) + sources.filter({ !$0.isPresent }) {
      guard let parts = Self.parts(of: path, below: source.root), let name = parts.last else { continue }
      let folder = try folder(parts.dropLast(), below: source.id)
      guard let folder else { continue }
      let file = try connection.first(
        "SELECT id FROM file WHERE folder = ? AND name = ?", [.integer(folder), .blob(Array(name))]
      ) { $0.integer(0) }
      if let file { return file }
    }
    return nil
  }

  /// The folder of a source that is present and has this path.
  package func folder(at path: FilePath) throws(Fault) -> Int64? {
    for source in try sources() where source.isPresent {
      let parts = path == source.root ? [] : Self.parts(of: path, below: source.root)
      guard let parts else { continue }
      if let folder = try folder(parts[...], below: source.id) { return folder }
    }
    return nil
  }

  private func folder(_ names: ArraySlice<ArraySlice<UInt8>>, below source: Int64) throws(Fault) -> Int64? {
    let connection = try opened()
    var folder = try connection.first("SELECT id FROM folder WHERE parent = 0 AND source = ?", [.integer(source)]) {
      $0.integer(0)
    }
    for name in names {
      guard let parent = folder else { break }
      folder = try connection.first(
        "SELECT id FROM folder WHERE parent = ? AND source = ? AND name = ?",
        [.integer(parent), .integer(source), .blob(Array(name))]
      ) { $0.integer(0) }
    }
    return folder
  }

  /// Names from a root down; nil when the path does not lead below it.
  private static func parts(of path: FilePath, below root: FilePath) -> [ArraySlice<UInt8>]? {
    let slash = UInt8(ascii: "/")
    var start = root.bytes
    if start.last != slash { start.append(slash) }
    guard path.bytes.starts(with: start) else { return nil }
    return path.bytes[start.count...].split(separator: slash)
  }

  /// Where a file lies, or lay when its source was last there.
  package func path(of file: Int64) throws(Fault) -> FilePath? {
    let connection = try opened()
    let place = try connection.first("SELECT folder, name FROM file WHERE id = ?", [.integer(file)]) { row in
      row.integer(0).map { (folder: $0, name: row.bytes(1) ?? []) }
    }
    return try place.flatMap { place throws(Fault) in try path(ofFolder: place.folder, file: [place.name]) }
  }

  /// Where a folder lies, or lay when its source was last there.
  package func path(ofFolder folder: Int64) throws(Fault) -> FilePath? { try path(ofFolder: folder, file: []) }

  private func path(ofFolder folder: Int64, file: [[UInt8]]) throws(Fault) -> FilePath? {
    let connection = try opened()
    var names = file
    var (folder, root): (Int64, FilePath?) = (folder, nil)
    for _ in 0..<FilePath.limit where folder != 0 {
      let found = try connection.first(
        "SELECT parent, name, root FROM folder JOIN source ON source.id = source WHERE folder.id = ?",
        [.integer(folder)]
      ) { (parent: $0.integer(0) ?? 0, name: $0.bytes(1) ?? [], root: $0.path(2)) }
      guard let found else { return nil }
      if !found.name.isEmpty { names.append(found.name) }
      (folder, root) = (found.parent, found.root)
    }
    guard var bytes = root?.bytes else { return nil }
    if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    for name in names.reversed() { bytes += [UInt8(ascii: "/")] + name }
    return FilePath(bytes: bytes)
  }

  /// Which recording lies at a path: what history and playlists know it by.
  package func key(at path: FilePath) throws(Fault) -> ContentKey? {
    guard let file = try file(at: path) else { return nil }
    return try opened().first(
      "SELECT key FROM file JOIN recording ON recording.id = recording WHERE file.id = ?", [.integer(file)]
    ) { $0.bytes(0).flatMap { ContentKey(bytes: $0) } }
  }

  /// A file of a recording: one that is there before one that is not.
  package func file(of key: ContentKey, likely path: FilePath? = nil) throws(Fault) -> (id: Int64, isPresent: Bool)? {
    let all = try opened().rows(
      """
      SELECT file.id, source.is_present FROM recording JOIN file ON file.recording = recording.id
        JOIN folder ON folder.id = file.folder JOIN source ON source.id = folder.source
      WHERE recording.key = ? ORDER BY source.is_present DESC, file.id LIMIT \(Self.mostCopies)
      """, [SQLValue(key)]
    ) { row in (id: row.integer(0) ?? 0, isPresent: row.integer(1) == 1) }
    guard let path, all.count > 1 else { return all.first }
    for one in all where one.isPresent == all[0].isPresent {
      if try self.path(of: one.id) == path { return one }
    }
    return all.first
  }

  /// Of one recording; more are as good as any.
  private static let mostCopies = 16

  /// Where a file's embedded pictures lie.
  package func art(of file: Int64) throws(Fault) -> [ArtPlace] {
    try opened().first("SELECT art FROM file WHERE id = ?", [.integer(file)]) { ArtPlaces.places($0.text(0)) } ?? []
  }

  /// What a player shows of it, when the file is still the one that was read.
  func track(of file: Int64, at path: FilePath, _ size: Int64, _ modified: Int64) throws(Fault) -> Track? {
    let connection = try opened()
    var artists: [Int64] = []
    let found = try connection.first(
      """
      SELECT f.title, f.artists, a.title, f.place, f.frames, f.sample_rate, f.bits FROM file f
        LEFT JOIN album a ON a.id = f.album
      WHERE f.id = ? AND f.size = ? AND f.modified_ns = ? AND f.kind IS NOT NULL
      """, [.integer(file), .integer(size), .integer(modified)]
    ) { row -> Track? in
      var info = Track(named: path)
      info.isCatalogued = true
      info.title = row.text(0) ?? info.title
      artists = Words.ids(row.text(1))
      info.album = row.text(2) ?? ""
      let number = Int((row.integer(3) ?? 0) & 0xF_FFFF)
      info.number = number > 0 ? number : nil
      info.frames = row.integer(4)
      info.rate = row.integer(5).flatMap { Int32(exactly: $0) } ?? 0
      info.bits = row.integer(6).flatMap { Int32(exactly: $0) } ?? 0
      return info
    }
    guard var found else { return nil }
    found.artist = try names(ofArtists: artists)
    return found
  }

  func names(ofArtists ids: [Int64]) throws(Fault) -> String {
    let connection = try opened()
    var names: [String] = []
    for id in ids {
      if let name = try connection.first("SELECT name FROM artist WHERE id = ?", [.integer(id)], { $0.text(0) }) {
        names.append(name)
      }
    }
    return names.joined(separator: ", ")
  }
}
