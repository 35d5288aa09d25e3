import Runtime
import Store
import TestSupport

@testable import Library

extension MusicTree {
  /// A few albums, and playlists that lead into all of them.
  func fill(albums: Int = 3, files: Int = 4) throws {
    for album in 0..<albums {
      for number in 1...files {
        let tiny = TinyMP3(
          title: "Air \(number)", album: "Suite \(album)", track: number, sound: UInt64(album * 100 + number))
        try write("album \(album)/\(number).mp3", tiny.bytes)
      }
    }
    let all = (0..<albums).flatMap { album in (1...files).map { "album \(album)/\($0).mp3\n" } }
    try write("all.m3u", Array(all.joined().utf8))
    try write("album 0/own.m3u8", Array("1.mp3\n../album 1/2.mp3\nnone.mp3\n".utf8))
  }

  /// "list place: folder/file", for each entry of each playlist.
  func entries() throws -> [String] {
    try told(
      """
      SELECT p.name, e.place, d.name, f.name FROM imported_entry e JOIN imported_playlist p ON p.id = e.playlist
        LEFT JOIN file f ON f.id = e.file LEFT JOIN folder d ON d.id = f.folder ORDER BY 1, 2
      """)
  }

  /// What the files say, whatever they are called by.
  func tracks() throws -> [String] {
    try told(
      """
      SELECT d.name, f.name, f.size, f.title, a.title, hex(r.key), f.problem FROM file f
        JOIN folder d ON d.id = f.folder LEFT JOIN album a ON a.id = f.album
        LEFT JOIN recording r ON r.id = f.recording ORDER BY 1, 2
      """)
  }

  func problems() throws -> [String] {
    try told("SELECT name, problem FROM imported_playlist WHERE problem IS NOT NULL ORDER BY name")
  }

  private func told(_ select: String) throws -> [String] {
    try Connection(open: state.path / "library.db", as: .reader).rows(select) { row in
      (0..<row.columnCount).map { column in
        let bytes = row.bytes(column).map { String(decoding: $0, as: UTF8.self) }
        return row.text(column) ?? bytes ?? row.integer(column).map { "\($0)" } ?? "-"
      }.joined(separator: "|")
    }
  }

  /// All tracks that one leads to.
  func gathered(_ playlist: Int64) async -> [Int64] { await found(playlist).map(\.id) }

  func found(_ playlist: Int64) async -> [Row] { await found(.playlist(playlist)) }

  func found(_ list: List) async -> [Row] {
    await TestMainLoop.alone {
      await onMainLoop {
        var collector = TrackCollector(self.catalogue, most: 1_000)
        return (try? await collector.tracks(of: list)) ?? []
      }
    }
  }

  /// The import's fault; nil when it came to its end.
  func fault(
    told: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) async -> Fault? {
    do throws(Fault) {
      _ = try await importer.run(source: source, root: music.path, today: 1_000, told: told)
      return nil
    } catch { return error }
  }
}
