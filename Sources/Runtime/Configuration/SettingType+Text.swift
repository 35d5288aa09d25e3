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
