import Runtime
import Store

/// What `layby library` tells.
package struct LibrarySurvey: Equatable, Sendable {
  package var tracks: Int64 = 0
  package var albums: Int64 = 0
  package var artists: Int64 = 0
  package var genres: Int64 = 0
  package var folders: Int64 = 0
  package var playlists: Int64 = 0
  package var recordings: Int64 = 0
  package var unreadable: Int64 = 0
  package var bytes: Int64 = 0
}

extension Catalogue {
  /// Counts all of it: for who asks, not for every frame.
  package func survey() throws(Fault) -> LibrarySurvey {
    let connection = try opened()
    func count(_ sql: String) throws(Fault) -> Int64 { try connection.first(sql) { $0.integer(0) } ?? 0 }
    var survey = LibrarySurvey()
    survey.tracks = try count("SELECT sum(count) FROM letter WHERE list >= 20")
    survey.albums = try count("SELECT sum(count) FROM letter WHERE list BETWEEN 10 AND 19")
    survey.artists = try count("SELECT sum(count) FROM letter WHERE list = 0")
    survey.genres = try count("SELECT count(*) FROM genre")
    survey.folders = try count("SELECT count(*) FROM folder")
    survey.playlists = try count("SELECT count(*) FROM imported_playlist")
    survey.recordings = try count("SELECT count(*) FROM recording WHERE files > 0")
    survey.unreadable = try count("SELECT count(*) FROM file WHERE problem IS NOT NULL")
    survey.bytes = try count("PRAGMA page_count") * count("PRAGMA page_size")
    return survey
  }

  /// Files that cannot be read, and why, in the order in which they came.
  package func problems(after id: Int64 = 0, count: Int) throws(Fault) -> [Row] {
    let connection = try opened()
    var reader = RowReader(connection)
    let statement = try connection.prepare(
      "SELECT \(RowReader.columns(.files)) FROM file t WHERE t.problem IS NOT NULL AND t.id > ? ORDER BY t.id LIMIT ?")
    try statement.bind([.integer(id), .integer(Int64(min(max(count, 1), Self.largestPage)))])
    var rows: [Row] = []
    while try statement.step() { rows.append(try reader.row(.files, statement, from: 0)) }
    return rows
  }
}
