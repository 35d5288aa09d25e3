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
    try Self.check(index)
    var made = (sealed: 0, known: 0)
    var ready = ReadyKeys(of: index, keysByPath)
    for place in index.items.indices {
      let item = index.items[place]
      index.items[place].file = try take(item.file, from: source, &ready, &made)
      for (quality, file) in item.variants {
        index.items[place].variants[quality] = try take(file, from: source, &ready, &made)
      }
      if let art = item.art { try copy(art, from: source) }
      told(place + 1, index.items.count)
    }
    try AtomicFile.replace(publicFolder / DirectoryIndex.fileName, with: index.fileBytes, mode: 0o644)
    return made
  }

  private mutating func take(
    _ file: DirectoryIndex.File, from source: FilePath, _ ready: inout ReadyKeys,
    _ made: inout (sealed: Int, known: Int)
  ) throws(Fault) -> DirectoryIndex.File {
    let path = publicFolder / file.path.text
    let header = try Self.header(of: path)
    if ready.has(file, sealedWith: header?.key), let there = try Self.sum(of: path), there.size == header?.sealedLength
    {
      made.known += 1
      return DirectoryIndex.File(path: file.path, size: there.size, hash: there.hash)
    }
    let plain = try WholeFile(source / file.path.text)
    guard let length = plain.length, length > 0 else { throw Fault(.malformed, "D-120", "\(plain.name) is empty") }
    let (key, secret) = try key(for: file, &ready)
    try Self.makeFolders(of: path, below: publicFolder)
    var sealer = try Sealer(SealHeader(.quickest, key: key, plainLength: length), key: DepotKeys.secret(secret))
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
    try AtomicFile.syncFolder(path.folder)
    made.sealed += 1
    return DirectoryIndex.File(path: file.path, size: size, hash: try sum.value().description)
  }

  private func copy(_ art: FolderPath, from source: FilePath) throws(Fault) {
    let path = publicFolder / art.text
    try Self.makeFolders(of: path, below: publicFolder)
    guard let bytes = try PlainFile.read(source / art.text, limit: 64 << 20, code: "D-127") else {
      throw Fault(.missing, "D-127", "\(source / art.text) is no file; expected a cover")
    }
    try AtomicFile.replace(path, with: bytes, mode: 0o644)
  }

  /// Nothing of an index takes the place of what a depot has of its own, and no music goes out as a cover.
  private static func check(_ index: DirectoryIndex) throws(Fault) {
    var music: Set<ExactText> = []
    for item in index.items {
      for file in [item.file] + item.variants.values { music.insert(ExactText(file.path.text)) }
    }
    let arts = Set(index.items.compactMap(\.art).map { ExactText($0.text) })
    for path in music.union(arts) where path.text.hasPrefix("licences/") || path.text == DirectoryIndex.fileName {
      throw Fault(.malformed, "D-128", "\(shownBriefly(path.text)) is a name that a depot needs itself")
    }
    for art in arts where music.contains(art) || !["jpg", "jpeg", "png", "webp"].contains(Self.ending(art.text)) {
      throw Fault(.malformed, "D-129", "\(shownBriefly(art.text)) is no cover; expected a JPEG, PNG or WebP picture")
    }
  }

  private static func ending(_ path: String) -> String { (path.split(separator: ".").last ?? "").lowercased() }

  /// The keys are kept before anything is sealed with them. Those of the files that come next are kept with it: the whole
  /// catalogue is written each time.
  private mutating func key(
    for file: DirectoryIndex.File, _ ready: inout ReadyKeys
  ) throws(Fault) -> (key: KeyID, secret: [UInt8]) {
    if let made = ready.take(file) { return (made.key, made.secret) }
    for next in ready.next(from: file) {
      let isSealed = try Self.header(of: publicFolder / next.path.text) != nil
      guard next == file || !isSealed && !ready.isWaiting(next), let key = KeyID(randomBytes(KeyID.length)) else {
        continue
      }
      let secret = randomBytes(CipherSuite.keyLength)
      if ready.count(of: next) >= Self.mostKeys { forgetOldest(of: next.path.text) }
      let track = Track(path: next.path.text, key: key, secret: secret, plain: next.hash)
      tracks.append(track)
      ready.add(track)
    }
    try keep()
    guard let made = ready.take(file) else { throw Fault(.malformed, "D-120", "\(file.path.text) has no key") }
    return (made.key, made.secret)
  }

  /// Of what a file was before; devices may have that, and so their licences go on having its key.
  private mutating func forgetOldest(of path: String) {
    let same = tracks.indices.filter { ExactText(tracks[$0].path) == ExactText(path) }
    for place in same.dropLast(Self.mostKeys - 1).reversed() { tracks.remove(at: place) }
  }

  /// Nil when there is nothing sealed.
  private static func header(of path: FilePath) throws(Fault) -> SealHeader? {
    guard path.withCString({ access($0, F_OK) }) == 0 else { return nil }
    return try SealHeader(WholeFile(path).peek(SealHeader.length, at: 0), of: "\(path)")
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

/// Which keys there are for what, and which of them nothing is sealed with yet.
private struct ReadyKeys {
  /// So many files have their keys made at once.
  private static let batch = 256

  private let files: [DirectoryIndex.File]
  private var place = 0
  private var known: [ExactText: [Depot.Track]]
  private var unused: [ExactText: Depot.Track] = [:]

  init(of index: DirectoryIndex, _ known: [ExactText: [Depot.Track]]) {
    files = index.items.flatMap { [$0.file] + $0.variants.values }
    self.known = known
  }

  func has(_ file: DirectoryIndex.File, sealedWith key: KeyID?) -> Bool {
    (known[ExactText(file.path.text)] ?? []).contains { $0.plain == file.hash && $0.key == key }
  }

  func count(of file: DirectoryIndex.File) -> Int { known[ExactText(file.path.text)]?.count ?? 0 }

  /// The file, and those that come next.
  mutating func next(from file: DirectoryIndex.File) -> [DirectoryIndex.File] {
    place = files[place...].firstIndex(of: file) ?? files.firstIndex(of: file) ?? files.endIndex
    return Array(files[place...].prefix(Self.batch))
  }

  mutating func add(_ track: Depot.Track) {
    known[ExactText(track.path), default: []].append(track)
    unused[ExactText(track.path)] = track
  }

  func isWaiting(_ file: DirectoryIndex.File) -> Bool { unused[ExactText(file.path.text)] != nil }

  mutating func take(_ file: DirectoryIndex.File) -> Depot.Track? {
    guard let made = unused[ExactText(file.path.text)], made.plain == file.hash else { return nil }
    unused[ExactText(file.path.text)] = nil
    return made
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
    descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, code: "D-124")
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
