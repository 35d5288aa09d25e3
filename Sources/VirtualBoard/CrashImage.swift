import Glibc
import Runtime

/// What a disk with a volatile cache could contain after a power cut, made by chance. All writes before the last flush
/// are there. Each later one may be there, missing, or torn between two sectors, in any order; a forced write (FUA) is
/// there. A discarded range has its old bytes or zeros, even if it was flushed.
package struct CrashImage: Sendable {
  package struct Piece: Equatable, Sendable {
    package let offset: Int
    package let data: [UInt8]
  }

  /// In the order in which they are written over the disk as it was when the log began.
  package let pieces: [Piece]
  /// How many writes are missing or torn.
  package let lost: Int

  private static let sector = 512

  package init(of log: WriteLog, after count: Int, using dice: inout some RandomNumberGenerator) {
    let entries = log.entries.prefix(count)
    // An entry's flush happens before its own data is written.
    let durable = entries.lastIndex { $0.flushes } ?? 0
    var pieces: [Piece] = []
    var lost = 0
    for (index, entry) in entries.enumerated() where entry.count > 0 {
      if entry.discards {
        if Bool.random(using: &dice) {
          pieces.append(Piece(offset: entry.offset, data: [UInt8](repeating: 0, count: entry.count)))
        }
      } else if index < durable || entry.isForced {
        pieces.append(Piece(offset: entry.offset, data: entry.data))
      } else {
        let kept = Self.kept(of: entry, using: &dice)
        if kept.reduce(0, { $0 + $1.data.count }) < entry.count { lost += 1 }
        pieces += kept
      }
    }
    self.pieces = pieces
    self.lost = lost
  }

  private static func kept(of entry: WriteLog.Entry, using dice: inout some RandomNumberGenerator) -> [Piece] {
    switch Int.random(in: 0..<3, using: &dice) {
    case 0: return []
    case 1: return [Piece(offset: entry.offset, data: entry.data)]
    default:
      return stride(from: 0, to: entry.data.count, by: sector).compactMap { start in
        guard Bool.random(using: &dice) else { return nil }
        let end = min(start + sector, entry.data.count)
        return Piece(offset: entry.offset + start, data: Array(entry.data[start..<end]))
      }
    }
  }

  package func apply(to disk: inout [UInt8]) {
    for piece in pieces { disk.replaceSubrange(piece.offset..<piece.offset + piece.data.count, with: piece.data) }
  }

  /// Writes it over a file that holds the disk as it was when the log began.
  package func apply(toFile path: FilePath) throws(Fault) {
    let file = try Descriptor.open(path, O_WRONLY, code: "V-171")
    for piece in pieces {
      var written = 0
      while written < piece.data.count {
        let count = piece.data.withUnsafeBytes {
          pwrite(
            file.number, $0.baseAddress?.advanced(by: written), piece.data.count - written,
            off_t(piece.offset + written))
        }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw Fault.system("V-172", doing: "write the crash image \(path)") }
        written += count
      }
    }
  }
}
