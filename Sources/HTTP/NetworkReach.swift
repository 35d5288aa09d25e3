import Glibc

/// Whether an address is on the internet, or only in this network or on this device.
package enum NetworkReach: Sendable, Equatable {
  case everywhere
  /// Loopback, link-local, private (RFC 1918, RFC 4193), shared by a provider (RFC 6598), multicast and reserved ones.
  case local

  /// `address` is an IP address as the kernel and curl write it, perhaps with "%eth0" at the end. Any other text counts
  /// as local.
  package init(of address: String) {
    let number = String(address.prefix { $0 != "%" })
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, number, &four) == 1 {
      self.init(four: UInt32(bigEndian: four.s_addr))
    } else if inet_pton(AF_INET6, number, &six) == 1 {
      self.init(six: withUnsafeBytes(of: six) { Array($0) })
    } else {
      self = .local
    }
  }

  /// For a host whose name only a proxy looks up, so that its address is not known here. An IP address is judged as such.
  /// Names that exist only in local networks (RFC 6761, 6762, 8375, and names without a dot) are local, and so are names
  /// with unusual characters. `host` is as curl reads it: "2130706433" has become 127.0.0.1.
  package init(ofHost host: String) {
    var name = Substring(host.lowercased())
    if name.hasSuffix(".") { name.removeLast() }
    if name.hasPrefix("["), name.hasSuffix("]") {
      self.init(of: String(name.dropFirst().dropLast()))
      return
    }
    let isNumber = name.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
    let isInside = Self.insideOnly.contains { name.hasSuffix(".\($0)") } || !name.contains(".")
    if isNumber {
      self.init(of: String(name))
    } else {
      self = isInside || !name.utf8.allSatisfy { $0 < 0x80 } ? .local : .everywhere
    }
  }

  private static let insideOnly = ["localhost", "local", "home.arpa", "internal", "lan", "home", "corp", "private"]

  private init(four address: UInt32) {
    let isLocal =
      switch (address >> 24, address >> 16 & 0xFF) {
      case (0, _), (10, _), (127, _), (224..., _): true
      case (100, 64...127), (169, 254), (172, 16...31), (192, 168), (198, 18...19): true
      default: false
      }
    self = isLocal ? .local : .everywhere
  }

  private init(six address: [UInt8]) {
    let isEmbedded =
      // IPv4 in IPv6: ::ffff:a.b.c.d, the old ::a.b.c.d (so also :: and ::1), and addresses that a NAT64 translates.
      address[..<10].allSatisfy { $0 == 0 } && (address[10...11] == [0xFF, 0xFF] || address[10...11] == [0, 0])
      || address[..<12] == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
    if isEmbedded {
      self.init(four: address[12...].reduce(0) { $0 << 8 | UInt32($1) })
      return
    }
    // Only 2000::/3 is routed on the internet, without 2001:db8::/32, which is reserved for documentation.
    self = address[0] & 0xE0 == 0x20 && address[..<4] != [0x20, 0x01, 0x0D, 0xB8] ? .everywhere : .local
  }
}
