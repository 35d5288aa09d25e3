import Runtime

/// The configuration file of wpa_supplicant, which joins wireless networks: the one that the owner has chosen on the
/// panel, on a stick or on the card.
///
/// An injected line in this file could make it load a library as root. Versions also differ in how they read quoted text,
/// and log a password that they refuse. So name and password are written as hexadecimal digits; a country is two
/// letters, and was checked for that.
package enum SupplicantFile {
  package static let controlFolder = FilePath("/run/wpa_supplicant")

  package static func bytes(joining network: StickSetup.Network) throws(Fault) -> [UInt8] {
    var lines = [
      "# Written by layby setup from what the owner has confirmed.", "ctrl_interface=\(controlFolder)",
      "update_config=0",
    ]
    // Two letters, as the parser of the stick's file has seen to.
    if let country = network.country, country.utf8.count == 2, country.utf8.allSatisfy({ 0x41...0x5A ~= $0 }) {
      lines.append("country=\(country)")
    }
    lines += [
      "network={",
      // In hexadecimal digits: a name may be any bytes.
      "\tssid=\(hexadecimal(network.ssid.utf8))",
      // Some networks do not say that they are there.
      "\tscan_ssid=1",
    ]
    if let password = network.password {
      let bytes = Array(password.utf8)
      if bytes.count == 64, bytes.allSatisfy(isHexadecimal) {
        lines += ["\tkey_mgmt=WPA-PSK", "\tpsk=\(password)"]
      } else {
        // The parser of the stick's file has seen to it; who writes for root sees to it again.
        guard (8...63).contains(bytes.count), bytes.allSatisfy({ 0x20...0x7E ~= $0 }) else {
          throw Fault(.malformed, "H-730", "the password cannot be written for wpa_supplicant")
        }
        let key = try NetworkKey.made(of: bytes, for: Array(network.ssid.utf8))
        // The newer way wants the password itself; it is used where both ends know it.
        lines += [
          "\tkey_mgmt=WPA-PSK SAE", "\tieee80211w=1", "\tpsk=\(hexadecimal(key))",
          "\tsae_password=\(hexadecimal(bytes))",
        ]
      }
    } else {
      lines.append("\tkey_mgmt=NONE")
    }
    return Array((lines + ["}", ""]).joined(separator: "\n").utf8)
  }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
  }
}
