import Runtime

extension SettingType<String?> {
  /// Of HTTP unless it is said, and as it is sent: nothing in it that would have to be encoded.
  static func address(_ example: String, by schemes: [String] = ["http", "https"]) -> Self {
    SettingType(
      expected: "an address such as \(example), or none", choices: ["none"],
      form: ["type": "address", "maximum": 2_048, "choices": ["none"]],
      parse: { text in
        if text == "none" { return .some(nil) }
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"#\\\"<>^`{|}".utf8.contains($0) }
        for scheme in schemes.map({ $0 + "://" }) where text.hasPrefix(scheme) && isPlain && text.utf8.count <= 2_048 {
          let host = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
          if !host.isEmpty { return .some(text) }
        }
        return nil
      },
      format: { $0 ?? "none" }, example: example)
  }

  /// The SHA-256 sum of a public key.
  static var keySum: Self { bytes32("a SHA-256 sum") }

  /// A public key for Ed25519 signatures.
  static var publicKey: Self { bytes32("a public key") }

  /// 32 bytes in base 64: 43 signs and one to fill up.
  private static func bytes32(_ what: String) -> Self {
    SettingType(
      expected: "\(what) in base 64, of 44 signs, or none", choices: ["none"],
      form: ["type": "sum", "choices": ["none"]],
      parse: { text in
        if text == "none" { return .some(nil) }
        let bytes = Array(text.utf8)
        guard bytes.count == 44, bytes.last == UInt8(ascii: "=") else { return nil }
        let areSigns = bytes.dropLast().allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
          default: byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
          }
        }
        return areSigns ? .some(text) : nil
      },
      format: { $0 ?? "none" })
  }
}
