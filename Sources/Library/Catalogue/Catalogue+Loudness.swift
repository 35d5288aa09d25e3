import Formats
import Glibc
import Runtime
import Store

extension Catalogue {
  package func keep(_ loudness: MeasuredLoudness, of path: FilePath, today seconds: Int64) throws(Fault) {
    guard let connection, let (size, modified) = Self.identity(of: path) else { return }
    try connection.run(
      """
      INSERT OR REPLACE INTO loudness (path, size, modified_ns, lufs, true_peak, seconds, measured_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        SQLValue(path), .integer(size), .integer(modified), SQLValue(loudness.lufs), SQLValue(loudness.truePeak),
        .real(loudness.seconds), .integer(seconds),
      ])
    // The measurement has decoded the whole file, so it knows the length that the file does not state.
    guard loudness.seconds > 0 else { return }
    let frames = "frames = CAST(round(? * sample_rate) AS INTEGER)"
    try connection.run(
      "UPDATE track SET \(frames) WHERE path = ? AND size = ? AND modified_ns = ? AND frames IS NULL AND sample_rate > 0",
      [.real(loudness.seconds), SQLValue(path), .integer(size), .integer(modified)])
    guard let file = try file(at: path) else { return }
    try connection.run(
      "UPDATE file SET \(frames) WHERE id = ? AND size = ? AND modified_ns = ? AND frames IS NULL AND sample_rate > 0",
      [.real(loudness.seconds), .integer(file), .integer(size), .integer(modified)])
  }

  /// Of those of `paths` that were measured and are still the same files.
  package func loudness(of paths: [FilePath]) throws(Fault) -> [FilePath: MeasuredLoudness] {
    guard let connection else { return [:] }
    var found: [FilePath: MeasuredLoudness] = [:]
    let row = try connection.prepare("SELECT size, modified_ns, lufs, true_peak, seconds FROM loudness WHERE path = ?")
    for path in paths where found[path] == nil {
      try row.bind([SQLValue(path)])
      guard try row.step(), let size = row.integer(0), let modified = row.integer(1) else { continue }
      let loudness = MeasuredLoudness(lufs: row.real(2), truePeak: row.real(3), seconds: row.real(4) ?? 0)
      // Asked of the disk only for what has an answer.
      if let now = Self.identity(of: path), now == (size, modified) { found[path] = loudness }
    }
    return found
  }

  /// What an import read of the gains in their tags: of those of `paths` that lie in a source.
  package func taggedLoudness(of paths: [FilePath]) throws(Fault) -> [FilePath: LoudnessFacts] {
    // Asked for before the library is open, and asked again then.
    guard connection != nil else { return [:] }
    var found: [FilePath: LoudnessFacts] = [:]
    for path in paths where found[path] == nil {
      guard let file = try file(at: path) else { continue }
      let row = try opened().first(
        "SELECT size, modified_ns, track_gain, track_peak, album_gain, album_peak FROM file WHERE id = ?",
        [.integer(file)]
      ) { row in
        let facts = LoudnessFacts(
          trackGain: row.real(2), trackPeak: row.real(3), albumGain: row.real(4), albumPeak: row.real(5))
        return (size: row.integer(0), modified: row.integer(1), facts: facts)
      }
      // Asked of the disk only for what has an answer.
      guard let row, row.facts != LoudnessFacts(), let now = Self.identity(of: path) else { continue }
      if now.size == row.size, now.modified == row.modified { found[path] = row.facts }
    }
    return found
  }
}
