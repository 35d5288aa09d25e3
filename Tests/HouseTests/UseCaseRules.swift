/// Who may touch the engines: use cases of Application by a table, and faces not at all. Pure, like `HouseRules`.
enum UseCaseRules {
  /// What does the work. Faces are handed use cases and values instead.
  static let engines: Set = [
    "Transport", "Catalogue", "SessionStore", "OfflinePart", "ImportPart", "CopyPart", "SticksPart", "SoundPath",
    "NetworkPart", "PowerPart", "LightsPart", "EventDevices", "LinesPart",
  ]

  /// Types of `layby` that hold engines. What answers the menu must not reach the engines through them.
  static let wiring: Set = ["ProgramContext", "Storage", "ChosenSettings", "SoundAssembly"]

  /// Which engines a use case may touch. One that is not here may touch none.
  static let mayTouch: [String: Set<String>] = [
    "Browsing": ["Catalogue"], "Health": ["LightsPart", "NetworkPart", "PowerPart", "SoundPath", "Transport"],
    "Importing": ["Catalogue", "CopyPart", "ImportPart"], "InputLearning": ["EventDevices", "LinesPart"],
    "Keeping": ["OfflinePart"], "Licences": [], "Playing": ["Catalogue", "SessionStore", "Transport"],
    "Playlists": ["Catalogue", "SessionStore", "Transport"], "Preferences": [], "SoundSettings": ["Transport"],
    "Sticks": ["ImportPart", "SticksPart"], "WirelessSetup": [],
  ]

  static let mostCollaborators = 5

  /// The panel, the control socket, and the wiring through which the panel still reaches the engines.
  private static func isFace(_ file: SourceFile) -> Bool {
    ["Panel", "Remote"].contains(file.target) || file.type == "layby/ProgramMenuActions"
  }

  /// Each engine that a face names.
  static func faces(_ files: [SourceFile]) -> [String] {
    var complaints: [String] = []
    for file in files where file.isSwift && isFace(file) {
      let named = file.engines.union(wiring.intersection(file.words))
      complaints += named.sorted().map { "\(file.path) names \($0): ask a use case of Application" }
    }
    return complaints
  }

  /// A use case touches its engines only, has few collaborators, keeps nobody's closure, and leaves JSON to faces.
  static func useCases(_ files: [SourceFile], mayTouch: [String: Set<String>] = mayTouch) -> [String] {
    var complaints: [String] = []
    for file in files where file.isSwift && file.target == "Application" {
      let name = file.type.split(separator: "/").last.map(String.init) ?? ""
      // What Application adds to an engine names that engine.
      let allowed = engines.contains(name) ? [name] : mayTouch[name] ?? []
      complaints += file.engines.subtracting(allowed).sorted().map {
        "\(file.path) names \($0), which is not \(name)'s"
      }
      if file.words.contains("JSON") { complaints.append("\(file.path) names JSON, which is for faces") }
      let stored = file.storedProperties
      if stored.count(where: { $0.contains("let ") }) > mostCollaborators, name != "Application" {
        complaints.append("\(file.path) has more than \(mostCollaborators) collaborators")
      }
      if stored.contains(where: { $0.contains("->") }) || file.storesClosureWithin {
        complaints.append("\(file.path) stores a closure")
      }
      if name == "Application", file.code.contains("func ") { complaints.append("\(file.path) has a method") }
    }
    return complaints
  }
}

extension SourceFile {
  fileprivate var engines: Set<String> { UseCaseRules.engines.intersection(words) }

  fileprivate var words: Set<String> {
    let words = code.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): false
      default: true
      }
    }
    return Set(words.map { String(Substring($0)) })
  }

  /// Lines of a type's body that declare what each instance keeps; types that stand inside another are left out.
  fileprivate var storedProperties: [Substring] {
    code.split(separator: "\n").filter { line in
      guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.contains("static ") else { return false }
      let words = line.split(separator: " ").drop { ["private", "private(set)", "package", "weak"].contains($0) }
      guard let kind = words.first else { return false }
      return kind == "let" || kind == "var" && (!line.contains("{") || line.contains("didSet") || line.contains("= {"))
    }
  }

  /// A type that stands inside another keeps one. Only what is declared in a type has an access level.
  fileprivate var storesClosureWithin: Bool {
    code.split(separator: "\n").contains { line in
      guard line.hasPrefix("    "), line.contains("->"), !line.contains("static ") else { return false }
      let words = line.split(separator: " ")
      guard words.count > 1, ["private", "package", "fileprivate"].contains(words[0]) else { return false }
      return words[1] == "let" || words[1] == "var" && (!line.contains(" {") || line.contains("= {"))
    }
  }
}
