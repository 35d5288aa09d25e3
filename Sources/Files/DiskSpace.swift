extension Int64 {
  /// Sums of what others say end at the most there is, and never the program.
  package func adding(_ more: Int64) -> Int64 {
    let (sum, isBeyond) = addingReportingOverflow(more)
    return isBeyond ? (more < 0 ? .min : .max) : sum
  }
}

/// How much room a disk has.
package struct DiskSpace: Equatable, Sendable {
  package var free: Int64
  package var total: Int64

  package init(free: Int64, total: Int64) {
    self.free = free
    self.total = total
  }

  /// Never used for copies: queue, place and library have to be saved on a full disk too, and deleting needs room.
  package var reserve: Int64 { min(max(total / 20, 32 << 20), 1 << 30) }

  /// Of the reserve, what the library has to leave: it takes in what was copied until there was no more room for copies,
  /// but queue, place and likes are saved on the same disk, and a stick may hold millions of empty files.
  package var libraryReserve: Int64 { reserve / 2 }

  package func fits(_ bytes: Int64) -> Bool { bytes <= max(free, 0) - reserve }

  /// A disk that is damaged, or made to be, says anything of a file: what is longer is none.
  package static let longestFile: Int64 = 1 << 50

  /// What a file takes, with what its folder needs to know of it.
  package static func taken(by size: Int64) -> Int64 {
    (min(max(size, 0), longestFile) + 4_095) / 4_096 * 4_096
  }

  /// For people: 12 KB, 3 MB, 1.4 GB.
  package static func shown(_ bytes: Int64) -> String {
    if bytes < 1_000_000 { return "\(max(bytes, 0) / 1_000) KB" }
    if bytes < 1_000_000_000 { return "\(bytes / 1_000_000) MB" }
    return "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
  }
}
