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
    /// The best that whoever asked for the index may have.
    package var limit: Quality?

    package init(_ file: File) { self.file = file }

    package var id: String { file.path.text }

    /// The best that is not better than is wanted; the smallest when all are.
    package func file(at wanted: Quality) -> File {
      let all = versions
      let best = all.keys.filter { $0 <= wanted }.max() ?? all.keys.min()
      return best.flatMap { all[$0] } ?? file
    }

    /// Those that are not better than the limit; of others the smallest.
    package var versions: [Quality: File] {
      var all = variants
      all[quality] = file
      guard let limit else { return all }
      let allowed = all.filter { $0.key <= limit }
      return allowed.isEmpty ? all.filter { $0.key == all.keys.min() } : allowed
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
  /// How many JSON values an index may have: 30 for an item with all fields and four variants, three for a list, and
  /// its entries.
  static let mostValues = 30 * mostItems + 3 * mostLists + mostListed + 6
  package static let longestText = 500
  package static let largestFile: Int64 = 1 << 40
  package static let longestItem: Int64 = 7 * 86_400

  package var name: String
  package var items: [Item] = []
  package var lists: [List] = []
  /// The best that whoever asked for it may have; nil when that is all there is.
  package private(set) var limit: Quality?

  package init(name: String) { self.name = name }

  package mutating func limit(to quality: Quality?) {
    limit = quality
    for place in items.indices { items[place].limit = quality }
  }
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

/// What of an index can be wanted as a whole.
extension DirectoryIndex {
  /// In the order in which the index comes upon them.
  package func containers(_ kind: ContainerID.Kind) -> [MediaContainer] {
    switch kind {
    case .track:
      return items.map { item in
        MediaContainer(
          ContainerID(.track, item.id), title: item.title ?? item.id, artist: item.artist, items: [item.id])
      }
    case .album:
      return gathered { item in
        guard let id = item.albumID, let album = item.album else { return nil }
        return MediaContainer(ContainerID(.album, id), title: album, artist: item.artistID, items: [])
      }
    case .artist:
      return gathered { item in
        item.artistID.map { MediaContainer(ContainerID(.artist, $0), title: $0, items: []) }
      }
    case .playlist:
      let known = Set(items.map { ExactText($0.id) })
      return lists.map { list in
        let items = list.items.filter { known.contains(ExactText($0)) }
        return MediaContainer(ContainerID(.playlist, list.name), title: list.name, items: items)
      }
    }
  }

  private func gathered(_ container: (Item) -> MediaContainer?) -> [MediaContainer] {
    var all: [MediaContainer] = []
    var places: [ContainerID: Int] = [:]
    for item in items {
      guard let found = container(item) else { continue }
      let place = places[found.id] ?? all.count
      if place == all.count {
        all.append(found)
        places[found.id] = place
      }
      all[place].items.append(item.id)
    }
    return all
  }
}

extension DirectoryIndex {
  /// As a file: an item a line, so that two versions of it can be compared by eye.
  package var fileBytes: [UInt8] {
    var bytes = Array("{\"format\":\"layby-index\",\"version\":\(Self.version),\"name\":".utf8)
    bytes += JSON(name).bytes
    if let limit { bytes += Array(",\"quality\":\"\(limit.indexName)\"".utf8) }
    Self.write("items", items.map(\.json), to: &bytes)
    Self.write("lists", lists.map(\.json), to: &bytes)
    return bytes + Array("}\n".utf8)
  }

  private static func write(_ key: String, _ entries: [JSON], to bytes: inout [UInt8]) {
    bytes += Array(",\n\"\(key)\":[".utf8)
    for (number, entry) in entries.enumerated() {
      bytes += Array((number == 0 ? "\n" : ",\n").utf8)
      bytes += entry.bytes
    }
    bytes += Array("]".utf8)
  }
}

extension DirectoryIndex.File {
  fileprivate var members: [(String, JSON)] {
    [("path", JSON(path.text)), ("size", JSON(size)), ("sha256", JSON(hash))]
  }
}

extension DirectoryIndex.Item {
  fileprivate var json: JSON {
    var object = JSON.Object(file.members)
    if quality != .lossless { object["quality"] = JSON(quality.indexName) }
    object["title"] = title.map { JSON($0) }
    object["artist"] = artist.map { JSON($0) }
    object["album"] = album.map { JSON($0) }
    object["album_artist"] = albumArtist.map { JSON($0) }
    object["disc"] = disc.map { JSON($0) }
    object["track"] = track.map { JSON($0) }
    object["duration_s"] = length.map { JSON(Double($0.nanoseconds / 1_000_000) / 1_000) }
    object["art"] = art.map { JSON($0.text) }
    if !variants.isEmpty {
      let sorted = variants.sorted { $0.key < $1.key }
      object["variants"] = .object(
        JSON.Object(sorted.map { ($0.key.indexName, JSON.object(JSON.Object($0.value.members))) }))
    }
    return .object(object)
  }
}

extension DirectoryIndex.List {
  fileprivate var json: JSON {
    .object(JSON.Object([("name", JSON(name)), ("items", .list(items.map { JSON($0) }))]))
  }
}
