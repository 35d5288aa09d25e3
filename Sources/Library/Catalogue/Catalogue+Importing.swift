import Runtime
import Store

/// What an import asks for every folder, in one go.
extension Catalogue {
  package struct KnownFolder: Sendable {
    package let id: Int64
    package let entries: [[UInt8]: Known]
    /// Of all that is known in it, folders too.
    package let names: Set<[UInt8]>
    /// What its undeclared texts are written in, where somebody said so.
    package let encoding: TextEncoding?
  }

  /// Finds or adds a folder, and tells what is known of it.
  package func enter(_ name: [UInt8], in parent: Int64?, of source: Int64) throws(Fault) -> KnownFolder {
    let id = try folder(name, in: parent, of: source)
    let entries = try known(in: id)
    let names = Set(entries.keys).union(try folders(in: id).keys)
    return KnownFolder(id: id, entries: entries, names: names, encoding: try encoding(of: id))
  }

  /// Files of music that are known in a source.
  package func count(ofSource source: Int64) throws(Fault) -> Int {
    let count = try opened().first(
      "SELECT count(*) FROM file JOIN folder ON folder.id = file.folder WHERE folder.source = ?", [.integer(source)]
    ) { $0.integer(0) }
    return Int(count ?? 0)
  }

  package func files(at paths: [FilePath?]) throws(Fault) -> [Int64?] {
    var found: [Int64?] = []
    for path in paths { found.append(try path.flatMap { path throws(Fault) in try file(at: path) }) }
    return found
  }

  /// Where the playlists of a source lead is to be looked up again.
  package func doubtPlaylists(ofSource source: Int64) throws(Fault) {
    try opened().run(
      """
      UPDATE imported_playlist SET size = -1 WHERE folder IN (SELECT id FROM folder WHERE source = ?)
      """, [.integer(source)])
  }
}
