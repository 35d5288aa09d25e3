import FaultServer
import Files
import Glibc
import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

/// A process of its own, with the kernel's disk and a database, that is ended while it moves everything to and fro.
/// `LAYBY_LONG=1` ends it 100 times.
@Suite("A process that is ended while it moves everything")
struct KilledMoveTests {
  private static let kills = getenv("LAYBY_LONG") != nil ? 100 : 5
  private static let names = (1...4).map { "\($0).flac" }
  private static let size = 4_000_000
  private static let total = names.count * size

  private let files: [String: Resource]
  private let index: [UInt8]
  private let home = TempFolder()

  init() throws {
    var files: [String: Resource] = [:]
    var index = DirectoryIndex(name: "shop")
    for (number, name) in Self.names.enumerated() {
      let file = Resource.noise(Self.size, seed: UInt64(number + 40))
      files[name] = file
      let path = try FolderPath(name)
      index.items.append(.init(.init(path: path, size: Int64(file.bytes.count), hash: MatrixWorld.sum(file))))
    }
    index.lists = [.init(name: "all", items: Self.names)]
    (self.files, self.index) = (files, index.fileBytes)
  }

  @Test("each file is always whole on one of the disks, all ends on one, and nothing is fetched again")
  func kills() async throws {
    var random = SeededGenerator(seed: 21)
    let server = try FaultServer()
    for (name, file) in files { server.serve("/m/\(name)", file) }
    server.serve("/m/" + DirectoryIndex.fileName, Resource(index, kind: "application/json"))
    try Folder.make(home.path / "ssd")
    try cross(to: "board", server)
    let asked = server.requests.count
    var (disk, other) = ("ssd", "board")
    var kills = 0
    var ends = 0
    while kills < Self.kills, ends < Self.kills * 3 {
      let ferry = try spawn(disk, server)
      let goal = bytes(on: disk) + Int.random(in: 0...Self.total / 2, using: &random)
      while !ferry.hasEnded, bytes(on: disk) < goal {
        _ = Readiness.readable([ferry.ended], until: .now + .milliseconds(1))
      }
      let isOver = ferry.hasEnded
      ferry.end()
      if isOver {
        #expect(ferry.ending?.code == 0)
        check(disk, alone: true)
        swap(&disk, &other)
        ends += 1
      } else {
        check(disk, alone: false)
        kills += 1
      }
    }
    try cross(to: disk, server)
    check(disk, alone: true)
    #expect(kills >= Self.kills)
    #expect(server.requests.count == asked, "something was fetched again")
    print("move: ended \(kills) times, moved \(ends + 1) times")
  }

  private func folder(_ disk: String) -> MediaFolder { MediaFolder(home.path / (disk == "board" ? "media" : disk)) }

  private func spawn(_ disk: String, _ server: FaultServer) throws -> ChildProcess {
    var surroundings = SpawnOptions(output: home.path / "ferry.log")
    surroundings.variables = ["SWIFT_BACKTRACE=enable=no"]
    return try ChildProcess(
      ["\(BuildProducts.folder / "Ferry")", "\(home.path)", server.url("/m"), disk], in: surroundings)
  }

  private func cross(to disk: String, _ server: FaultServer) throws {
    let ferry = try spawn(disk, server)
    while !ferry.hasEnded { _ = Readiness.readable([ferry.ended], until: .now + .milliseconds(20)) }
    ferry.end()
    #expect(ferry.ending?.code == 0)
  }

  private func paths(on disk: String) -> [FilePath] {
    let kernel = KernelDisk()
    var paths: [FilePath] = []
    for name in (try? Folder.names(in: folder(disk).path)) ?? [] where name.bytes.count == 2 {
      let inside = folder(disk).path / name.description
      paths += ((try? kernel.names(in: inside, most: 100)) ?? []).map { inside / $0.description }
    }
    return paths
  }

  private func bytes(on disk: String) -> Int {
    var sum = 0
    for path in paths(on: disk) {
      var facts = stat()
      if path.withCString({ stat($0, &facts) }) == 0 { sum += Int(facts.st_size) }
    }
    return sum
  }

  private func isWhole(_ name: String, on disk: String) -> Bool {
    let key = MediaKey(source: "shop", item: name, quality: .lossless)
    let path = (try? MediaFolder.Name(of: key)).map { folder(disk).whole($0, ending: "flac") }
    let bytes = path.flatMap { try? PlainFile.read($0, limit: Self.size * 2, code: "T-14") }
    return bytes == files[name]?.bytes
  }

  /// `alone`: and nothing lies on the other.
  private func check(_ disk: String, alone isAlone: Bool) {
    let other = disk == "ssd" ? "board" : "ssd"
    for name in Self.names {
      let isThere = isWhole(name, on: disk) || !isAlone && isWhole(name, on: other)
      #expect(isThere, "\(name) on \(disk)")
    }
    guard isAlone else { return }
    #expect(paths(on: disk).count == Self.names.count && paths(on: other).isEmpty)
  }
}
