/// The page that says which type makes which code: `Sources/codes.md`, made from the sources alone.
struct CodeIndex {
  static let path = "Sources/codes.md"

  /// What a letter is about.
  static let subjects = [
    "A": "sound: files, decoders, devices, effects", "B": "bench", "C": "settings",
    "D": "the depot", "E": "rights: seals, licences, clocks",
    "G": "sources: a web server's folder and its index", "H": "hardware: knob, buttons, power, network, sticks",
    "K": "pictures, letters, screens", "L": "the library: files that are read, imports, copies, covers",
    "N": "the network, HTTP, and what a board cannot do without it",
    "O": "what is kept offline: wishes, downloads, disks",
    "P": "the player: queue, place, playlists", "R": "the program itself: loops, processes, files, restarts",
    "S": "databases", "V": "the virtual board", "X": "what was asked, and how", "Y": "sums and keys",
  ]

  private let makers: [String: [String]]

  init(_ files: [SourceFile]) {
    var makers: [String: [String]] = [:]
    for file in files where file.isSwift && !file.path.contains("/Words/") {
      for code in file.codes { makers[code, default: []].append(file.type) }
    }
    self.makers = makers
  }

  var letters: Set<String> { Set(makers.keys.map { String($0.prefix(1)) }) }

  var text: String {
    var text = """
      # Codes

      Every fault and notice has a code, which stays when its words change or are translated. Its letter says what it is
      about; here is which type makes it. What it says, and when, stands there: `grep -rn '"A-106"' Sources`.
      A test in `HouseTests` makes this page from the sources and compares.

      """
    for letter in letters.sorted() {
      text += "\n## \(letter): \(Self.subjects[letter] ?? "?")\n\n| codes | made by |\n| --- | --- |\n"
      for (types, codes) in runs(of: letter) { text += "| \(codes) | \(types) |\n" }
    }
    return text
  }

  /// Codes that follow each other and are made by the same share a row.
  private func runs(of letter: String) -> [(types: String, codes: String)] {
    var rows: [(types: String, first: String, last: String)] = []
    for code in makers.keys.filter({ $0.hasPrefix(letter) }).sorted() {
      let types = Set(makers[code] ?? []).sorted().joined(separator: ", ")
      if let row = rows.last, row.types == types {
        rows[rows.count - 1].last = code
      } else {
        rows.append((types, code, code))
      }
    }
    return rows.map { ($0.types, $0.first == $0.last ? $0.first : "\($0.first) to \($0.last)") }
  }
}
