import Glibc
import Runtime

extension Layby {
  /// One running player: what it tells the service manager, and what it answers at its control socket.
  final class Run {
    let child: Child
    private let player: Layby
    private let notices: Descriptor
    private var socket: LineSocket?

    init(of player: Layby, _ child: Child, _ notices: consuming Descriptor) {
      self.player = player
      self.child = child
      self.notices = notices
    }

    /// How long it took from nothing to ready.
    @discardableResult
    func waitUntilReady() throws(Fault) -> Duration {
      let deadline = child.began + .seconds(60)
      while try Patience.readable(notices.number, before: min(deadline, .now + .milliseconds(500))) || .now < deadline {
        let at = Moment.now
        var message = [UInt8](repeating: 0, count: 4096)
        // It may have ended without a word.
        let count = recv(notices.number, &message, message.count, Int32(MSG_DONTWAIT))
        if String(decoding: message.prefix(max(count, 0)), as: UTF8.self).contains("READY=1") {
          return at - child.began
        }
        if child.hasEnded { break }
      }
      throw Fault(.passing, "B-150", "\(player.program) was not ready within 60 s: \(player.lastWords)")
    }

    /// Nil while nobody answers there.
    func ask(_ verb: String, _ arguments: [String] = []) throws(Fault) -> JSON? {
      if socket == nil {
        socket = UnixSocket.connection(to: player.home / "run" / "control").map { LineSocket(taking: $0, to: "layby") }
      }
      guard let socket else { return nil }
      let request: JSON = ["verb": JSON(verb), "arguments": .list(arguments.map { JSON($0) })]
      try socket.send("\(request)")
      let line = try socket.line(within: .seconds(30))
      let answer = try JSON(parsing: Array(line.utf8), limits: JSON.Limits(depth: 8, size: 1 << 20))
      guard answer["ok"]?.truth == true else { throw Fault(.malformed, "B-151", "layby answers \(verb) with \(line)") }
      return answer
    }
  }
}
