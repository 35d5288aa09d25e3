import Glibc

/// The real house, read from disk: it lies two folders above this file.
enum House {
  static let top = String(#filePath.dropLast("/Tests/HouseTests/House.swift".count))

  static let plan = Plan(package: read("Package.swift"))
  static let sources = files(under: "Sources")
  static let tests = files(under: "Tests")
  /// What readers are given: pages, and the pictures on them. A fuzzer's seeds are neither.
  static let pages =
    files(under: "", endings: [".md"]).filter { !$0.path.hasPrefix("Tests/Fuzz/Seeds/") }
  static let pictures = paths(under: "", endings: [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"])
    .filter { !$0.hasPrefix("Tests/Fuzz/Seeds/") }.map { (path: $0, bytes: size(of: $0)) }

  /// Names at the top that git keeps; where there is no git, all that are there.
  static var topLevel: Set<String> {
    guard let pipe = popen("git -C '\(top)' ls-files -z 2>/dev/null", "r") else { return entries(of: "") }
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(pipe), byte != EOF { bytes.append(UInt8(byte)) }
    let paths = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let names = Set(paths.compactMap { $0.split(separator: "/").first.map(String.init) })
    return names.isEmpty ? entries(of: "") : names
  }

  /// Text that people write: Swift, C, SQL and shell.
  private static func files(
    under folder: String, endings: [String] = [".swift", ".c", ".h", ".sql", ".sh"]
  ) -> [SourceFile] {
    paths(under: folder, endings: endings).map { SourceFile(path: $0, text: read($0)) }
  }

  /// From the top, in the order of their names.
  private static func paths(under folder: String, endings: [String]) -> [String] {
    entries(of: folder).sorted().flatMap { name -> [String] in
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      return endings.contains { name.hasSuffix($0) } ? [path] : paths(under: path, endings: endings)
    }
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return stat("\(top)/\(path)", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Nothing when it is not a folder.
  static func entries(of folder: String) -> Set<String> {
    guard let directory = opendir("\(top)/\(folder)") else { return [] }
    defer { closedir(directory) }
    var names: Set<String> = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.insert(name) }
    }
    return names
  }

  static func read(_ path: String) -> String {
    guard let file = fopen("\(top)/\(path)", "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
