/// A file of the house as the rules see it: a path from the top, and its text.
struct SourceFile: Sendable {
  let path: String
  let text: String

  var isSwift: Bool { path.hasSuffix(".swift") }
  var lines: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }

  /// `Sources/Canvas/Picture.swift` belongs to Canvas, `Sources/CLibraries/CZ/shim.h` to CZ.
  var target: String {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count > 2, parts[0] == "Sources" else { return "" }
    return parts[1] == "CLibraries" ? parts[2] : parts[1]
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

  /// The text without comments and without what stands in string literals; lines stay lines.
  var code: String {
    var rest = Array(text.utf8)[...]
    var result: [UInt8] = []
    func skip(past end: String) {
      while !rest.isEmpty, !rest.starts(with: end.utf8) {
        if end == "\"", rest.first == UInt8(ascii: "\\") { rest.removeFirst() }
        if rest.popFirst() == UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
      }
      rest = rest.dropFirst(end.utf8.count)
    }
    while let first = rest.first {
      if rest.starts(with: "//".utf8) {
        while let byte = rest.first, byte != UInt8(ascii: "\n") { rest.removeFirst() }
      } else if rest.starts(with: "/*".utf8) {
        skip(past: "*/")
      } else if rest.starts(with: "#\"\"\"".utf8) {
        rest = rest.dropFirst(4)
        skip(past: "\"\"\"#")
      } else if rest.starts(with: "#\"".utf8) {
        rest = rest.dropFirst(2)
        skip(past: "\"#")
      } else if rest.starts(with: "\"\"\"".utf8) {
        rest = rest.dropFirst(3)
        skip(past: "\"\"\"")
      } else if first == UInt8(ascii: "\"") {
        rest.removeFirst()
        skip(past: "\"")
      } else {
        result.append(first)
        rest.removeFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
