import Runtime

/// A folder by the name that people call it.
package struct NamedFolder: Hashable, Sendable {
  package let name: String
  package let path: FilePath

  package init(_ name: String, at path: FilePath) { (self.name, self.path) = (name, path) }
}

extension SettingType<[NamedFolder]> {
  /// `ssd:/data/ssd/music`; the word `board` stands for the board's own.
  static var namedFolders: Self {
    SettingType(
      expected: "up to 8 folders with a name, such as ssd:/data/ssd/music, with commas between them",
      form: ["type": "folders", "maximum": 8],
      parse: { text in
        if trimmed(text).isEmpty { return [] }
        var folders: [NamedFolder] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
          guard let folder = namedFolder(trimmed(part)) else { return nil }
          guard !folders.contains(where: { $0.name == folder.name || $0.path == folder.path }) else { return nil }
          folders.append(folder)
        }
        return folders.count <= 8 ? folders : nil
      },
      format: { $0.map { "\($0.name):\($0.path)" }.joined(separator: ", ") })
  }

  private static func namedFolder(_ text: Substring) -> NamedFolder? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[..<colon]
    let isPlain = name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    guard isPlain, (1...16).contains(name.utf8.count), name != "board" else { return nil }
    return SettingType<FilePath>.path.parse(String(text[text.index(after: colon)...])).map {
      NamedFolder(String(name), at: $0)
    }
  }
}
