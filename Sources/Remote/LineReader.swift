import Glibc
import Runtime

/// Cuts a byte stream into lines; a line longer than its limit is refused before it has used up the memory.
package struct LineReader: Sendable {
  private var pending: [UInt8] = []
  /// Up to here there is no line's end; so a long line is not searched again and again.
  private var searched = 0
  private let limit: Int

  package init(limit: Int) { self.limit = limit }

  /// Bytes of a line whose end has not come, or that nobody has asked for yet.
  package var unfinished: Int { pending.count }

  /// Memory that is kept for the next line.
  private static let kept = 65_536

  package mutating func add(_ bytes: some Sequence<UInt8>) throws(Fault) {
    pending += bytes
    if pending.count <= limit { return }
    let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n"))
    guard let end, end <= limit else {
      throw Fault(.malformed, "X-104", "a line is longer than \(limit) bytes")
    }
  }

  package mutating func next() -> [UInt8]? {
    guard let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = pending.count
      return nil
    }
    let line = Array(pending[..<end])
    // What one long line needed is not held on to while the client says nothing.
    if pending.count > Self.kept { pending = Array(pending[(end + 1)...]) } else { pending.removeSubrange(...end) }
    searched = 0
    return line
  }
}
