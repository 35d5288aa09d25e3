import Runtime

/// What holds for all transfers; from the owner's settings.
package struct TransferSettings: Sendable {
  package enum LeastTLS: Sendable { case tls12, tls13 }

  /// Whose signatures are believed.
  package enum Authorities: Sendable, Equatable {
    /// Read by OpenSSL when they are first needed, and once a day: the only file that is looked at on `net`.
    case system
    /// Certificates as PEM text.
    case these([UInt8])
  }

  package var leastTLS = LeastTLS.tls13
  package var authorities = Authorities.system
  /// By host, without its port, as `WebPlace` reads it.
  package private(set) var pins: [String: PinnedKeys] = [:]
  /// Hosts that are spoken to by TLS only; those that ask for it are added.
  package var strictHosts = StrictHosts()
  /// `http://name:port`, `socks5h://...`; nil for none. What the environment says does not count.
  package var proxy: String?
  /// Hosts that are reached without the proxy, with commas between.
  package var withoutProxy: String?
  package var userAgent = "layby"
  /// Connections that are kept for the next transfer when nobody uses them.
  package var keptConnections = 6
  package var bytesASecond: Int64?
  /// Spoken where the server knows it too.
  package var speaksHTTP2 = true

  /// Tells from where an address can be reached. Tests replace it, because they can connect to this device only.
  package var reach: @Sendable (String) -> NetworkReach = { NetworkReach(of: $0) }

  package init() {}

  /// Whether the proxy is who asks this host; read as curl reads its list.
  func isByProxy(_ host: String) -> Bool {
    guard proxy != nil else { return false }
    let direct = (withoutProxy ?? "").lowercased().split { $0 == "," || $0 == " " }
    let name = host.lowercased().filter { $0 != "[" && $0 != "]" }
    return !direct.contains { entry in
      let entry = entry.drop { $0 == "." }.filter { $0 != "[" && $0 != "]" }
      return entry == "*" || name == entry || name.hasSuffix(".\(entry)")
    }
  }

  /// The host in `address` is believed by these keys alone, and asked by TLS only, whatever its port. The address is read
  /// as a transfer's is, so that no way of writing it, `[::1]` or `127.1`, goes without.
  package mutating func pin(_ address: String, to keys: PinnedKeys) throws(Fault) {
    try Curl.need()
    guard let host = WebPlace(address)?.host else {
      throw Fault(.malformed, "N-225", "what a key is pinned to is no address that could be asked")
    }
    guard pins[host] == nil || pins[host] == keys else {
      throw Fault(.malformed, "N-226", "\(shownPlain(host)) is pinned to other keys already; a host has one pair")
    }
    pins[host] = keys
  }
}

/// The SHA-256 sums of two public keys as `openssl dgst -sha256 -binary | base64` writes them. There are two, so that a
/// server whose key is lost or stolen can go on with the other: with one alone it would be out of reach for ever.
package struct PinnedKeys: Sendable, Equatable {
  package let key: String
  package let backup: String

  package init(_ key: String, backup: String) throws(Fault) {
    for sum in [key, backup] where !Self.isSum(sum) {
      throw Fault(.malformed, "N-220", "\"\(shownPlain(sum))\" is not a SHA-256 sum in base 64")
    }
    guard key != backup else {
      throw Fault(.malformed, "N-221", "a pinned key and its backup must be two different keys")
    }
    (self.key, self.backup) = (key, backup)
  }

  /// 32 bytes are 43 signs and one to fill up.
  private static func isSum(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 44, bytes.last == UInt8(ascii: "=") else { return false }
    return bytes.dropLast().allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
      default: false
      }
    }
  }

  var asCurlWantsThem: String { "sha256//\(key);sha256//\(backup)" }
}
