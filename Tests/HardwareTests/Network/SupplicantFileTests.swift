import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("What wpa_supplicant is told")
struct SupplicantFileTests {
  private func text(_ ssid: String, _ password: String?) throws -> String {
    let network = StickSetup.Network(ssid: ssid, password: password)
    return String(decoding: try SupplicantFile.bytes(joining: network), as: UTF8.self)
  }

  private func value(_ key: String, in text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("\t\(key)=") }.map { String($0.dropFirst(key.count + 2)) }
  }

  private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(
    "the key is the one of the standard's own examples",
    arguments: [
      ("password", "IEEE", "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"),
      ("ThisIsAPassword", "ThisIsASSID", "0dc0d6eb90555ed6419756b9a15ec3e3209b63df707dd508d14581f8982721af"),
      (
        String(repeating: "a", count: 32), String(repeating: "Z", count: 32),
        "becb93866bb8c3832cb777c2f559807c8c59afcb6eae734885001300a981cc62"
      ),
    ])
  func keys(password: String, ssid: String, key: String) throws {
    #expect(hexadecimal(try NetworkKey.made(of: Array(password.utf8), for: Array(ssid.utf8))) == key)
  }

  @Test("a network with a password, an open one, and one with the key itself")
  func kinds() throws {
    #expect(
      try text("Home", "correct horse") == """
        # Written by layby setup from what the owner has confirmed.
        ctrl_interface=/run/wpa_supplicant
        update_config=0
        network={
        \tssid=486f6d65
        \tscan_ssid=1
        \tkey_mgmt=WPA-PSK SAE
        \tieee80211w=1
        \tpsk=474ba82aa7ecbb0ee0d6a6f625529213ba1e52c48f85417392be8654a469b297
        \tsae_password=636f727265637420686f727365
        }

        """)
    let open = try text("Café", nil)
    #expect(value("ssid", in: open) == "436166c3a9" && value("key_mgmt", in: open) == "NONE" && !open.contains("psk"))
    let key = String(repeating: "aF09", count: 16)
    let locked = try text("x", key)
    #expect(value("psk", in: locked) == key && !locked.contains("\""))
  }

  @Test(
    "what is no password is not written, whoever let it through",
    arguments: [
      "1234567", "12345678\n}", "12345678\r", "12345678\0", "pässword1", String(repeating: "x", count: 64),
      String(repeating: "x", count: 200),
    ])
  func refused(password: String) throws {
    #expect(try faultOf { try text("Home", password) }.code == "H-730")
  }

  @Test("whatever a network is called and its password is, only digits of it get into the file")
  func walk() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<3 {
      let ssid = String(
        decoding: (0..<Int.random(in: 1...32, using: &dice)).map { _ in UInt8.random(in: 0...127, using: &dice) },
        as: UTF8.self)
      let password = String(
        decoding: (0..<Int.random(in: 8...63, using: &dice)).map { _ in UInt8.random(in: 0x20...0x7E, using: &dice) },
        as: UTF8.self)
      let text = try text(ssid, password)
      #expect(text.split(separator: "\n").count == 11, "seed \(seed)")
      #expect(value("ssid", in: text) == hexadecimal(ssid.utf8), "seed \(seed)")
      #expect(value("sae_password", in: text) == hexadecimal(password.utf8), "seed \(seed)")
      #expect(value("psk", in: text)?.count == 64, "seed \(seed)")
    }
  }
}
