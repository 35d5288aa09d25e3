/// A source's name is part of what its music is known by, so it stays the same for as long as the source is the same.
package enum SourceSection {
  static let word = "source"
  /// In the table and the explanation it stands for all of them.
  package static let example = "NAME"

  package static func section(of name: String) -> String { "\(word) \(name)" }

  /// Of a section, if it is a source's.
  static func name(in section: some StringProtocol) -> String? {
    guard section.hasPrefix("\(word) ") else { return nil }
    let name = section.dropFirst(word.count + 1)
    return isName(name) ? String(name) : nil
  }

  /// Letters, digits, `-`, `_` and `.`.
  package static func isName(_ name: some StringProtocol) -> Bool {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
    }
    return isPlain && (1...32).contains(name.utf8.count)
  }
}
