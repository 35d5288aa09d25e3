import Runtime

/// Settings of all transfers.
package struct TransferSettings: Sendable {
  package enum LeastTLS: Sendable { case tls12, tls13 }

  /// Which certificate authorities are trusted.
  package enum Authorities: Sendable, Equatable {
    /// The system's. OpenSSL reads their file when it is first needed, and once a day. It is the only file that the loop
    /// `net` reads.
    case system
    /// Certificates as PEM text.
    case these([UInt8])
  }

  package var leastTLS = LeastTLS.tls13
  package var authorities = Authorities.system
  /// By host, without the port, as `WebPlace` gives it.
  package private(set) var pins: [String: PinnedKeys] = [:]
  /// Hosts that are reached by TLS only, at the start; hosts that ask for it are added.
  package var strictHosts = StrictHosts()
  /// `http://name:port`, `socks5h://...`; nil for none. Environment variables such as `http_proxy` are ignored.
  package var proxy: String?
  /// Hosts that are reached without the proxy, with commas between.
  package var withoutProxy: String?
  package var userAgent = "layby"
  /// How many idle connections are kept for later transfers.
  package var keptConnections = 6
  package var bytesASecond: Int64?
  /// Whether HTTP/2 is used where the server supports it.
  package var speaksHTTP2 = true

  /// Whether an address is on the internet. Tests replace it, because their servers are on this device.
  package var reach: @Sendable (String) -> NetworkReach = { NetworkReach(of: $0) }

  package init() {}

  /// Whether this host is reached through the proxy. It reads `withoutProxy` as curl does.
  func isByProxy(_ host: String) -> Bool {
    guard proxy != nil else { return false }
    let direct = (withoutProxy ?? "").lowercased().split { $0 == "," || $0 == " " }
    let name = host.lowercased().filter { $0 != "[" && $0 != "]" }
    return !direct.contains { entry in
      let entry = entry.drop { $0 == "." }.filter { $0 != "[" && $0 != "]" }
      return entry == "*" || name == entry || name.hasSuffix(".\(entry)")
    }
  }

  /// From now on the host of `address` is trusted only with one of these keys, and reached by TLS only, at every port. The
  /// address is parsed as that of a transfer, so that another way to write the host (`127.1`) does not evade the pin.
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
/// server whose key was lost or stolen can change to the other; with only one it could never be reached again.
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

  /// In base64, 32 bytes are 43 characters and one `=`.
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
