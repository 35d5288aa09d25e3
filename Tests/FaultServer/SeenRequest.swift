/// A question that a server was asked.
package struct SeenRequest: Sendable {
  package var method: String
  /// With what stands behind a question mark.
  package var target: String
  /// Names in small letters.
  package var headers: [(name: String, value: String)]
  /// Which of the server's connections it came on, counted from 1.
  package var connection: Int
  /// How much of its answer the kernel has taken, the head too; over TLS as it goes over the line.
  package var sent = 0

  package var path: String { String(target.prefix { $0 != "?" }) }

  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The first byte that is asked for, and the last if that is said; nil for all of it.
  var range: (from: Int, through: Int?)? {
    guard let text = self["range"], text.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let from = Int(ends[0]) else { return nil }
    return (from, Int(ends[1]))
  }

  /// Takes the first whole question out of `bytes`; nil while there is none. What makes no sense has an empty method.
  static func take(from bytes: inout [UInt8], on connection: Int) -> SeenRequest? {
    let end: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= end.count else { return nil }
    guard let blank = (0...bytes.count - 4).first(where: { Array(bytes[$0..<$0 + 4]) == end }) else { return nil }
    let lines = String(decoding: bytes[..<blank], as: UTF8.self).split(separator: "\r\n").map(String.init)
    bytes.removeFirst(blank + 4)
    let words = (lines.first ?? "").split(separator: " ").map(String.init)
    let isSound = words.count == 3
    var headers: [(name: String, value: String)] = []
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { continue }
      headers.append((parts[0].lowercased(), String(parts[1].drop { $0 == " " })))
    }
    return SeenRequest(
      method: isSound ? words[0] : "", target: isSound ? words[1] : "", headers: headers, connection: connection)
  }
}
