/// The hosts that have asked to be reached by TLS only (HSTS, RFC 6797), and until when. A value; times are seconds since
/// 1970. The program stores it in the file `strict-hosts`.
package struct StrictHosts: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var until: Int64
    package var withSubdomains: Bool
  }

  /// More hosts than a player ever meets. When there are more, the one that expires first is dropped.
  static let limit = 200

  package private(set) var hosts: [String: Entry] = [:]

  package init() {}

  package init(_ hosts: [String: Entry]) {
    for (host, entry) in hosts.sorted(by: { $0.value.until > $1.value.until }).prefix(Self.limit) {
      self.hosts[host.lowercased()] = entry
    }
  }

  /// Takes the header `Strict-Transport-Security` of `host`. Only call it for answers that came over TLS.
  package mutating func hear(_ header: String, from host: String, now: Int64) {
    guard !Self.isAddress(host), let (age, withSubdomains) = Self.parse(header) else { return }
    let name = host.lowercased()
    guard age > 0 else {
      hosts[name] = nil
      return
    }
    let (until, overflow) = now.addingReportingOverflow(age)
    hosts[name] = Entry(until: overflow ? .max : until, withSubdomains: withSubdomains)
    guard hosts.count > Self.limit else { return }
    if let first = hosts.min(by: { ($0.value.until, $0.key) < ($1.value.until, $1.key) }) { hosts[first.key] = nil }
  }

  package func mustBeSafe(_ host: String, now: Int64) -> Bool {
    guard !Self.isAddress(host) else { return false }
    var name = host.lowercased()[...]
    var isWhole = true
    while !name.isEmpty {
      if let entry = hosts[String(name)], entry.until > now, isWhole || entry.withSubdomains { return true }
      guard let dot = name.firstIndex(of: ".") else { return false }
      name = name[name.index(after: dot)...]
      isWhole = false
    }
    return false
  }

  /// `max-age=31536000; includeSubDomains`. Nil without `max-age`, or when a directive is repeated.
  static func parse(_ header: String) -> (age: Int64, withSubdomains: Bool)? {
    var age: Int64?
    var withSubdomains = false
    for part in header.utf8.split(separator: UInt8(ascii: ";")).prefix(16) {
      let words = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard let first = words.first else { continue }
      let name = trimmed(first).lowercased()
      if name == "max-age" {
        guard age == nil, words.count == 2 else { return nil }
        var digits = trimmed(words[1])
        if digits.count >= 2, digits.hasPrefix("\""), digits.hasSuffix("\"") {
          digits = String(digits.dropFirst().dropLast())
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        age = Int64(digits) ?? .max
      } else if name == "includesubdomains" {
        guard !withSubdomains else { return nil }
        withSubdomains = true
      }
    }
    return age.map { ($0, withSubdomains) }
  }

  private static func trimmed(_ bytes: Substring.UTF8View) -> String {
    var rest = bytes
    while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
    return String(Substring(rest))
  }

  /// HSTS is for names only, not for IP addresses.
  private static func isAddress(_ host: String) -> Bool {
    host.utf8.contains(UInt8(ascii: ":")) || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }
}

/// The file has a line for each host: `example.org 1767225600 subdomains`. Lines that cannot be read are left out, because
/// the host sends its header again with the next answer.
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
    for (host, entry) in hosts.sorted(by: { $0.key < $1.key }) where Self.isHost(host) {
      text += "\(host) \(entry.until)\(entry.withSubdomains ? " \(Self.subdomains)" : "")\n"
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
