/// Each room declares the settings that it obeys, in one list, and the program joins the lists of all rooms.
enum SettingsRules {
  static let joined = "Sources/layby/SettingsTable.swift"

  static func complaints(_ files: [SourceFile]) -> [String] {
    let files = files.filter { $0.isSwift && $0.path.hasPrefix("Sources/") }
    return (twice(files) + unlisted(files) + unjoined(files)).sorted()
  }

  /// A key of a file that is declared more than once. Keys that are made from a name, such as those of buttons, are told by
  /// the table's own test.
  private static func twice(_ files: [SourceFile]) -> [String] {
    var rooms: [String: [String]] = [:]
    for file in files {
      for found in file.text.matches(of: /\bSetting\(\s*\.(board|owner), "([^"]*)", "([^"]*)"/) {
        rooms["[\(found.2)] \(found.3) of the \(found.1)'s file", default: []].append(file.target)
      }
    }
    return rooms.filter { $0.value.count > 1 }
      .map { "\($0.key) is declared by \($0.value.sorted().joined(separator: " and "))" }
  }

  /// What a room declares stands once in its own list, and in no other.
  private static func unlisted(_ files: [SourceFile]) -> [String] {
    var complaints: [String] = []
    let rooms = Dictionary(grouping: files, by: \.target)
    let all = Set(files.flatMap(declared))
    for (room, files) in rooms {
      let declared = files.flatMap(declared)
      let listed = files.filter(isList).flatMap(listed)
      for name in declared where !listed.contains(name) { complaints.append("\(name) of \(room) is in no list of it") }
      for name in Set(listed) where all.contains(name) {
        if !declared.contains(name) { complaints.append("\(name) is listed by \(room), which does not declare it") }
        if listed.count(where: { $0 == name }) > 1 { complaints.append("\(name) is listed twice by \(room)") }
      }
    }
    return complaints
  }

  private static func unjoined(_ files: [SourceFile]) -> [String] {
    let join = files.first { $0.path == joined }?.code ?? ""
    return files.filter(isList).flatMap { file in
      file.code.matches(of: /enum (\w+Settings)\b/).map { "\($0.1).settings" }
    }.filter { !join.contains($0) }.map { "\($0) is not joined in \(joined)" }
  }

  private static func isList(_ file: SourceFile) -> Bool { file.code.contains("static let settings: [SettingEntry]") }

  private static func listed(by file: SourceFile) -> [String] {
    file.code.matches(of: /SettingEntry\(\.(\w+)/).map { String($0.1) }
  }

  /// Those that others can read: `package static var colours: Self`.
  private static func declared(by file: SourceFile) -> [String] {
    var isInside = false
    return file.code.split(separator: "\n").compactMap { line in
      if line.hasPrefix("extension Setting<") { isInside = true }
      if line == "}" { isInside = false }
      guard isInside, !line.contains("private"), line.contains(/(: Self \{|-> Self \{)/) else { return nil }
      return line.firstMatch(of: /static (?:var|func) (\w+)/).map { String($0.1) }
    }
  }
}
