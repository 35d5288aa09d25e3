import Library
import Runtime

/// Music that is copied to the device.
extension Importing {
  /// With what search and browse show, by its number.
  package enum CopiedKind: String, CaseIterable, Sendable { case album, artist, folder, genre, playlist, track }

  package struct CopyState: Sendable {
    package let isRunning: Bool
    package let waiting: Int
    package let progress: CopyProgress?
    /// Those whose source is not here.
    package let away: [CopyWish]
    package let fault: Fault?
    /// The speed of the last copy that was measured, in bytes a second.
    package let lastSpeed: Double?
  }

  package var copyState: CopyState {
    CopyState(
      isRunning: copies.isRunning || copies.waiting > 0, waiting: copies.waiting, progress: copies.progress,
      away: copies.away, fault: copies.lastFault, lastSpeed: copies.lastSpeed)
  }

  /// Begins, and does not wait for the end. A plan only tells how much it would be.
  package func copy(_ paths: [FilePath], isPlan: Bool) async throws(Fault) {
    try await copies.add(paths, isPlan: isPlan)
  }

  package func copy(_ kind: CopiedKind, _ id: Int64, isPlan: Bool) async throws(Fault) {
    for wish in try await wishes(kind, id) { try await copies.add(wish, isPlan: isPlan) }
  }

  package func stopCopying() async { await copies.stop() }

  /// What of it lies on sources that are here, source by source; what is on the device already is not copied to it.
  private func wishes(_ kind: CopiedKind, _ id: Int64) async throws(Fault) -> [CopyWish] {
    var places: [Catalogue.FilePlace] = []
    switch kind {
    case .album: places = try await self.places(.tracksOf(album: id))
    case .playlist:
      places = try await self.places(.playlist(id))
      if let own = try await catalogue.place(ofPlaylist: id) { places.append(own) }
    case .track: places = try await catalogue.places(of: [id]).compactMap { $0 }
    case .artist: places = try await gathered(.albumsOf(artist: id))
    case .genre: places = try await gathered(.albumsIn(genre: id))
    case .folder: places = try await gathered(.folder(id))
    }
    guard !places.isEmpty else { throw Fault(.missing, "X-182", "the library knows no \(kind.rawValue) \(id)") }
    let sources = try await catalogue.sources()
    var (onDevice, away) = (0, 0)
    var named: [Int64: [[[UInt8]]: [[UInt8]]]] = [:]
    for place in places {
      guard let source = sources.first(where: { $0.id == place.source }) else { continue }
      // Also where the folder of copies lies in one that was imported.
      if CopyWish.names(of: CopyWish.path(of: place.folder, below: source.root), below: copies.music) != nil {
        onDevice += 1
      } else if source.isPresent {
        named[source.id, default: [:]][place.folder, default: []].append(place.name)
      } else {
        away += 1
      }
    }
    guard !named.isEmpty else {
      throw Fault(
        .missing, "X-183",
        "nothing of \(kind.rawValue) \(id) can be copied: \(onDevice) of its files are on the device, \(away) on sources that are"
          + " not here")
    }
    return sources.compactMap { source in
      named[source.id].map { folders in
        CopyWish(
          from: .init(kind: source.kind, key: source.key, label: source.label, root: source.root),
          // In one order, so that asking again is asking for the same.
          picks: folders.map { CopyWish.Pick(folder: $0.key, only: Self.sorted(Set($0.value))) }
            .sorted { $0.folder.joined(separator: [0]).lexicographicallyPrecedes($1.folder.joined(separator: [0])) })
      }
    }
  }

  private static func sorted(_ names: Set<[UInt8]>) -> [[UInt8]] { names.sorted { $0.lexicographicallyPrecedes($1) } }

  /// The files of all tracks that the list leads to.
  private func gathered(_ list: List) async throws(Fault) -> [Catalogue.FilePlace] {
    var places: [Catalogue.FilePlace] = []
    var collector = TrackCollector(catalogue, most: CopyWish.mostNamed)
    for slice in Playlists.slices(of: try await collector.tracks(of: list)) {
      places += try await catalogue.places(of: slice.map(\.id)).compactMap { $0 }
    }
    return places
  }

  private func places(_ list: List) async throws(Fault) -> [Catalogue.FilePlace] {
    var places: [Catalogue.FilePlace] = []
    var key: PageKey?
    repeat {
      let page = try await catalogue.page(of: list, after: key, count: Catalogue.largestPage)
      let files = page.rows.filter { $0.kind == .track || $0.kind == .unreadable }.map(\.id)
      places += try await catalogue.places(of: files).compactMap { $0 }
      guard places.count <= CopyWish.mostNamed else {
        throw Fault(.full, "X-184", "it has more than \(CopyWish.mostNamed) files; copy their folder instead")
      }
      key = page.next
    } while key != nil
    return places
  }
}
