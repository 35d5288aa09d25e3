import Files
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Library

/// A source with music on it, and a device to copy it to.
final class CopyDesk: Sendable {
  let folder = TempFolder()
  let loop: EventLoop
  var stick: FilePath { folder.path / "stick" }
  var music: FilePath { folder.path / "music" }
  static let grain = Copier.Grain(slice: 1_000, unwritten: 2_000, unnoted: 4_000)

  init() throws {
    loop = try EventLoop("work", mayBlock: true)
    try loop.start()
    try Folder.make(stick)
  }

  deinit { loop.stop() }

  func path(_ name: String) -> FilePath { stick / name }

  func write(_ name: String, _ bytes: [UInt8], modified: Int = 1_700_000_000) throws {
    try write(stick / name, bytes, modified: modified)
  }

  func write(_ path: FilePath, _ bytes: [UInt8], modified: Int = 1_700_000_000) throws {
    try Folder.make(path.folder)
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, code: "T-1")
    try file.writeAll(bytes, code: "T-1", doing: "write \(path)")
    let date = timespec(tv_sec: modified, tv_nsec: 5)
    _ = futimens(file.number, [date, date])
  }

  static func bytes(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// What a small collection looks like.
  func fill() throws {
    try write("Bach/Suites/1 Air.flac", Self.bytes(9_500, 1))
    try write("Bach/Suites/2 Gigue.mp3", Self.bytes(1_200, 2))
    try write("Bach/Suites/cover.jpg", Self.bytes(700, 3))
    try write("Bach/all.m3u", Array("Suites/1 Air.flac\nSuites/2 Gigue.mp3\n".utf8))
    try write("empty.opus", [])
    try write("z.ogg", Self.bytes(5_500, 4))
  }

  func wish(_ picks: [CopyWish.Pick] = [.init(folder: [])]) -> CopyWish {
    CopyWish(from: .init(kind: .stick, key: Array("12-AB".utf8), label: "Blue", root: stick), picks: picks)
  }

  func copier(_ disk: any CopyDisk = KernelDisk(), grain: Copier.Grain = CopyDesk.grain, boot: [UInt8] = []) -> Copier {
    Copier(to: music, on: loop, disk: disk, patience: .zero, grain: grain, boot: boot)
  }

  /// A copy as the part has it done.
  @discardableResult
  func copy(
    _ wish: CopyWish? = nil, disk: any CopyDisk = KernelDisk(), sign: StopSign = StopSign(),
    told: @escaping @Sendable (CopyProgress) -> Void = { _ in }
  ) async throws -> CopyProgress {
    let copier = copier(disk)
    let number = try await copier.accept(wish ?? self.wish())
    return try await copier.run(wish ?? self.wish(), number: number, sign: sign, told: told)
  }

  /// Takes up what is unfinished, as the next life of the program does.
  func goOn(_ disk: any CopyDisk = KernelDisk()) async throws -> [CopyProgress] {
    let copier = copier(disk)
    var done: [CopyProgress] = []
    for job in try await copier.unfinished() {
      done.append(try await copier.run(job.wish, number: job.number, sign: StopSign()))
    }
    return done
  }

  /// All files below a folder with their bytes, hidden ones and empty folders too.
  static func tree(_ root: FilePath) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    var ahead: [(FilePath, String)] = [(root, "")]
    while let (folder, shown) = ahead.popLast() {
      let names: [FilePath]
      do { names = try Folder.names(in: folder) } catch { continue }
      if names.isEmpty { found[shown + "/"] = [] }
      for name in names {
        let path = Importer.path(folder, name.bytes)
        let inner = shown + "/" + String(decoding: name.bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: ahead.append((path, inner))
        case S_IFREG: found[inner] = try AtomicFile.read(path, limit: 1 << 22)
        default: found[inner] = [0]
        }
      }
    }
    return found
  }

  func expectSame(_ comment: Comment? = nil) throws {
    #expect(try Self.tree(music) == Self.tree(stick), comment)
  }
}
