import Glibc
import Runtime
import TestSupport

/// The contents of a folder at one moment: what a cut leaves, or what the next start finds.
struct DiskImage: Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case folder
    case file([UInt8])
  }

  var contents: [String: Content] = [:]

  subscript(name: String) -> [UInt8]? {
    if case .file(let bytes) = contents[name] { bytes } else { nil }
  }

  init() {}

  init(reading folder: FilePath) throws { try read(folder, as: "") }

  private mutating func read(_ folder: FilePath, as prefix: String) throws {
    for name in try Folder.names(in: folder) {
      let path = folder / name.description
      var found = stat()
      guard path.withCString({ lstat($0, &found) }) == 0 else { throw Fault.system("T-30", doing: "look at \(path)") }
      if found.st_mode & S_IFMT == S_IFDIR {
        contents["\(prefix)\(name)"] = .folder
        try read(path, as: "\(prefix)\(name)/")
      } else {
        contents["\(prefix)\(name)"] = .file(try AtomicFile.read(path, limit: 1 << 28))
      }
    }
  }

  func files(beginning name: String) -> DiskImage {
    var some = DiskImage()
    some.contents = contents.filter { $0.key.hasPrefix(name) }
    return some
  }

  /// Into a folder that is there and empty.
  func write(to folder: FilePath) throws {
    for (name, content) in contents.sorted(by: { $0.key < $1.key }) {
      switch content {
      case .folder: try Folder.make(folder / name)
      case .file(let bytes):
        try Descriptor.open(folder / name, O_WRONLY | O_CREAT | O_EXCL, code: "T-31")
          .writeAll(bytes, code: "T-31", doing: "write \(name)")
      }
    }
  }
}

/// How much of what was not promised the disk has kept.
enum Cut: CaseIterable, Sendable {
  /// Only the program was killed: everything is there.
  case nothingLost
  /// Names at once, contents only when promised: a rename before its fsync shows.
  case namesFirst
  /// Nothing but what was promised: a name without its folder's fsync shows.
  case promisesOnly
  /// Some of the names, in order; of the contents any sectors, in any order.
  case torn
}

extension DiskModel {
  /// The smallest piece that a disk writes whole.
  static let sector = 512

  func image(_ cut: Cut, _ dice: inout SeededGenerator) -> DiskImage {
    var left = promisedNames
    let reached =
      switch cut {
      case .nothingLost, .namesFirst: namings.count
      case .promisesOnly: 0
      case .torn: Int.random(in: 0...namings.count, using: &dice)
      }
    for naming in namings.prefix(reached) { naming.apply(to: &left) }

    var image = DiskImage()
    // One chance for all, so that both nearly nothing and nearly everything comes up.
    let chance: Double = [0.0, 0.1, 0.5, 0.9, 1.0].randomElement(using: &dice) ?? 0
    for (name, node) in left.sorted(by: { $0.key < $1.key }) where isReachable(name, in: left) {
      guard case .file(let index) = node else {
        image.contents[name] = .folder
        continue
      }
      let bytes =
        switch cut {
        case .nothingLost: files[index].current
        case .namesFirst, .promisesOnly: files[index].promised
        case .torn: files[index].torn(chance, &dice)
        }
      image.contents[name] = .file(bytes)
    }
    return image
  }

  private func isReachable(_ name: String, in names: [String: Node]) -> Bool {
    guard let slash = name.lastIndex(of: "/") else { return true }
    let folder = String(name[..<slash])
    return names[folder] == .folder && isReachable(folder, in: names)
  }
}

extension DiskModel.File {
  func torn(_ chance: Double, _ dice: inout SeededGenerator) -> [UInt8] {
    var bytes = promised
    for change in pending {
      for piece in change.pieces where Double.random(in: 0..<1, using: &dice) < chance { piece.apply(to: &bytes) }
    }
    return bytes
  }
}

extension DiskModel.Change {
  /// A write as the writes of single sectors that it is for the disk.
  var pieces: [DiskModel.Change] {
    guard case .written(let start, let data) = self else { return [self] }
    var pieces: [DiskModel.Change] = []
    var place = start
    while place < start + data.count {
      let end = min((place / DiskModel.sector + 1) * DiskModel.sector, start + data.count)
      pieces.append(.written(at: place, Array(data[place - start..<end - start])))
      place = end
    }
    return pieces
  }
}
