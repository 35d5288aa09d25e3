import Formats
import Glibc
import Runtime
import Store

/// What queues and playlists need to know of files: which recording it is, its path, its length.
extension Catalogue {
  package struct Piece: Equatable, Sendable {
    /// The recording; nil for a file that is not in the library.
    package let key: ContentKey?
    package let path: FilePath
    package let duration: Duration
    /// Its source (a stick, say) is present.
    package let isPresent: Bool

    package init(key: ContentKey?, path: FilePath, duration: Duration, isPresent: Bool) {
      (self.key, self.path, self.duration, self.isPresent) = (key, path, duration, isPresent)
    }

    /// A part of a file (a track of a cue sheet) has no recording of its own, so it is known by its address.
    fileprivate func part(_ part: MusicPart) -> Piece {
      let end = part.end ?? max(duration, part.begin)
      return Piece(key: nil, path: part.address, duration: end - part.begin, isPresent: isPresent)
    }
  }

  /// How many are looked up at a time; everybody else waits for no more than these.
  package static let slice = 200

  /// In the order of `tracks`, without files that the library no longer has.
  package func pieces(of tracks: [Row]) throws(Fault) -> [Piece] { try eachPiece(of: tracks).compactMap(\.self) }

  /// One for each of `tracks`; nil for a file that the library no longer has.
  package func eachPiece(of tracks: [Row]) throws(Fault) -> [Piece?] {
    var pieces: [Piece?] = []
    for track in tracks {
      let whole = try piece(of: track.id)
      pieces.append(whole.map { whole in track.part(of: whole.path).map { whole.part($0) } ?? whole })
    }
    return pieces
  }

  /// In the order of `paths`; a file that the library does not know has a path and nothing else.
  package func pieces(at paths: [FilePath]) throws(Fault) -> [Piece] {
    var pieces: [Piece] = []
    for path in paths {
      var piece: Piece?
      if let file = try file(at: path.ofFile) { piece = try self.piece(of: file) }
      if let part = MusicPart(address: path) { piece = piece?.part(part) }
      pieces.append(piece ?? Piece(key: nil, path: path, duration: .zero, isPresent: true))
    }
    return pieces
  }

  /// The present path of each; nil for a recording that is on no medium that is present. A file that is not in the
  /// library keeps the path that it had.
  package func presentPaths(of entries: [(key: ContentKey?, path: FilePath)]) throws(Fault) -> [FilePath?] {
    var paths: [FilePath?] = []
    for (key, path) in entries {
      // Of several copies of a recording, prefer the one at the path that was stored.
      if let key, let file = try file(of: key, likely: path.ofFile) {
        paths.append(file.isPresent ? try self.path(of: file.id) : nil)
      } else {
        paths.append(path.ofFile.withCString { access($0, R_OK) } == 0 ? path : nil)
      }
    }
    return paths
  }

  /// A track of a cue sheet: its names from the sheet, everything else from the file.
  func track(of part: MusicPart) throws(Fault) -> Track? {
    guard var track = try track(at: part.file) else { return nil }
    let rate = track.rate
    let end = part.end.map { TrackPlace.time($0).frame(atRate: rate) }
    if let last = [end, track.frames].compactMap({ $0 }).min() {
      track.frames = max(last - TrackPlace.time(part.begin).frame(atRate: rate), 0)
    }
    guard let file = try file(at: part.file) else { return track }
    let said = try opened().first(
      "SELECT title, artist FROM imported_entry WHERE file = ? AND begins_ms = ? ORDER BY title IS NULL LIMIT 1",
      [.integer(file), .integer(part.begin.milliseconds)]
    ) { (title: $0.text(0), artist: $0.text(1)) }
    if let title = said?.title { (track.title, track.number) = (title, nil) }
    if let artist = said?.artist { track.artist = artist }
    return track
  }

  // MARK: What things are called

  package func title(ofAlbum id: Int64) throws(Fault) -> String? { try name("SELECT title FROM album", id) }
  package func name(ofArtist id: Int64) throws(Fault) -> String? { try name("SELECT name FROM artist", id) }
  package func name(ofGenre id: Int64) throws(Fault) -> String? { try name("SELECT name FROM genre", id) }
  package func title(ofPlaylist id: Int64) throws(Fault) -> String? {
    try name("SELECT title FROM imported_playlist", id)
  }

  private func name(_ select: String, _ id: Int64) throws(Fault) -> String? {
    try opened().first(select + " WHERE id = ?", [.integer(id)]) { $0.text(0) } ?? nil
  }

  private func piece(of file: Int64) throws(Fault) -> Piece? {
    let row = try opened().first(
      """
      SELECT r.key, f.frames, f.sample_rate, s.is_present FROM file f LEFT JOIN recording r ON r.id = f.recording
        JOIN folder d ON d.id = f.folder JOIN source s ON s.id = d.source
      WHERE f.id = ?
      """, [.integer(file)]
    ) { row in
      (
        key: row.bytes(0).flatMap { ContentKey(bytes: $0) },
        duration: Self.duration(frames: row.integer(1), rate: row.integer(2)), isPresent: row.integer(3) == 1
      )
    }
    guard let row, let path = try path(of: file) else { return nil }
    return Piece(key: row.key, path: path, duration: row.duration ?? .zero, isPresent: row.isPresent)
  }

  static func duration(frames: Int64?, rate: Int64?) -> Duration? {
    guard let frames, let rate, rate > 0, frames >= 0 else { return nil }
    return .seconds(frames / rate) + .milliseconds(frames % rate * 1_000 / rate)
  }
}
