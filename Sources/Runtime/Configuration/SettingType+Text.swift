extension SettingType<String> {
  package static var text: Self {
    SettingType(
      expected: "text of at most 200 bytes", form: ["type": "text", "maximum": 200],
      parse: { $0.utf8.count <= 200 ? $0 : nil }, format: { $0 })
  }
}

/// From the root or bare, never with a control character: the syntax has taken care of those.
private func path(_ text: some StringProtocol) -> FilePath? {
  text.utf8.count <= 4095 && text.utf8.first == 0x2F ? FilePath(bytes: text.utf8) : nil
}

extension SettingType<FilePath> {
  package static var path: Self {
    SettingType(
      expected: "a path from the root, such as /var/lib/layby", form: ["type": "path"], parse: { Runtime.path($0) },
      format: { $0.description })
  }
}

extension SettingType<FilePath?> {
  package static func device(_ example: String) -> Self {
    SettingType(
      expected: "a path from the root, such as \(example), or none", choices: ["none"],
      form: ["type": "path", "choices": ["none"]],
      parse: { text in
        if text == "none" { return .some(nil) }
        return Runtime.path(text).map { .some($0) }
      },
      format: { $0?.description ?? "none" }, example: example)
  }
}

extension SettingType<[FilePath]> {
  /// The first that is there is the one to use; so a list survives that a package moves its files.
  package static var paths: Self {
    SettingType(
      expected: "up to 16 paths from the root, with commas between them", form: ["type": "paths", "maximum": 16],
      parse: { text in
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
        let paths = parts.compactMap { Runtime.path($0) }
        return paths.count == parts.count && paths.count <= 16 ? paths : nil
      },
      format: { $0.map(\.description).joined(separator: ", ") })
  }
}

extension SettingType<[String]> {
  /// Of networks: none has more than 32 bytes.
  package static var names: Self { names(longest: 32) }

  package static func names(longest: Int) -> Self {
    SettingType(
      expected: "up to 16 names of at most \(longest) bytes, with commas between them",
      form: ["type": "names", "maximum": 16],
      parse: { text in
        if trimmed(text).isEmpty { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String(trimmed($0)) }
        let areFit = names.allSatisfy { (1...longest).contains($0.utf8.count) }
        return areFit && names.count <= 16 ? names : nil
      },
      format: { $0.joined(separator: ", ") })
  }
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
    return Runtime.path(text[text.index(after: colon)...]).map { NamedFolder(String(name), at: $0) }
  }
}

/// What the panel is drawn on, beside a terminal.
package enum PanelDisplay: Hashable, Sendable {
  case none
  /// Whatever this machine has.
  case automatic
  case device(FilePath)
}

extension SettingType<PanelDisplay> {
  static var panelDisplay: Self {
    SettingType(
      expected: "a path from the root, such as /dev/fb0, or none, or auto", choices: ["none", "auto"],
      form: ["type": "path", "choices": ["none", "auto"]],
      parse: { text in
        switch text {
        case "none": PanelDisplay.none
        case "auto": .automatic
        default: Runtime.path(text).map { .device($0) }
        }
      },
      format: { display in
        switch display {
        case .none: "none"
        case .automatic: "auto"
        case .device(let path): path.description
        }
      })
  }
}

/// Pixels of a panel, as it is seen: upright, however it is built in.
package struct PanelSize: Hashable, Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension SettingType<PanelSize> {
  static func size(_ range: ClosedRange<Int>) -> Self {
    SettingType(
      expected: "width x height in pixels, each from \(range.lowerBound) to \(range.upperBound), such as 320x240",
      form: ["type": "size", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound), "unit": "pixels"],
      parse: { text in
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { wholeNumber($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        guard range.contains(width), range.contains(height) else { return nil }
        return PanelSize(width: width, height: height)
      },
      format: { "\($0.width)x\($0.height)" })
  }
}

/// How loud it is after a start.
package enum StartVolume: Equatable, Sendable {
  case last
  case percent(Int)
}

extension SettingType<StartVolume> {
  static var startVolume: Self {
    SettingType(
      expected: "a whole number from 0 to 100 (percent), or last", choices: ["last"],
      form: ["type": "whole", "minimum": 0, "maximum": 100, "unit": "percent", "choices": ["last"]],
      parse: { text in
        if text == "last" { return .last }
        return wholeNumber(text).flatMap { 0...100 ~= $0 ? .percent($0) : nil }
      },
      format: { volume in if case .percent(let percent) = volume { "\(percent)" } else { "last" } })
  }
}
