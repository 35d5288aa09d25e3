import Glibc
import Runtime
import Services

/// What a depot's files said when they were read last. Never changed: a new one takes its place.
final class DepotSnapshot: Sendable {
  let index: DirectoryIndex
  /// By their ids.
  let parcels: [LicenceParcel]
  let keys: [ExactText: [Depot.Track]]
  /// All that can be fetched; true for covers.
  let files: [ExactText: Bool]
  let stamp: Stamp

  /// Which files these were.
  struct Stamp: Equatable, Sendable {
    private let facts: [Int64]

    init(_ depot: Depot) {
      facts = [depot.indexFile, depot.catalogueFile].flatMap { path -> [Int64] in
        var found = stat()
        guard path.withCString({ stat($0, &found) }) == 0 else { return [0] }
        return [
          Int64(found.st_ino), Int64(found.st_size), Int64(found.st_mtim.tv_sec), Int64(found.st_mtim.tv_nsec),
        ]
      }
    }

    var text: String { facts.map { "\($0)" }.joined(separator: "-") }
  }

  /// A depot into which nothing was imported yet has an empty one.
  init(_ depot: Depot) throws(Fault) {
    stamp = Stamp(depot)
    let isThere = depot.indexFile.withCString { access($0, F_OK) } == 0
    index = isThere ? try depot.index() : DirectoryIndex(name: "depot")
    parcels = LicenceParcel.all(of: index).sorted { ExactText($0.id) < ExactText($1.id) }
    keys = depot.keysByPath
    var files: [ExactText: Bool] = [:]
    for item in index.items {
      if let art = item.art { files[ExactText(art.text)] = true }
      for file in [item.file] + item.variants.values { files[ExactText(file.path.text)] = false }
    }
    self.files = files
  }

  /// As the database has them.
  func entries() throws(Fault) -> [CatalogueTable.Entry] {
    let limits = JSON.Limits(depth: 6, size: DirectoryIndex.longestFile, values: 1_000_000)
    // The index writes an item a line, and so does the list of them.
    let written = try JSON(parsing: index.fileBytes, limits: limits)
    let items = written["items"]?.items ?? []
    return zip(index.items, items).map { item, json in
      CatalogueTable.Entry(
        path: item.id, text: json.description, title: item.title ?? item.id, artist: item.artist ?? "",
        album: item.album ?? "")
    }
  }
}
