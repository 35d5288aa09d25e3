import Runtime

/// What a server's folder holds, as its file `layby-index.json` says: made by `layby index`, read by whoever fetches
/// from there. A value: the file is foreign, and what of it is taken is bounded and leads nowhere but into the folder.
package struct DirectoryIndex: Equatable, Sendable {
  package struct File: Equatable, Sendable {
    package var path: FolderPath
    package var size: Int64
    /// SHA-256, in small letters.
    package var hash: String

    package init(path: FolderPath, size: Int64, hash: String) {
      (self.path, self.size, self.hash) = (path, size, hash)
    }
  }

  package struct Item: Equatable, Sendable {
    package var file: File
    package var quality = Quality.lossless
    /// The same music, smaller.
    package var variants: [Quality: File] = [:]
    package var title: String?
    package var artist: String?
    package var album: String?
    package var albumArtist: String?
    package var disc: Int?
    package var track: Int?
    package var length: Duration?
    package var art: FolderPath?

    package init(_ file: File) { self.file = file }

    package var id: String { file.path.text }

    /// The best that is not better than is wanted; the smallest when all are.
    package func file(at wanted: Quality) -> File {
      var all = variants
      all[quality] = file
      let best = all.keys.filter { $0 <= wanted }.max() ?? all.keys.min()
      return best.flatMap { all[$0] } ?? file
    }

    /// Nil without an album: single files of a folder are none together.
    package var albumID: String? {
      guard let album else { return nil }
      return FolderPath.encode(albumArtist ?? artist ?? "") + "/" + FolderPath.encode(album)
    }

    package var artistID: String? { albumArtist ?? artist }
  }

  package struct List: Equatable, Sendable {
    package var name: String
    /// By their paths.
    package var items: [String]

    package init(name: String, items: [String]) { (self.name, self.items) = (name, items) }
  }

  package static let fileName = "layby-index.json"
  package static let version: Int64 = 1

  package static let longestFile = 16 << 20
  package static let mostItems = 20_000
  package static let mostLists = 1_000
  /// Of all lists together.
  package static let mostListed = 100_000
  /// An item with all that can be said of it, smaller ones of every quality too, has 30; a list three, and its entries.
  static let mostValues = 30 * mostItems + 3 * mostLists + mostListed + 6
  package static let longestText = 500
  package static let largestFile: Int64 = 1 << 40
  package static let longestItem: Int64 = 7 * 86_400

  package var name: String
  package var items: [Item] = []
  package var lists: [List] = []

  package init(name: String) { self.name = name }
}

extension DirectoryIndex {
  /// In the order of the index; an album's by disc and track.
  package func items(of container: ContainerID) -> [Item]? {
    let found: [Item]
    switch container.kind {
    case .track: found = items.filter { ContainerID(.track, $0.id) == container }
    case .artist: found = items.filter { $0.artistID == container.id }
    case .album:
      let album = items.enumerated().filter { $0.element.albumID == container.id }
      let sorted = album.sorted { left, right in
        let (one, two) = (left.element, right.element)
        return (one.disc ?? 1, one.track ?? .max, left.offset) < (two.disc ?? 1, two.track ?? .max, right.offset)
      }
      found = sorted.map { $0.element }
    case .playlist:
      guard let list = lists.first(where: { ContainerID(.playlist, $0.name) == container }) else { return nil }
      var known: [ExactText: Item] = [:]
      for item in items { known[ExactText(item.id)] = item }
      return list.items.compactMap { known[ExactText($0)] }
    }
    return found.isEmpty ? nil : found
  }

  package func item(_ id: String) -> Item? {
    let id = ExactText(id)
    return items.first { ExactText($0.id) == id }
  }

  /// What this is otherwise than `old`.
  package func changes(since old: DirectoryIndex, token: String?) -> MediaChanges {
    var changes = MediaChanges(token: token)
    var before: [ExactText: Item] = [:]
    for item in old.items { before[ExactText(item.id)] = item }
    for item in items {
      let known = before.removeValue(forKey: ExactText(item.id))
      if known != item { changes.changed.insert(ExactText(item.id)) }
    }
    changes.removed = Set(before.keys)
    let (was, now) = (old.members, members)
    for (container, items) in now where was[container] != items { changes.containers.insert(container) }
    for container in was.keys where now[container] == nil { changes.containers.insert(container) }
    return changes
  }

  private var members: [ContainerID: [String]] {
    var members: [ContainerID: [String]] = [:]
    for item in items {
      if let album = item.albumID { members[ContainerID(.album, album), default: []].append(item.id) }
      if let artist = item.artistID { members[ContainerID(.artist, artist), default: []].append(item.id) }
    }
    for list in lists { members[ContainerID(.playlist, list.name)] = list.items }
    return members
  }
}
