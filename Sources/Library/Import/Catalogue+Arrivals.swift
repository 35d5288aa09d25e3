import Glibc
import Runtime

/// A file of a source that is handed over when it is whole and under its name, in a folder at the source's top.
package struct Arrival: Equatable, Sendable {
  package var folder: [UInt8]
  package var name: [UInt8]
  /// What its source says of it.
  package var facts: IndexFacts

  package init(_ path: FilePath, _ facts: IndexFacts) {
    (folder, name, self.facts) = (path.folder.name.bytes, path.name.bytes, facts)
  }
}

extension Catalogue {
  /// Reads this one file and stores it, called as its source says. Nothing is listed, and no other file is looked at. When
  /// this returns, the file can be found. A file that had the same name with another ending was an older version, and is
  /// forgotten.
  ///
  /// On the library's own thread: a few reads of a file that was just written, so that no import holds it up.
  func take(
    _ arrival: Arrival, of source: Int64, root: FilePath, today: Int64, from disk: any ImportDisk
  ) async throws(Fault) {
    let path = Importer.path(Importer.path(root, arrival.folder), arrival.name)
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else { throw Fault.system("L-414", doing: "find \(path)") }
    try disk.checkRoom(at: self.folder)
    let steps = [Walk.Step(names: []), Walk.Step(names: [arrival.folder])]
    guard let known = try enter(steps, of: source, after: []).folders.last else { return }
    let facts = FileFacts(
      folder: known.place.id, name: arrival.name, size: Int64(status.st_size),
      modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
    var found = FileReader(disk).read(.init(path: path, facts: facts, encoding: known.place.encoding)).found
    if case .music(var metadata, let key) = found.outcome {
      metadata.take(arrival.facts)
      found = Found(found.facts, .music(metadata, key))
    }
    try store([found], today: today)
    let names = Set(known.entries.map(\.name) + [arrival.name])
    let stays = names.filter { $0 == arrival.name || $0.withoutFileEnding != arrival.name.withoutFileEnding }
    if stays.count < names.count { try await keepOnly(stays.union(known.folders), in: known.place.id) }
  }
}
