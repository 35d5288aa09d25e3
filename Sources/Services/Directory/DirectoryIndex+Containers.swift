/// What of an index can be wanted as a whole.
extension DirectoryIndex {
  /// In the order in which the index comes upon them.
  package func containers(_ kind: ContainerID.Kind) -> [MediaContainer] {
    switch kind {
    case .track:
      return items.map { item in
        MediaContainer(ContainerID(.track, item.id), title: item.title ?? item.id, artist: item.artist, count: 1)
      }
    case .album:
      return gathered { item in
        guard let id = item.albumID, let album = item.album else { return nil }
        return MediaContainer(ContainerID(.album, id), title: album, artist: item.artistID, count: 0)
      }
    case .artist:
      return gathered { item in
        item.artistID.map { MediaContainer(ContainerID(.artist, $0), title: $0, count: 0) }
      }
    case .playlist:
      return lists.map { MediaContainer(ContainerID(.playlist, $0.name), title: $0.name, count: $0.items.count) }
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
      all[place].count += 1
    }
    return all
  }
}
