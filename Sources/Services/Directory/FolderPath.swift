import Runtime

/// A path below a server's folder, which cannot lead anywhere else: not above the folder, not to another host, not to
/// another name by what a server or a proxy makes of it.
package struct FolderPath: Hashable, Sendable {
  package enum Mistake: String, Error, Sendable {
    case empty = "is empty"
    case long = "is longer than 1024 bytes"
    case absolute = "begins at the server's root"
    case leavesFolder = "leads out of the folder, or through \".\""
    case hasEmptyName = "has a name without letters in it"
    case hasControls = "has control characters in it"
  }

  package static let longest = 1_024

  /// With slashes between names, none of them encoded.
  package var text: String { exact.text }
  private let exact: ExactText

  package init(_ text: String) throws(Mistake) {
    let bytes = Array(text.utf8)
    if bytes.isEmpty { throw .empty }
    if bytes.count > Self.longest { throw .long }
    if bytes[0] == Self.slash { throw .absolute }
    for scalar in text.unicodeScalars where Self.isControl(scalar) { throw .hasControls }
    for name in bytes.split(separator: Self.slash, omittingEmptySubsequences: false) {
      if name.isEmpty { throw .hasEmptyName }
      if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { throw .leavesFolder }
      // Some servers take it for a slash.
      for part in name.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)
      where part.elementsEqual("..".utf8) { throw .leavesFolder }
    }
    exact = ExactText(text)
  }

  /// The ending without its dot, in small letters; empty when there is none.
  package var ending: String {
    let name = text.utf8.split(separator: Self.slash).last ?? text.utf8[...]
    return name.fileEnding
  }

  /// As it stands in an address: all but letters, digits and four signs by their numbers, so that nothing in a name
  /// means anything.
  package var encoded: String { Self.encode(text, keeping: [Self.slash]) }

  package static func encode(_ text: String, keeping kept: [UInt8] = []) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: encoded.append(byte)
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): encoded.append(byte)
      case _ where kept.contains(byte): encoded.append(byte)
      default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Decodes `%XX`. Anything else stays as it is.
  package static func decode(_ text: String) -> String {
    var decoded: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      let areDigits = digits.utf8.count == 2 && digits.allSatisfy(\.isHexDigit)
      if byte == UInt8(ascii: "%"), areDigits, let number = UInt8(digits, radix: 16) {
        decoded.append(number)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static let slash = UInt8(ascii: "/")
  private static let digits = Array("0123456789ABCDEF".utf8)

  static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }
}

/// The address of the folder; paths stand behind it.
package struct FolderAddress: Equatable, Sendable {
  /// With a slash at the end.
  package let text: String

  /// Nil for what is no plain address of a folder: another scheme, a question, a mark, spaces.
  package init?(_ text: String) {
    var rest = text[...]
    for scheme in ["https://", "http://"] where rest.lowercased().hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
      let host = rest.prefix { $0 != "/" }
      guard !host.isEmpty, text.utf8.count <= 2_048, Self.firstMisfit(in: text) == nil else { return nil }
      self.text = text.hasSuffix("/") ? text : text + "/"
      return
    }
    return nil
  }

  private static func firstMisfit(in text: String) -> Int? {
    for (place, byte) in text.utf8.enumerated() {
      if byte <= 0x20 || byte >= 0x7F || "?#\\\"<>^`{|}".utf8.contains(byte) { return place }
    }
    return nil
  }

  /// Why there is none in `text`, for panels and journals: what may be a secret in it is not told.
  package static func complaint(about text: String) -> String {
    let shown = "\(withoutSecrets(text)) is no address of a folder"
    guard let place = firstMisfit(in: text) else { return shown }
    let byte = Array(text.utf8)[place]
    let sign = (0x21..<0x7F).contains(byte) ? "'\(Character(UnicodeScalar(byte)))'" : "0x\(String(byte, radix: 16))"
    return "\(shown): its byte \(place + 1) is \(sign)"
  }

  package func address(of path: FolderPath) -> String { text + path.encoded }
}
