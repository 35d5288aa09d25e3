// layby.conf: where music is fetched from, a section for each source: `[source kiosk]`.

/// A source's name is part of what its music is known by, so it stays the same for as long as the source is the same.
package enum SourceSection {
  static let word = "source"
  /// In the table and the explanation it stands for all of them.
  static let example = "NAME"

  static func section(of name: String) -> String { "\(word) \(name)" }

  /// Of a section, if it is a source's: letters, digits, `-`, `_` and `.`.
  static func name(in section: some StringProtocol) -> String? {
    guard section.hasPrefix("\(word) ") else { return nil }
    let name = section.dropFirst(word.count + 1)
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
    }
    return isPlain && (1...32).contains(name.utf8.count) ? String(name) : nil
  }
}

/// What answers at the address.
package enum SourceKind: Equatable, Sendable {
  /// A folder of any web server, with the index that `layby index` writes.
  case directory
}

extension Setting<SourceKind> {
  package static func sourceKind(_ name: String) -> Self {
    Setting(
      .owner, SourceSection.section(of: name), "kind", .choice(["directory": .directory]), .directory,
      "What the source is: a web server's folder with an index in it.")
  }
}

extension Setting<String?> {
  package static func sourceURL(_ name: String) -> Self {
    Setting(
      .owner, SourceSection.section(of: name), "url", .address("https://server.example/music/"), nil,
      "The address of the source; without it the section counts for nothing.")
  }

  package static func sourcePin(_ name: String) -> Self {
    Setting(
      .owner, SourceSection.section(of: name), "pin", .keySum, nil,
      "The SHA-256 sum of the public key that the server must have, in addition to a valid certificate.",
      example: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
  }

  package static func sourceBackupPin(_ name: String) -> Self {
    Setting(
      .owner, SourceSection.section(of: name), "backup_pin", .keySum, nil,
      "The sum of a second key, which the server uses if it loses the first. A pin needs a backup_pin.",
      example: "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
  }
}

extension Settings {
  /// The names of all sources that have an address.
  package var sources: [String] {
    sourceSections.filter { self[.sourceURL($0)] != nil }
  }
}
