/// The syntax of a settings file: sections, `key = value`, comments. Knows no key.
enum SettingsText {
  enum Line: Equatable {
    case blank
    case section(String)
    case value(key: String, text: String)
  }

  struct Wrong: Error, Equatable {
    let reason: String
  }

  /// Lines as bytes, without what ends them. A byte-order mark, which some editors write, is not text.
  static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
    return text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.last == 0x0D ? Array(line.dropLast()) : Array(line)
    }
  }

  static func read(_ bytes: [UInt8]) throws(Wrong) -> Line {
    guard let line = String(validating: bytes, as: UTF8.self) else {
      throw Wrong(reason: "expected UTF-8; save the file as UTF-8")
    }
    guard !bytes.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else {
      throw Wrong(reason: "expected no control characters")
    }
    let text = trimmed(line)
    // Scalars, not characters: an accent behind a quote or a bracket makes another character of it.
    let first = text.unicodeScalars.first
    if first == nil || first == "#" { return .blank }
    if first == "[" {
      let bare = trimmed(withoutComment(text))
      guard bare.utf8.last == 0x5D, case let name = trimmed(Substring(bare.unicodeScalars.dropFirst().dropLast())),
        case let words = name.split(separator: " "), (1...2).contains(words.count), words.allSatisfy(isWord)
      else {
        throw Wrong(reason: "expected a section such as [sound]")
      }
      return .section(words.joined(separator: " "))
    }
    guard let sign = text.unicodeScalars.firstIndex(of: "="), case let key = trimmed(text[..<sign]), isWord(key) else {
      throw Wrong(reason: "expected \"[section]\", \"key = value\" or \"# comment\"")
    }
    return .value(key: String(key), text: try value(trimmed(text[text.unicodeScalars.index(after: sign)...])))
  }

  private static func isWord(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
  }

  private static func withoutComment(_ text: Substring) -> Substring {
    var previous: Unicode.Scalar = " "
    for place in text.unicodeScalars.indices {
      let scalar = text.unicodeScalars[place]
      if scalar == "#", previous == " " || previous == "\t" { return text[..<place] }
      previous = scalar
    }
    return text
  }

  private static func value(_ text: Substring) throws(Wrong) -> String {
    guard text.unicodeScalars.first == "\"" else { return String(trimmed(withoutComment(text))) }
    var value = ""
    var escaped = false
    let scalars = text.unicodeScalars
    for place in scalars.indices.dropFirst() {
      let scalar = scalars[place]
      if !escaped, scalar == "\"" {
        let rest = trimmed(withoutComment(text[scalars.index(after: place)...]))
        guard rest.isEmpty else { throw Wrong(reason: "expected nothing behind the closing quote") }
        return value
      }
      if !escaped, scalar == "\\" {
        escaped = true
        continue
      }
      guard !escaped || scalar == "\"" || scalar == "\\" else {
        throw Wrong(reason: "expected \\\" or \\\\ within quotes")
      }
      escaped = false
      value.unicodeScalars.append(scalar)
    }
    throw Wrong(reason: "expected a closing quote")
  }

  static func line(_ key: String, _ value: String) -> String { "\(key) = \(written(value))" }

  /// `read` gives it back as it is.
  static func written(_ value: String) -> String {
    let first = value.unicodeScalars.first
    let plain = first != "\"" && trimmed(value[...]) == value && withoutComment(value[...]) == value && !value.isEmpty
    if plain { return value }
    var quoted = "\""
    for scalar in value.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

/// Without blanks and tabs at its ends.
package func trimmed(_ text: some StringProtocol) -> Substring {
  let scalars = Substring(text).unicodeScalars
  let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
  let end = scalars.reversed().drop(while: isBlank).startIndex.base
  let start = scalars[..<end].drop(while: isBlank).startIndex
  return Substring(scalars[start..<end])
}
