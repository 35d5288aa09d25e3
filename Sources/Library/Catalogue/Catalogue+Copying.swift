import Runtime
import Store

/// Where files lie, for whoever takes them elsewhere.
extension Catalogue {
  package struct FilePlace: Equatable, Sendable {
    package let source: Int64
    /// The names of the folder, from the source's root.
    package let folder: [[UInt8]]
    package let name: [UInt8]
  }

  /// At most a page of them at once. Nil for what is not known any more.
  package func places(of files: some Collection<Int64>) throws(Fault) -> [FilePlace?] {
    var places: [FilePlace?] = []
    for file in files.prefix(Self.largestPage) { places.append(try place("file", file)) }
    return places
  }

  /// Of a playlist's own file.
  package func place(ofPlaylist playlist: Int64) throws(Fault) -> FilePlace? {
    try place("imported_playlist", playlist)
  }

  private func place(_ table: String, _ id: Int64) throws(Fault) -> FilePlace? {
    let connection = try opened()
    let found = try connection.first("SELECT folder, name FROM \(table) WHERE id = ?", [.integer(id)]) { row in
      row.integer(0).map { (folder: $0, name: row.bytes(1) ?? []) }
    }
    guard let found else { return nil }
    var names: [[UInt8]] = []
    var (folder, source): (Int64, Int64?) = (found.folder, nil)
    // A tree is no deeper than a path is long; a loop in damaged rows ends too.
    for _ in 0..<FilePath.limit where folder != 0 {
      let row = try connection.first("SELECT parent, name, source FROM folder WHERE id = ?", [.integer(folder)]) {
        (parent: $0.integer(0) ?? 0, name: $0.bytes(1) ?? [], source: $0.integer(2))
      }
      guard let row else { return nil }
      if !row.name.isEmpty { names.append(row.name) }
      (folder, source) = (row.parent, row.source)
    }
    return source.map { FilePlace(source: $0, folder: names.reversed(), name: found.name) }
  }
}
