import Ciphers
import Formats
import Glibc
import Runtime
import Seals
import Services

extension Depot {
  /// Seals what the index of a folder names and is not here yet, and writes the index of the sealed files. Covers stay
  /// plain. Broken off at any place it goes on from there.
  mutating func take(
    _ source: FilePath, told: (_ done: Int, _ all: Int) -> Void
  ) throws(Fault) -> (sealed: Int, known: Int) {
    var index = try DirectoryIndex(
      parsing: AtomicFile.read(source / DirectoryIndex.fileName, limit: DirectoryIndex.longestFile))
    var made = (sealed: 0, known: 0)
    for place in index.items.indices {
      let item = index.items[place]
      index.items[place].file = try take(item.file, from: source, &made)
      for (quality, file) in item.variants {
        index.items[place].variants[quality] = try take(file, from: source, &made)
      }
      if let art = item.art { try copy(art, from: source) }
      told(place + 1, index.items.count)
    }
    try AtomicFile.replace(publicFolder / DirectoryIndex.fileName, with: index.fileBytes, mode: 0o644)
    return made
  }

  private mutating func take(
    _ file: DirectoryIndex.File, from source: FilePath, _ made: inout (sealed: Int, known: Int)
  ) throws(Fault) -> DirectoryIndex.File {
    let path = publicFolder / file.path.text
    let known = tracks.first { ExactText($0.path) == ExactText(file.path.text) && $0.plain == file.hash }
    if known != nil, let there = try Self.sum(of: path) {
      made.known += 1
      return DirectoryIndex.File(path: file.path, size: there.size, hash: there.hash)
    }
    // The key is kept before anything is sealed with it.
    let (secret, plain) = (randomBytes(CipherSuite.keyLength), try WholeFile(source / file.path.text))
    guard let length = plain.length, length > 0, let key = KeyID(randomBytes(KeyID.length)) else {
      throw Fault(.malformed, "D-120", "\(plain.name) is empty")
    }
    tracks.removeAll { ExactText($0.path) == ExactText(file.path.text) }
    tracks.append(Track(path: file.path.text, key: key, secret: secret, plain: file.hash))
    try keep()
    try Self.makeFolders(of: path, below: publicFolder)
    var sealer = try Sealer(SealHeader(.quickest, key: key, plainLength: length), key: Self.secret(secret))
    let growing = FilePath("\(path).new")
    _ = growing.withCString { unlink($0) }
    let output = try Descriptor.open(growing, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644, code: "D-121")
    var sum = try SHA256()
    var size: Int64 = 0
    try sealer.seal(plain) { bytes throws(Fault) in
      sum.add(bytes)
      size += Int64(bytes.count)
      try output.writeAll(bytes, code: "D-122", doing: "write \(growing)")
    }
    guard fsync(output.number) == 0,
      growing.withCString({ from in path.withCString { rename(from, $0) } }) == 0
    else { throw Fault.system("D-123", doing: "write \(path)") }
    made.sealed += 1
    return DirectoryIndex.File(path: file.path, size: size, hash: try sum.value().description)
  }

  private func copy(_ art: FolderPath, from source: FilePath) throws(Fault) {
    let path = publicFolder / art.text
    try Self.makeFolders(of: path, below: publicFolder)
    let bytes = try AtomicFile.read(source / art.text, limit: 64 << 20)
    try AtomicFile.replace(path, with: bytes, mode: 0o644)
  }

  private static func makeFolders(of path: FilePath, below top: FilePath) throws(Fault) {
    guard path.folder != top else { return }
    try makeFolders(of: path.folder, below: top)
    try Folder.make(path.folder, mode: 0o755)
  }

  /// Nil when there is nothing.
  private static func sum(of path: FilePath) throws(Fault) -> (size: Int64, hash: String)? {
    guard path.withCString({ access($0, F_OK) }) == 0 else { return nil }
    let file = try WholeFile(path)
    var sum = try SHA256()
    var size: Int64 = 0
    while true {
      let bytes = try file.peek(1 << 20, at: size)
      if bytes.isEmpty { break }
      sum.add(bytes)
      size += Int64(bytes.count)
    }
    return (size, try sum.value().description)
  }
}

/// A file that is read from its beginning.
private final class WholeFile: ByteSource {
  let name: String
  let length: Int64?
  private(set) var position: Int64 = 0
  private let descriptor: Descriptor

  init(_ path: FilePath) throws(Fault) {
    name = "\(path)"
    descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK, code: "D-124")
    var status = stat()
    guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Fault(.malformed, "D-125", "\(path) is no file; expected music")
    }
    length = Int64(status.st_size)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    let count = pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(position))
    guard count >= 0 else { throw Fault.system("D-126", doing: "read \(name)") }
    position += Int64(count)
    return count
  }

  func seek(to position: Int64) { self.position = position }
}
