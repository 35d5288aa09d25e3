/// The house's rules as pure functions from its text to complaints; an empty list means the rule holds.
enum HouseRules {
  /// C code of our own, not a library's: the ground floor needs it, and the rooms that open the kernel's devices.
  static let roomsOfCLinux: Set = ["Runtime", "Hardware", "Canvas", "Supervisor"]
  static let uncheckedSendables = 10

  /// `uses` run down only.
  static func floors(_ plan: Plan) -> [String] {
    plan.rooms.flatMap { room -> [String] in
      guard let floor = Plan.floor(of: room.name) else { return ["\(room.name) stands on no floor of Plan.floors"] }
      return room.uses.compactMap { used in
        guard let below = Plan.floor(of: used) else { return "\(room.name) uses \(used), which is no room" }
        return below < floor ? nil : "\(room.name) uses \(used), which is not below it"
      }
    }
  }

  /// A file imports what its room says it uses, and nothing else of the house.
  static func imports(_ files: [SourceFile], _ plan: Plan) -> [String] {
    let names = Set(plan.rooms.map(\.name))
    return files.filter(\.isSwift).flatMap { file -> [String] in
      let room = plan.rooms.first { $0.name == file.target }
      guard let room else { return ["\(file.path) lies in a room that Package.swift does not name"] }
      return file.imports.map(\.module).compactMap { module in
        guard names.contains(module), !room.uses.contains(module) else { return nil }
        return "\(file.path) imports \(module), which \(room.name) does not use"
      }
    }
  }

  /// A C module belongs to one room and shows through none: `internal import`.
  static func libraries(_ files: [SourceFile], _ plan: Plan) -> [String] {
    let modules = Set(files.filter { $0.path.hasPrefix("Sources/CLibraries/") }.map(\.target))
    var users: [String: Set<String>] = [:]
    var complaints: [String] = []
    for room in plan.rooms { for module in room.c { users[module, default: []].insert(room.name) } }
    for file in files where file.isSwift {
      for used in file.imports where modules.contains(used.module) {
        users[used.module, default: []].insert(file.target)
        if !used.isInternal { complaints.append("\(file.path) imports \(used.module) without `internal`") }
      }
    }
    for (module, rooms) in users.sorted(by: { $0.key < $1.key }) {
      let list = rooms.sorted().joined(separator: ", ")
      if module == "CLinux" {
        if !rooms.isSubset(of: roomsOfCLinux) { complaints.append("CLinux is used by \(list)") }
      } else if rooms.count > 1 {
        complaints.append("\(module) is used by more than one room: \(list)")
      }
    }
    return complaints
  }

  /// No target holds more than a third of the lines under Sources.
  static func shares(_ files: [SourceFile]) -> [String] {
    let lines = Dictionary(files.map { ($0.target, $0.lines) }, uniquingKeysWith: +)
    let all = lines.values.reduce(0, +)
    return lines.sorted { $0.key < $1.key }.filter { $0.value * 3 > all }
      .map { "\($0.key) holds \($0.value) of \(all) lines" }
  }

  static func noFoundation(_ files: [SourceFile]) -> [String] {
    files.filter { $0.isSwift && $0.imports.contains { $0.module.hasPrefix("Foundation") } }
      .map { "\($0.path) imports Foundation" }
  }

  /// A `try?` that loses an error, and an `unowned` that trusts an owner, say why: on the line, or in a comment within the
  /// four lines above.
  static func reasons(_ files: [SourceFile]) -> [String] {
    files.filter(\.isSwift).flatMap { file -> [String] in
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      let code = file.code.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.indices.compactMap { at in
        let line = " \(code[at])"
        guard ["(", " ", "[", "{"].contains(where: { line.contains("\($0)try? ") || line.contains("\($0)unowned ") })
        else {
          return nil
        }
        let isSaid = lines[max(0, at - 4)...at].contains { $0.contains("//") }
        return isSaid ? nil : "\(file.path):\(at + 1) does not say why an error or an owner may be ignored"
      }
    }
  }

  static let mostPictures = 10
  static let mostBytesOfPictures = 300_000

  /// Pictures never leave the history once they were in it: few are kept, each for a page that shows it. A drawing (SVG)
  /// is text, of which the history keeps what changed; it only counts among the bytes.
  static func pictures(_ pictures: [(path: String, bytes: Int)], pages: [SourceFile]) -> [String] {
    let bytes = pictures.map(\.bytes).reduce(0, +)
    let shown = Set(pages.flatMap(picturesShown))
    var complaints = pictures.map(\.path).filter { !shown.contains($0) }.map { "\($0) is on no page" }
    let count = pictures.count { !$0.path.hasSuffix(".svg") }
    if count > mostPictures { complaints.append("\(count) pictures are kept") }
    if bytes > mostBytesOfPictures { complaints.append("the pictures have \(bytes) bytes") }
    return complaints + shown.subtracting(pictures.map(\.path)).sorted().map { "\($0) is shown and not there" }
  }

  /// Paths, from the top, of the pictures that a page shows: "![What it is](../name.png)".
  private static func picturesShown(on page: SourceFile) -> [String] {
    page.text.components(between: "![", and: ")").compactMap { link in
      guard let middle = link.firstRange(of: "](") else { return nil }
      var folders = page.path.split(separator: "/").dropLast()
      for part in link[middle.upperBound...].split(separator: "/") {
        if part == ".." { folders = folders.dropLast() } else { folders.append(part) }
      }
      return folders.joined(separator: "/")
    }
  }

  static func topLevel(_ names: Set<String>) -> [String] {
    let agreed: Set = ["Package.swift", "Sources", "Tests", "board", "image", "README.md", "LICENSE"]
    return names.subtracting(agreed).filter { !$0.hasPrefix(".") }.sorted().map { "\($0) lies at the top" }
  }

  /// These mean the same wherever they are made.
  static let sharedCodes: Set = [
    // Cannot go to a place in a file.
    "A-106",
    // A file cannot be looked at while it is taken in; its source went away.
    "L-403", "L-408",
    // The disk that music is kept on is not there, or another.
    "O-307",
    // There is no source of that name.
    "O-401",
    // A step of a schema ends its own transaction.
    "S-113",
  ]

  /// What people read out means one thing: a code is made in the files of one type. What does not ship makes its own.
  static func codes(_ files: [SourceFile]) -> [String] {
    var makers: [String: Set<String>] = [:]
    // Tables of words only say in other languages what is made elsewhere.
    for file in files where file.isSwift && !["", "bench"].contains(file.target) && !file.path.contains("/Words/") {
      for code in file.codes { makers[code, default: []].insert(file.type) }
    }
    return makers.sorted { $0.key < $1.key }.filter { $0.value.count > 1 && !sharedCodes.contains($0.key) }
      .map { "\($0.key) is made by \($0.value.sorted().joined(separator: " and "))" }
  }

  /// A page that names a Swift file names one that is there: `Player/Player.swift`, or its name alone.
  static func files(namedBy pages: [SourceFile], in files: [SourceFile]) -> [String] {
    let paths = files.map { "/\($0.path)" }
    return pages.flatMap { page in
      page.text.split(separator: "`").filter { $0.hasSuffix(".swift") && !$0.contains(" ") && $0 != "Package.swift" }
        .filter { name in !paths.contains { $0.hasSuffix("/\(name)") } }
        .map { "\(page.path) names \($0), which is not there" }
    }
  }

  /// What tests and the tools of Tests ask of the product, and the product itself does not. This list may only shrink.
  static let askedByTestsAlone: [String: String] = [
    "albumLoudness": "libebur128's own figure, beside which ours is held",
    "checkIsolated": "Swift's runtime calls it",
    "columnCount": "to compare whole tables",
    "debugDescription": "Swift's runtime calls it",
    "hasLeftProcesses": "each started player is asked at its end",
    "isCalibrating": "state", "isLearning": "state", "isSettled": "state", "isSpeaking": "state",
    "isWay": "the law that every download is held to",
    "readyCount": "the simulated weeks step by it",
    "storedGlyphBytes": "a bound on memory", "storedTextBytes": "a bound on memory",
  ]

  /// A rule or a table that only tests call proves nothing of the product. Names are looked for as words, so one that is
  /// declared twice and used once goes unnoticed. VirtualBoard is for tests, and `bench` and `compose` do not ship.
  static func unused(_ files: [SourceFile]) -> [String] {
    var words: [Substring: Int] = [:]
    var declared: [Substring: [String]] = [:]
    for file in files where file.isSwift {
      for line in file.text.utf8.split(separator: UInt8(ascii: "\n")) where !line.isComment {
        let found = line.words
        for word in found { words[word, default: 0] += 1 }
        let ships = !["VirtualBoard", "bench", "compose"].contains(file.target)
        guard ships, let name = declaredName(found) else { continue }
        declared[name, default: []].append(file.path)
      }
    }
    return declared.filter { words[$0.key] == $0.value.count && askedByTestsAlone[String($0.key)] == nil }
      .map { "\($0.key) of \($0.value.sorted().joined(separator: " and ")) is called by nothing but tests" }.sorted()
  }

  /// Of a line such as `package static func start(`.
  private static func declaredName(_ words: [Substring]) -> Substring? {
    guard let at = words.firstIndex(of: "package") else { return nil }
    let kinds: Set<Substring> = ["func", "var", "let", "struct", "enum", "class", "actor", "protocol", "typealias"]
    let before: Set<Substring> = [
      "package", "private", "set", "static", "final", "mutating", "nonisolated", "indirect",
    ]
    let kind = words[at...].drop { before.contains($0) }
    guard let first = kind.first, kinds.contains(first) else { return nil }
    return kind.dropFirst().first
  }

  /// What dies instead of telling, and promises that the compiler does not check.
  static func forbidden(_ files: [SourceFile]) -> [String] {
    var complaints: [String] = []
    var unchecked: [String] = []
    for file in files where file.isSwift {
      let code = file.code
      for word in ["try!", "as!"] where code.contains(word) { complaints.append("\(file.path) has \(word)") }
      if file.path.hasPrefix("Sources/") {
        unchecked += code.split(separator: "\n").filter { $0.contains("@unchecked Sendable") }.map { _ in file.path }
      }
    }
    if unchecked.count > uncheckedSendables {
      complaints.append("\(unchecked.count) @unchecked Sendable: \(Set(unchecked).sorted())")
    }
    return complaints
  }
}

extension Substring.UTF8View {
  fileprivate var isComment: Bool { drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8) }

  fileprivate var words: [Substring] {
    split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): false
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): false
      default: true
      }
    }.map { Substring($0) }
  }
}

extension String {
  /// What stands between each `begin` and the next `end`.
  func components(between begin: String, and end: String) -> [Substring] {
    var (found, rest) = ([Substring](), self[...])
    while let first = rest.firstRange(of: begin), let last = rest[first.upperBound...].firstRange(of: end) {
      found.append(rest[first.upperBound..<last.lowerBound])
      rest = rest[last.upperBound...]
    }
    return found
  }
}
