/// As they are kept in a file: a line for each host, `example.org 1767225600 subdomains`. What cannot be read is left out:
/// a host that asks for TLS asks again.
extension StrictHosts {
  /// 200 hosts with names as long as names can be.
  package static let longestFile = 65_536

  package init(parsing bytes: [UInt8], now: Int64) {
    var read: [String: Entry] = [:]
    for line in bytes.prefix(Self.longestFile).split(separator: 0x0A) {
      let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 2 || words.count == 3 && words[2] == Self.subdomains else { continue }
      guard Self.isHost(words[0]), let until = Int64(words[1]), until > now else { continue }
      read[words[0]] = Entry(until: until, withSubdomains: words.count == 3)
    }
    self.init(read)
  }

  package var bytes: [UInt8] {
    var text = ""
    for (host, wish) in wishes.sorted(by: { $0.key < $1.key }) where Self.isHost(host) {
      text += "\(host) \(wish.until)\(wish.withSubdomains ? " \(Self.subdomains)" : "")\n"
    }
    return Array(text.utf8)
  }

  private static let subdomains = "subdomains"

  private static func isHost(_ text: String) -> Bool {
    let areFit = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x61...0x7A: true
      default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
      }
    }
    return areFit && (1...253).contains(text.utf8.count)
  }
}
