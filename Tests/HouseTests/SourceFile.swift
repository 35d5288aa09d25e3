/// A file of the house as the rules see it: a path from the top, and its text.
struct SourceFile: Sendable {
  let path: String
  let text: String
  /// The text without comments and without what stands in string literals; lines stay lines. Most rules want it.
  let code: String

  init(path: String, text: String) {
    (self.path, self.text) = (path, text)
    code = path.hasSuffix(".swift") ? Self.code(of: text) : ""
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
  var lines: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }

  /// `Sources/Canvas/Picture.swift` belongs to Canvas, `Sources/CLibraries/CZ/shim.h` to CZ.
  var target: String {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count > 2, parts[0] == "Sources" else { return "" }
    return parts[1] == "CLibraries" ? parts[2] : parts[1]
  }

  /// The type that it is named for: `Sources/Audio/Effects/EqualiserCurve+Text.swift` is about Audio's EqualiserCurve.
  var type: String {
    let name = path.split(separator: "/").last?.prefix { $0 != "+" && $0 != "." } ?? ""
    return "\(target)/\(name)"
  }

  /// Codes of faults and notices that are made here ("A-152"); lines that only ask for one make none.
  var codes: Set<String> {
    var found: Set<String> = []
    for line in Array(text.utf8).split(separator: UInt8(ascii: "\n")) where line.count > 6 {
      let bytes = Array(line)
      let quotes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\"") && $0 + 6 < bytes.count }
      if quotes.isEmpty || String(decoding: bytes, as: UTF8.self).contains("== \"") { continue }
      for start in quotes {
        let code = bytes[(start + 1)...(start + 5)]
        guard bytes[start + 6] == bytes[start], (0x41...0x5A).contains(bytes[start + 1]), bytes[start + 2] == 0x2D,
          code.suffix(3).allSatisfy({ (0x30...0x39).contains($0) })
        else { continue }
        found.insert(String(decoding: code, as: UTF8.self))
      }
    }
    return found
  }

  struct Import: Equatable {
    let module: String
    let isInternal: Bool
  }

  var imports: [Import] {
    code.split(separator: "\n").compactMap { line in
      let words = line.split(whereSeparator: { " \t".contains($0) }).map(String.init)
      guard let at = words.firstIndex(of: "import"), at + 1 < words.count else { return nil }
      let before = words[..<at]
      let access = ["public", "package", "internal", "fileprivate", "private"]
      guard before.allSatisfy({ $0.hasPrefix("@") || access.contains($0) }) else { return nil }
      let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
      let name = kinds.contains(words[at + 1]) ? words.last ?? "" : words[at + 1]
      let module = name.split(separator: ".").first.map(String.init) ?? ""
      return Import(module: module, isInternal: before.contains("internal"))
    }
  }

  private static func code(of text: String) -> String {
    let bytes = Array(text.utf8)
    var (at, result) = (0, [UInt8]())
    result.reserveCapacity(bytes.count)
    func isNext(_ word: StaticString) -> Bool {
      guard at + word.utf8CodeUnitCount <= bytes.count else { return false }
      for place in 0..<word.utf8CodeUnitCount where bytes[at + place] != word.utf8Start[place] { return false }
      return true
    }
    func skip(_ begin: Int, past end: StaticString, escaping: Bool = false) {
      at += begin
      while at < bytes.count, !isNext(end) {
        if escaping, bytes[at] == UInt8(ascii: "\\") { at += 1 }
        if at < bytes.count, bytes[at] == UInt8(ascii: "\n") { result.append(bytes[at]) }
        at += 1
      }
      at += end.utf8CodeUnitCount
    }
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "/") where isNext("//"):
        while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
      case UInt8(ascii: "/") where isNext("/*"): skip(2, past: "*/")
      case UInt8(ascii: "#") where isNext("#\"\"\""): skip(4, past: "\"\"\"#")
      case UInt8(ascii: "#") where isNext("#\""): skip(2, past: "\"#")
      case UInt8(ascii: "\"") where isNext("\"\"\""): skip(3, past: "\"\"\"")
      case UInt8(ascii: "\""): skip(1, past: "\"", escaping: true)
      default:
        result.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
