import Ciphers
import Glibc
import Runtime
import Services

/// A folder as a server has it: files, and the index that Layby asks for first. Peers ask for the files by their names,
/// which are numbers.
struct ServedFiles {
  let name: String
  let count: Int
  let ending: String
  /// All but the small one that comes first.
  let bytes: Int

  /// Lists in the index.
  static let all = "all"
  static let first = "first"
  private static let small = 100_000

  /// Noise, which nobody can pack, different in each.
  init(_ count: Int, of size: Int, named name: String, below root: FilePath) throws(Fault) {
    Patience.tell("making \(count) files of \(size / 1_000) kB ...")
    (self.name, self.count, ending, bytes) = (name, count, "flac", count * size)
    var noise = Noise()
    var index = Index(in: root / name, name)
    try index.add("first", noise.next(Self.small), "flac")
    for number in 0..<count { try index.add("\(number)", noise.next(size), "flac") }
    try index.write()
  }

  /// The same music under many names.
  init(_ count: Int, of music: FilePath, named name: String, below root: FilePath) throws(Fault) {
    let sound = try AtomicFile.read(music, limit: 1 << 28)
    (self.name, self.count, ending, bytes) = (name, count, music.ending, count * sound.count)
    var index = Index(in: root / name, name)
    for number in 0..<count { try index.add("\(number)", sound, ending) }
    try index.write()
  }

  func folder(at port: Int) -> String { "http://127.0.0.1:\(port)/\(name)/" }
  func file(_ number: Int) -> String { "\(number).\(ending)" }
}

private struct Index {
  private let folder: FilePath
  private var index: DirectoryIndex

  init(in folder: FilePath, _ name: String) {
    self.folder = folder
    index = DirectoryIndex(name: name)
  }

  mutating func add(_ name: String, _ bytes: [UInt8], _ ending: String) throws(Fault) {
    let file = "\(name).\(ending)"
    try Folder.make(folder)
    let written = try Descriptor.open(folder / file, O_WRONLY | O_CREAT | O_EXCL, code: "B-262")
    try written.writeAll(bytes, code: "B-262", doing: "write \(folder / file)")
    var sum = try SHA256()
    sum.add(bytes)
    let hash = try sum.value().description
    do throws(FolderPath.Mistake) {
      index.items.append(.init(.init(path: try FolderPath(file), size: Int64(bytes.count), hash: hash)))
    } catch { throw Fault(.malformed, "B-262", "\(file) \(error.rawValue)") }
  }

  mutating func write() throws(Fault) {
    let items = index.items.map(\.id)
    let isFirst: (String) -> Bool = { $0.hasPrefix("\(ServedFiles.first).") }
    index.lists = [.init(name: ServedFiles.all, items: items.filter { !isFirst($0) })]
    let first = items.filter(isFirst)
    if !first.isEmpty { index.lists.append(.init(name: ServedFiles.first, items: first)) }
    try AtomicFile.replace(folder / DirectoryIndex.fileName, with: index.fileBytes)
  }
}

/// The same bytes in each run, and none like those before.
struct Noise {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func next(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { space, filled in
      for place in 0..<count {
        if place % 8 == 0 {
          state ^= state << 13
          state ^= state >> 7
          state ^= state << 17
        }
        space.initializeElement(at: place, to: UInt8(truncatingIfNeeded: state >> (UInt64(place % 8) * 8)))
      }
      filled = count
    }
  }
}
