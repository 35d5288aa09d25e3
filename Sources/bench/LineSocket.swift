import Glibc
import Runtime

/// Owns a connection to a player that speaks in lines.
final class LineSocket {
  private let socket: Descriptor
  private let peer: String
  private var unread: [UInt8] = []
  /// No answer that a bench asks for has a longer line.
  private static let limit = 1 << 20

  init(taking number: Int32, to peer: String) {
    socket = Descriptor(taking: number)
    self.peer = peer
  }

  func send(_ line: String) throws(Fault) {
    try socket.writeAll(Array("\(line)\n".utf8), code: "B-162", doing: "ask \(peer)")
  }

  func line(within limit: Duration) throws(Fault) -> String {
    let deadline = Moment.now + limit
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        return line
      }
      guard unread.count < Self.limit else { throw Fault(.malformed, "B-169", "\(peer) answers without an end") }
      guard try Patience.readable(socket.number, before: deadline) else {
        throw Fault(.passing, "B-166", "\(peer) did not answer within \(limit)")
      }
      var block = [UInt8](repeating: 0, count: 4096)
      let count = read(socket.number, &block, block.count)
      guard count > 0 else { throw Fault(.passing, "B-167", "\(peer) closed the connection") }
      unread += block[..<count]
    }
  }
}
