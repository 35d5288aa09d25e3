import Runtime

/// All tracks that a list leads to: its own, those of its albums, of its folders all the way down. Asked for page by
/// page, so that nobody else waits for it.
@MainLoop
package struct TrackCollector {
  private let catalogue: Catalogue
  private let most: Int
  private var tracks: [Row] = []
  private static let page = 200
  /// Folders in folders; a real tree is flatter.
  private static let deepest = 64

  /// No more than `most` are wanted.
  package init(_ catalogue: Catalogue, most: Int) {
    self.catalogue = catalogue
    self.most = most
  }

  /// `start`: of the list's own rows only those behind it.
  package mutating func tracks(of list: List, after start: PageKey? = nil) async throws(Fault) -> [Row] {
    tracks = []
    try await gather(list, after: start, depth: 0)
    return tracks
  }

  private mutating func gather(_ list: List, after start: PageKey? = nil, depth: Int) async throws(Fault) {
    var place = start
    repeat {
      let page = try await catalogue.page(of: list, after: place, count: Self.page)
      for row in page.rows where tracks.count < most {
        switch row.kind {
        case .track: if !row.isSilent { tracks.append(row) }
        case .unreadable, .missing: break
        case .artist: try await gather(.tracksBy(artist: row.id), depth: depth)
        case .album: try await gather(.tracksOf(album: row.id), depth: depth)
        case .genre: try await gather(.albumsIn(genre: row.id), depth: depth)
        case .playlist: try await gather(.playlist(row.id), depth: depth)
        case .folder: if depth < Self.deepest { try await gather(.folder(row.id), depth: depth + 1) }
        }
      }
      place = page.next
    } while place != nil && tracks.count < most
  }
}
