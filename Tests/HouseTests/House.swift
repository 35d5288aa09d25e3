import Glibc

/// The real house, read from disk: it lies two folders above this file.
enum House {
  static let top = String(#filePath.dropLast("/Tests/HouseTests/House.swift".count))

  static let plan = Plan(package: read("Package.swift"))
  static let sources = files(under: "Sources")
  static let tests = files(under: "Tests")

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
  private static func files(under folder: String) -> [SourceFile] {
    entries(of: folder).sorted().flatMap { name -> [SourceFile] in
      let path = "\(folder)/\(name)"
      let endings = [".swift", ".c", ".h", ".sql", ".sh"]
      if endings.contains(where: { name.hasSuffix($0) }) { return [SourceFile(path: path, text: read(path))] }
      return files(under: path)
    }
  }

  /// Nothing when it is not a folder.
  private static func entries(of folder: String) -> Set<String> {
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
