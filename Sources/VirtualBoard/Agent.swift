import Runtime

/// A root shell inside the guest, for tests: it runs commands, and returns their output and exit code. The board as it is
/// shipped does not have it; it comes with the tools that are laid over the root (`BoardImage.tools`).
package final class Agent {
  /// The result of a command.
  package struct Ran: Sendable {
    package let code: Int
    package let bytes: [UInt8]
    package var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The output without line ends at its end.
    package var line: String { String(text.reversed().drop { $0 == "\n" }.reversed()) }
  }

  private let channel: Channel
  private static let longestAnswer = 1 << 28

  package init(connectingTo path: FilePath, within limit: Duration) throws(Fault) {
    channel = try Channel(connectingTo: path, named: "the guest's agent", within: limit)
  }

  /// The agent sends a line once after each boot.
  package func waitUntilReady(until: Moment) throws(Fault) {
    while true {
      let line = try channel.line(until: until)
      if line.starts(with: Array("READY".utf8)) { return }
    }
  }

  package func run(_ command: String, within limit: Duration = .seconds(60)) throws(Fault) -> Ran {
    do throws(Fault) {
      try tell(command)
      let until = Moment.now + limit
      let (code, length) = try Self.header(try channel.line(until: until))
      return Ran(code: code, bytes: try channel.bytes(length, until: until))
    } catch {
      throw Fault(error.kind, error.code, "\(command) (at most \(limit)): \(error.message)")
    }
  }

  /// Sends a command without reading its answer, because the power will be cut while it runs.
  package func tell(_ command: String) throws(Fault) {
    // The agent reads one line as one command.
    try channel.send(Array(Base64.encode(Array(command.utf8)).utf8) + [0x0A])
  }

  /// Each answer begins with a line `CODE LENGTH`; so many bytes of output follow.
  package static func header(_ line: [UInt8]) throws(Fault) -> (code: Int, length: Int) {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count == 2, let code = Int(words[0]), let length = Int(words[1]), (0...255).contains(code),
      (0...longestAnswer).contains(length)
    else {
      throw Fault(.malformed, "V-130", "the guest's agent answers \(logQuoted(String(decoding: line, as: UTF8.self)))")
    }
    return (code, length)
  }
}
