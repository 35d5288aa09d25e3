/// How soon something is found among others that match as well: 0 first, 15 last. It stands in the upper part of the
/// row's id in the index, so that an index gives what is wanted first without looking at the rest.
enum Rank {
  static let last: Int64 = 15
  /// So many recordings count as played lately.
  static let lately = 200
  /// Ranks below this are of those.
  static let recent: Int64 = 8

  /// 0, 1, 2 to 3, 4 to 7 ... 64 and more times; twice, once for what was played lately.
  static func of(plays: Int64, isRecent: Bool) -> Int64 {
    guard plays > 0 else { return last }
    let often = min(Int64(63 - plays.leadingZeroBitCount), 6)
    return isRecent ? 6 - often : 14 - often
  }

  /// Of artists and albums: by how much there is of them.
  static func of(files: Int64) -> Int64 { last - min(Int64(64 - max(files, 0).leadingZeroBitCount), last) }

  static func row(_ rank: Int64, _ id: Int64) -> Int64 { rank << 40 | id }
  static func id(ofRow row: Int64) -> Int64 { row & (1 << 40 - 1) }
}
