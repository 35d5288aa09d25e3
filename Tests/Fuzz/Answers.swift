import HTTP

/// A server's head, line by line: what is kept of it is bounded, and names are folded.
@Sendable func httpHead(_ bytes: [UInt8]) {
  var reader = HeadReader()
  for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
    let whole = Array(line) + [0x0A]
    switch whole.withUnsafeBytes({ reader.take($0) }) {
    case .more: continue
    case .tooLarge, .malformed: return
    case .whole(let head):
      precondition((200...999).contains(head.status), "a status that is none")
      precondition(head.headers.count <= HeadReader.mostHeaders, "more headers than there may be")
      // What is no text may stand as replacements, three bytes for one.
      let size = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
      precondition(size <= 3 * HeadReader.mostBytes, "more bytes than there may be")
      precondition(head.headers.allSatisfy { $0.name == $0.name.lowercased() }, "a name that is not folded")
    }
  }
}

/// Lines of a host and what it says, heard in turn: whatever they are, the host itself is bound by what it asks.
@Sendable func strictHosts(_ bytes: [UInt8]) {
  var hosts = StrictHosts()
  for line in bytes.split(separator: 0x0A) {
    let parts = line.split(separator: 0x20, maxSplits: 1)
    guard parts.count == 2 else { continue }
    let host = String(decoding: parts[0], as: UTF8.self)
    hosts.hear(String(decoding: parts[1], as: UTF8.self), from: host, now: 1_000)
    precondition(hosts.hosts.count <= 200, "more hosts than there may be")
    if let wish = hosts.hosts[host.lowercased()] {
      precondition(wish.until > 1_000 && hosts.mustBeSafe(host, now: 1_000), "a wish that is not kept")
      precondition(wish.until == .max || !hosts.mustBeSafe(host, now: .max), "a wish without an end")
    }
  }
}
