/// How much one type of a room owns. A type with many stored properties, or in many files, has several jobs.
enum OwnerRules {
  /// Rooms whose types were cut into owners.
  static let rooms: Set = ["Offline"]
  static let mostStored = 12
  static let mostFiles = 4

  /// These have more stored properties. The list may only shrink: each number is the exact one.
  static let larger = [
    // A row: a property for each column.
    "DownloadRecord": 22,
    // An answer: a property for each line that is shown.
    "OfflineHealth": 19,
  ]

  static func complaints(_ files: [SourceFile], larger: [String: Int] = larger) -> [String] {
    var stored: [String: Int] = [:]
    var places: [String: Set<String>] = [:]
    for file in files where file.isSwift && rooms.contains(file.target) {
      let found = SourceTypes(file.code)
      stored.merge(found.stored, uniquingKeysWith: +)
      for type in found.named { places[type, default: []].insert(file.path) }
    }
    let many = stored.filter { $0.value > larger[$0.key] ?? mostStored }
      .map { "\($0.key) has \($0.value) stored properties" }
    let shrunk = larger.filter { stored[$0.key] != nil && stored[$0.key, default: 0] < $0.value }
      .map { "\($0.key) has \(stored[$0.key, default: 0]) stored properties by now, not \($0.value)" }
    let spread = places.filter { $0.value.count > mostFiles }.map { "\($0.key) is in \($0.value.count) files" }
    return (many + shrunk + spread).sorted()
  }

  static let mostInAssemblies = 10

  /// An assembly connects what belongs together. One that owns more has a second subject.
  static func assemblies(_ files: [SourceFile]) -> [String] {
    var stored: [String: Int] = [:]
    for file in files where file.isSwift && file.path.hasPrefix("Sources/layby/Assemblies/") {
      stored.merge(SourceTypes(file.code).stored, uniquingKeysWith: +)
    }
    return stored.filter { $0.value > mostInAssemblies }.map { "\($0.key) has \($0.value) stored properties" }.sorted()
  }
}

/// The types that a file declares or extends, and how many stored properties it gives each. Read from text that is formatted
/// as `swift format` does it, and without comments.
private struct SourceTypes {
  /// By the whole name, `ActiveDownload.Transfer`.
  private(set) var stored: [String: Int] = [:]
  /// Those of the outermost level, extensions too.
  private(set) var named: Set<String> = []

  private static let kinds: Set<Substring> = ["struct", "class", "actor", "enum", "extension", "protocol"]

  init(_ code: String) {
    /// What is open, with the depth of braces outside it.
    var open: [(name: String, depth: Int)] = []
    var depth = 0
    for line in code.split(separator: "\n") {
      let words = line.split { " :<".contains($0) }
      let deeper = line.utf8.count { $0 == UInt8(ascii: "{") } - line.utf8.count { $0 == UInt8(ascii: "}") }
      if let at = words.firstIndex(where: { Self.kinds.contains($0) }), at + 1 < words.count, line.contains("{"),
        words[..<at].allSatisfy({ $0.allSatisfy(\.isLetter) })
      {
        let name = String(words[at + 1])
        if open.isEmpty { named.insert(String(name.prefix { $0 != "." })) }
        if deeper > 0, words[at] != "protocol" { open.append((name, depth)) }
      } else if let type = open.last, depth == type.depth + 1 {
        let count = Self.storedProperties(in: line)
        if count > 0 { stored[open.map(\.name).joined(separator: "."), default: 0] += count }
      }
      depth += deeper
      while let type = open.last, depth <= type.depth { open.removeLast() }
    }
  }

  /// `var (a, b) = (0, 0)` are two; what has a body and no value is computed.
  private static func storedProperties(in line: Substring) -> Int {
    var rest = line.drop { $0 == " " }
    while true {
      let word = rest.prefix { !" (".contains($0) }
      if word == "let" || word == "var" { break }
      let modifiers = ["package", "private", "fileprivate", "nonisolated", "lazy", "weak", "unowned", "final"]
      guard modifiers.contains(where: { $0 == word }) else { return 0 }
      rest = rest.dropFirst(word.count)
      if rest.hasPrefix("(set)") { rest = rest.dropFirst(5) }
      rest = rest.drop { $0 == " " }
    }
    let declared = rest.dropFirst(4)
    if rest.hasPrefix("var"), let body = declared.firstIndex(of: "{"), !declared[..<body].contains("=") { return 0 }
    guard declared.hasPrefix("(") else { return 1 }
    return declared.prefix { $0 != ")" }.count { $0 == "," } + 1
  }
}
