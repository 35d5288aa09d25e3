import Runtime

/// A folder on a disk that may forget: what the program sees, and what the disk has promised to keep.
///
/// The contents of a file are promised up to its last fsync. A name is promised when its folder was fsynced, and that
/// of a new file also when the file itself was, as ext4 has it. What is not promised may still have reached the disk,
/// all of it or any part; `image` says what a cut leaves in one such case.
struct DiskModel: Sendable {
  struct File: Sendable {
    var promised: [UInt8] = []
    var current: [UInt8] = []
    /// Since the last fsync, in order.
    var pending: [Change] = []
  }

  enum Change: Equatable, Sendable {
    case written(at: Int, [UInt8])
    case resized(to: Int)

    func apply(to bytes: inout [UInt8]) {
      switch self {
      case .resized(let size):
        if size < bytes.count { bytes.removeLast(bytes.count - size) } else { bytes.grow(to: size) }
      case .written(let offset, let data):
        bytes.grow(to: offset + data.count)
        bytes.replaceSubrange(offset..<offset + data.count, with: data)
      }
    }
  }

  enum Node: Equatable, Sendable {
    case folder
    /// An index into `files`.
    case file(Int)
  }

  /// One change of names. The disk does all of it or nothing.
  struct Naming: Equatable, Sendable {
    /// Whose fsync makes it durable.
    let folder: String
    var appears: (name: String, node: Node)?
    var goes: String?

    func apply(to names: inout [String: Node]) {
      if let goes { names[goes] = nil }
      if let appears { names[appears.name] = appears.node }
    }

    func touches(_ name: String) -> Bool { appears?.name == name || goes == name }

    static func == (one: Naming, other: Naming) -> Bool {
      one.folder == other.folder && one.goes == other.goes && one.appears?.name == other.appears?.name
    }
  }

  private(set) var files: [File] = []
  private(set) var names: [String: Node] = [:]
  private(set) var promisedNames: [String: Node] = [:]
  private(set) var namings: [Naming] = []
  /// The file system's numbers of files that were opened.
  private var numbers: [UInt64: Int] = [:]

  /// A disk that has had all the time in the world to keep what is there.
  init(_ start: DiskImage = DiskImage()) {
    for (name, content) in start.contents {
      switch content {
      case .folder: names[name] = .folder
      case .file(let bytes):
        names[name] = .file(files.count)
        files.append(File(promised: bytes, current: bytes))
      }
    }
    promisedNames = names
  }

  mutating func perform(_ log: DiskLog) throws(Fault) {
    for operation in log.operations { try perform(operation) }
  }

  mutating func perform(_ operation: DiskLog.Operation) throws(Fault) {
    switch operation {
    case .opened(let name, let number, made: true):
      numbers[number] = files.count
      change(Naming(folder: name.folderOfName, appears: (name, .file(files.count))))
      files.append(File())
    case .opened(let name, let number, made: false):
      guard case .file(let index) = names[name] else {
        throw Fault(.malformed, "T-20", "\(name) was opened, and the model does not know it")
      }
      numbers[number] = index
    case .written(let number, let offset, let data): try change(number, .written(at: offset, data))
    case .resized(let number, let size): try change(number, .resized(to: size))
    case .synced(let number): try sync(try index(number))
    case .folderMade(let name): change(Naming(folder: name.folderOfName, appears: (name, .folder)))
    case .folderSynced(let folder):
      for naming in namings where naming.folder == folder { naming.apply(to: &promisedNames) }
      namings.removeAll { $0.folder == folder }
    case .renamed(let from, let to):
      guard let node = names[from] else {
        throw Fault(.malformed, "T-21", "\(from) was renamed, and the model does not know it")
      }
      if node == .folder { throw Fault(.unsupported, "T-24", "the folder \(from) was renamed; that is not modelled") }
      // Between two folders it is the new one's fsync that counts.
      change(Naming(folder: to.folderOfName, appears: (to, node), goes: from))
    case .removed(let name): change(Naming(folder: name.folderOfName, goes: name))
    case .unknown(let what): throw Fault(.unsupported, "T-22", "the program did what the model does not know: \(what)")
    }
  }

  private func index(_ number: UInt64) throws(Fault) -> Int {
    guard let index = numbers[number] else {
      throw Fault(.malformed, "T-23", "file \(number) was changed without having been opened")
    }
    return index
  }

  private mutating func change(_ number: UInt64, _ change: Change) throws(Fault) {
    let index = try index(number)
    change.apply(to: &files[index].current)
    files[index].pending.append(change)
  }

  private mutating func change(_ naming: Naming) {
    naming.apply(to: &names)
    namings.append(naming)
  }

  private mutating func sync(_ index: Int) throws(Fault) {
    files[index].promised = files[index].current
    files[index].pending = []
    // Its birth, and what happened to that name before.
    guard let birth = namings.firstIndex(where: { $0.goes == nil && $0.appears?.node == .file(index) }) else { return }
    guard let name = namings[birth].appears?.name else { return }
    for naming in namings[...birth] where naming.touches(name) { naming.apply(to: &promisedNames) }
    let kept = namings[...birth].filter { !$0.touches(name) }
    namings.replaceSubrange(...birth, with: kept)
  }
}

extension [UInt8] {
  fileprivate mutating func grow(to size: Int) {
    // An array's own way to append many of one is, without optimization, one after the other.
    guard count < size else { return }
    self = [UInt8](unsafeUninitializedCapacity: size) { buffer, used in
      withUnsafeBytes { old in UnsafeMutableRawBufferPointer(buffer).copyMemory(from: old) }
      UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]).initializeMemory(
        as: UInt8.self, repeating: 0)
      used = size
    }
  }
}

extension String {
  /// "" for what lies in the watched folder itself.
  fileprivate var folderOfName: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "" }
}
