import Glibc
import Runtime
import Services

/// What a depot's files said when they were read last. Never changed: a new one takes its place.
final class DepotSnapshot: Sendable {
  let index: DirectoryIndex
  /// By their ids.
  let parcels: [LicenceParcel]
  private let places: [ExactText: Int]
  let keys: [ExactText: [Depot.Track]]
  /// All that can be fetched.
  let files: [ExactText: Kind]
  let stamp: Stamp

  enum Kind: Equatable, Sendable {
    case cover
    /// A version of the track that an index calls so. Of each track the smallest is for everybody.
    case music(Quality, of: String)

    var item: String? { if case .music(_, let item) = self { item } else { nil } }

    func isFor(_ limit: Quality?) -> Bool {
      guard let limit, case .music(let quality, _) = self else { return true }
      return quality <= limit
    }
  }

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
    places = Dictionary(
      parcels.enumerated().map { (ExactText($0.element.id), $0.offset) }, uniquingKeysWith: { first, _ in first })
    keys = depot.keysByPath
    files = Self.kinds(of: index)
  }

  static func kinds(of index: DirectoryIndex) -> [ExactText: Kind] {
    var files: [ExactText: Kind] = [:]
    for item in index.items {
      if let art = item.art { files[ExactText(art.text)] = .cover }
      let versions = item.versions.sorted { $0.key < $1.key }
      for (number, version) in versions.enumerated() {
        files[ExactText(version.value.path.text)] = .music(number == 0 ? .low : version.key, of: item.id)
      }
    }
    return files
  }

  func parcels(named ids: Set<ExactText>) -> [LicenceParcel] {
    ids.compactMap { places[$0] }.sorted().map { parcels[$0] }
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
