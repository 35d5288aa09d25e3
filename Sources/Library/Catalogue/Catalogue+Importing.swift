import Runtime
import Store

/// What an import asks for every folder, many in one go: each question for itself costs the file system a lock, and the
/// two threads a wait for each other.
extension Catalogue {
  /// A folder that leads to the one where an import is.
  package struct Waypoint: Sendable {
    package let id: Int64
    /// What undeclared texts are written in there and below, where somebody said so.
    package let encoding: TextEncoding?
  }

  package struct KnownFolder: Sendable {
    package struct Entry: Sendable {
      package let name: [UInt8]
      package let known: Known
    }

    package let place: Waypoint
    /// Files and playlists, in the order of their names' bytes, as a `Listing` has them.
    package let entries: [Entry]
    /// Names of the folders in it, in the same order.
    package let folders: [[UInt8]]
  }

  /// Finds or adds the folders at these steps of a walk, and tells what is known of each. `way` leads to where the first
  /// of them lies; what leads to the last comes back, with that one.
  package func enter(
    _ steps: [Walk.Step], of source: Int64, after way: [Waypoint]
  ) throws(Fault) -> (folders: [KnownFolder], way: [Waypoint]) {
    try write { writer throws(Fault) in
      let whole = try writer.connection.first("SELECT encoding FROM source WHERE id = ?", [.integer(source)]) {
        $0.text(0)
      }
      let ofSource = whole.flatMap { TextEncoding(rawValue: $0) }
      var way = way
      var found: [KnownFolder] = []
      for step in steps {
        way.removeLast(max(way.count - step.names.count, 0))
        let parent = way.last
        let (id, encoding) = try writer.enter(step.names.last ?? [], in: parent?.id, of: source)
        let place = Waypoint(id: id, encoding: encoding ?? parent?.encoding ?? ofSource)
        way.append(place)
        found.append(
          KnownFolder(place: place, entries: try entries(in: id), folders: try names(ofFoldersIn: id, of: source)))
      }
      return (found, way)
    }
  }

  private func entries(in folder: Int64) throws(Fault) -> [KnownFolder.Entry] {
    var found: [KnownFolder.Entry] = []
    try eachKnown(in: folder) { name, known in found.append(.init(name: name, known: known)) }
    // Files come in the order of their index; playlists are few.
    found.sort { $0.name.lexicographicallyPrecedes($1.name) }
    return found
  }

  private func names(ofFoldersIn parent: Int64, of source: Int64) throws(Fault) -> [[UInt8]] {
    try opened().rows(
      "SELECT name FROM folder WHERE parent = ? AND source = ? ORDER BY name", [.integer(parent), .integer(source)]
    ) { $0.bytes(0) ?? [] }
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
