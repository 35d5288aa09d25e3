import Ciphers
import Glibc
import Library
import Runtime
import Services

/// Makes a web server's folder a source of music: walks it, reads what each file says of itself, and sums it up.
struct IndexMaker {
  struct LeftOut {
    var path: FilePath
    var reason: String
  }

  private(set) var index: DirectoryIndex
  private(set) var bytes: Int64 = 0
  private(set) var leftOut: [LeftOut] = []
  private let root: FilePath
  private var reader = MetadataReader()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4_096)
  private let told: (IndexMaker) -> Void

  static func index(
    of root: FilePath, name: String, telling told: @escaping (IndexMaker) -> Void
  ) throws(Fault) -> IndexMaker {
    var maker = IndexMaker(root: root, index: DirectoryIndex(name: name), told: told)
    defer { maker.buffer.deallocate() }
    try maker.walk()
    return maker
  }

  private init(root: FilePath, index: DirectoryIndex, told: @escaping (IndexMaker) -> Void) {
    (self.root, self.index, self.told) = (root, index, told)
  }

  private mutating func walk() throws(Fault) {
    var walk = Walk(root)
    while let step = walk.next() {
      let listing = try Listing(of: walk.path(of: step), followingLink: step.names.isEmpty, withPictures: true)
      guard !listing.isCut else {
        throw Fault(.unsupported, "X-302", "\(walk.path(of: step)) has more than \(Listing.most) files")
      }
      let picture = listing.files.first { $0.class == .picture }
      // A picture whose name cannot stand in an index is left out; the music is not.
      let art = picture.flatMap { try? Self.path(step.names + [$0.name]) }
      for file in listing.files where file.class == .music {
        try take(step.names + [file.name], art)
        told(self)
      }
      walk.goOn(into: listing.folders, of: step)
    }
    guard walk.left == 0 else {
      throw Fault(.unsupported, "X-303", "\(root) has folders too deep or too many; \(walk.left) were not entered")
    }
  }

  /// What a server gives out under an address has to be text.
  private static func path(_ names: [[UInt8]]) throws(FolderPath.Mistake) -> FolderPath? {
    let bytes = Array(names.joined(separator: [UInt8(ascii: "/")]))
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return try FolderPath(text)
  }

  private mutating func take(_ names: [[UInt8]], _ art: FolderPath?) throws(Fault) {
    let place = CopyWish.path(of: names, below: root)
    let path: FolderPath
    do throws(FolderPath.Mistake) {
      guard let text = try Self.path(names) else {
        leftOut.append(LeftOut(path: place, reason: "its name is not Unicode"))
        return
      }
      path = text
    } catch {
      leftOut.append(LeftOut(path: place, reason: "its name \(error.rawValue)"))
      return
    }
    guard index.items.count < DirectoryIndex.mostItems else {
      throw Fault(.unsupported, "X-304", "\(root) holds more than \(DirectoryIndex.mostItems) music files")
    }
    let file = try Descriptor.open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, code: "X-305")
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw Fault.system("X-305", doing: "look at \(place)") }
    let found: Metadata
    do throws(Fault) { found = try reader.read(file.number, size: Int64(status.st_size), name: place) } catch {
      guard error.kind == .unsupported || error.kind == .malformed else { throw error }
      leftOut.append(LeftOut(path: place, reason: error.message))
      return
    }
    let sum = try sum(file.number, place)
    guard sum.size == Int64(status.st_size) else {
      throw Fault(.passing, "X-306", "\(place) was changed while it was read; begin again when nobody changes it")
    }
    index.items.append(Self.item(.init(path: path, size: sum.size, hash: sum.hash), found, art))
    bytes += sum.size
  }

  private func sum(_ file: Int32, _ path: FilePath) throws(Fault) -> (size: Int64, hash: String) {
    var hash = try SHA256()
    var size: Int64 = 0
    posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL)
    while true {
      let got = pread(file, buffer.baseAddress, buffer.count, off_t(size))
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw Fault.system("X-305", doing: "read \(path)") }
      if got == 0 { return (size, try hash.value().description) }
      hash.add(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
      size += Int64(got)
    }
  }

  private static func item(
    _ file: DirectoryIndex.File, _ found: Metadata, _ art: FolderPath?
  ) -> DirectoryIndex.Item {
    var item = DirectoryIndex.Item(file)
    item.title = found.title
    item.artist = found.artists.isEmpty ? nil : text(found.artists)
    item.album = found.album
    item.albumArtist = found.albumArtists.isEmpty ? nil : text(found.albumArtists)
    item.disc = number(found.disc)
    item.track = number(found.track)
    if let frames = found.frames, found.rate > 0 {
      let seconds = min(Double(frames) / Double(found.rate), Double(DirectoryIndex.longestItem))
      item.length = .milliseconds(Int64((seconds * 1_000).rounded()))
    }
    item.art = art
    return item
  }

  private static func text(_ names: [String]) -> String {
    String(names.joined(separator: ", ").unicodeScalars.prefix(DirectoryIndex.longestText))
  }

  private static func number(_ number: Int?) -> Int? { number.flatMap { (0...99_999).contains($0) ? $0 : nil } }
}
