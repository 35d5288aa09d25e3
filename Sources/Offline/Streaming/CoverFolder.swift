import Ciphers
import Glibc
import Runtime

/// Pictures of music that is no file here: each in a folder of its own, by a name that covers have beside music, so that
/// whoever looks for a cover beside `music` in there finds it. All of it can be lost, and is fetched again. Belongs to one
/// thread.
struct CoverFolder {
  /// Bytes; what is longer is no cover.
  static let longest = 4 << 20
  /// When there are so many of what is not stored, half of those go, the oldest first.
  static let most = 400

  let path: FilePath

  init(_ path: FilePath) { self.path = path }

  /// What the picture of that address lies beside.
  func place(of address: String) throws(Fault) -> FilePath {
    var sum = try SHA256()
    sum.add(Array(address.utf8))
    let name = try sum.value().description
    return path / String(name.prefix(32)) / "music"
  }

  func isThere(_ place: FilePath) -> Bool {
    Self.kinds.contains { kind in (place.folder / kind.name).withCString { access($0, R_OK) } == 0 }
  }

  /// False: these bytes are no picture that is known here, whatever somebody calls them.
  /// `spared`: addresses of pictures that stay.
  func keep(_ bytes: [UInt8], at place: FilePath, sparing spared: Set<String> = []) throws(Fault) -> Bool {
    guard let kind = Self.kinds.first(where: { $0.begins(bytes) }) else { return false }
    try makeRoom(sparing: spared)
    try Folder.make(place.folder, mode: 0o755)
    try AtomicFile.replace(place.folder / kind.name, with: bytes, mode: 0o644)
    return true
  }

  private struct Kind {
    let name: String
    let begins: @Sendable ([UInt8]) -> Bool
  }

  private static let kinds = [
    Kind(name: "cover.jpg", begins: { $0.starts(with: [0xFF, 0xD8, 0xFF]) }),
    Kind(name: "cover.png", begins: { $0.starts(with: [0x89, 0x50, 0x4E, 0x47]) }),
    Kind(
      name: "cover.webp", begins: { $0.starts(with: "RIFF".utf8) && $0.dropFirst(8).starts(with: "WEBP".utf8) }),
  ]

  private func makeRoom(sparing spared: Set<String>) throws(Fault) {
    try Folder.make(path, mode: 0o755)
    var names = try Folder.names(in: path)
    guard names.count >= Self.most else { return }
    var stays: Set<FilePath> = []
    for address in spared { stays.insert(try place(of: address).folder.name) }
    names.removeAll { stays.contains($0) }
    guard names.count >= Self.most else { return }
    var old: [(name: String, changed: Int)] = []
    for name in names {
      var facts = stat()
      let name = name.description
      if (path / name).withCString({ lstat($0, &facts) }) == 0 { old.append((name, facts.st_mtim.tv_sec)) }
    }
    old.sort { $0.changed < $1.changed }
    for one in old.prefix(old.count / 2) {
      let folder = path / one.name
      for kind in Self.kinds { _ = (folder / kind.name).withCString { unlink($0) } }
      _ = folder.withCString { rmdir($0) }
    }
  }
}
