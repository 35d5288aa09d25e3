import Runtime

/// What `depot serve` was told.
struct ServeSettings: Sendable {
  var name = "depot"
  var listen = "127.0.0.1"
  var port: UInt16 = 8_090
  /// Where others reach it, when that is not where it listens: `https://music.example`.
  var url: String?
  /// How long licences hold.
  var days: Int64? = LicenceTerms.usualDays
  /// Requests a second from one address. The other limits go with it.
  var rate: Int64 = 25
  /// The proxy in front says in X-Forwarded-For who asks.
  var isBehindProxy = false
  /// Licences only for devices that say that their image is verified and that nobody traces the player.
  var needsIntegrity = false

  init() {}

  init(_ words: [String]) throws(Fault) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--name": name = try Self.value(rest.popFirst(), word)
      case "--listen": listen = try Self.value(rest.popFirst(), word)
      case "--port":
        guard let number = rest.popFirst().flatMap({ UInt16($0) }) else {
          throw Fault(.malformed, "D-160", "--port needs a number from 0 to 65535; 0 takes one that is free")
        }
        port = number
      case "--url": url = try Self.origin(rest.popFirst())
      case "--days": days = try LicenceTerms.days(rest.popFirst(), word, most: 365)
      case "--for-good": days = nil
      case "--rate": rate = try LicenceTerms.days(rest.popFirst(), word, most: 1_000_000)
      case "--behind-proxy": isBehindProxy = true
      case "--needs-integrity": needsIntegrity = true
      default: throw Fault(.malformed, "D-161", "\(shownBriefly(word)) is nothing that a server can be told")
      }
    }
    if url == nil, ["0.0.0.0", "::"].contains(listen) {
      throw Fault(.malformed, "D-162", "with --listen \(listen) it has to know where it is reached: --url https://...")
    }
  }

  private static func value(_ word: String?, _ option: String) throws(Fault) -> String {
    guard let word, !word.isEmpty, word.utf8.count <= 200, word.unicodeScalars.allSatisfy(isPlain) else {
      throw Fault(.malformed, "D-163", "\(option) needs a text of at most 200 bytes")
    }
    return word
  }

  /// Without a slash at the end.
  private static func origin(_ word: String?) throws(Fault) -> String {
    let text = word ?? ""
    let scheme = ["https://", "http://"].first { text.hasPrefix($0) }
    guard let scheme, text.utf8.count <= 300 else { throw noOrigin }
    let host = text.utf8.dropFirst(scheme.utf8.count)
    let isPlain = host.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: ".-:[]".utf8.contains(byte)
      }
    }
    guard !host.isEmpty, isPlain else { throw noOrigin }
    return text.lowercased()
  }

  private static let noOrigin = Fault(
    .malformed, "D-164", "--url needs an address without a path, such as https://music.example")

  /// What a request's `Host` may be, for a server that listens at `address`. Another one comes from a page that was led
  /// here by a name of its own.
  func hosts(_ address: String) -> Set<ExactText> {
    var hosts = [address]
    if listen == "127.0.0.1" || listen == "::1" {
      let port = address.split(separator: ":").last.map { String($0) } ?? ""
      hosts += ["localhost:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)"]
    }
    // Nobody says the port that HTTP has anyway.
    hosts += hosts.filter { $0.hasSuffix(":80") }.map { String($0.dropLast(3)) }
    if let url, let slash = url.utf8.lastIndex(of: UInt8(ascii: "/")) {
      hosts.append(String(url[url.utf8.index(after: slash)...]))
    }
    return Set(hosts.map { ExactText($0) })
  }
}
