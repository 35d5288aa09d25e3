import FaultServer
import Files
import Glibc
import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

/// A process of its own, with the kernel's disk, a database and real transfers, that is ended as no power cut could be
/// worse. `LAYBY_LONG=1` ends it 200 times.
@Suite("A process that is ended while it fetches")
struct KilledFerryTests {
  private static let isLong = getenv("LAYBY_LONG") != nil
  private static let kills = isLong ? 200 : 5
  private static let perFolder = 5
  private static let names = (1...4).map { "\($0).flac" }
  private static let size = 3_000_000

  private let files: [String: Resource]
  private let index: [UInt8]

  init() throws {
    var files: [String: Resource] = [:]
    var index = DirectoryIndex(name: "shop")
    for (number, name) in Self.names.enumerated() {
      let file = Resource.noise(Self.size + number, seed: UInt64(number + 1))
      files[name] = file
      let path = try FolderPath(name)
      index.items.append(.init(.init(path: path, size: Int64(file.bytes.count), hash: MatrixWorld.sum(file))))
    }
    index.lists = [.init(name: "all", items: Self.names)]
    (self.files, self.index) = (files, index.fileBytes)
  }

  @Test("all arrives whole, a megabyte of each is fetched again at most, and nothing is left over")
  func kills() async throws {
    var random = SeededGenerator(seed: 11)
    var kills = 0
    var turns = 0
    while kills < Self.kills, turns < Self.kills {
      kills += try await cross(most: min(Self.perFolder, Self.kills - kills), &random)
      turns += 1
    }
    #expect(kills >= Self.kills)
    print("ferry: ended \(kills) times in \(turns) folders")
  }

  /// Fetches it all into one folder; how many times it was ended on the way.
  private func cross(most: Int, _ random: inout SeededGenerator) async throws -> Int {
    let folder = TempFolder()
    // Faster, and all would be in the kernel before it can be ended.
    let server = try FaultServer(pace: Pace(bytesASecond: 20_000_000))
    for (name, file) in files { server.serve("/m/\(name)", file) }
    server.serve("/m/" + DirectoryIndex.fileName, Resource(index, kind: "application/json"))
    var kills = 0
    var before: [String: Int64] = [:]
    while true {
      let asked = server.requests.count
      let ferry = try spawn(folder, server)
      let goal = sent(server) + Int.random(in: 100_000...2_500_000, using: &random)
      while !ferry.hasEnded, kills == most || sent(server) < goal {
        _ = Readiness.readable([ferry.ended], until: .now + .milliseconds(5))
      }
      let isOver = ferry.hasEnded
      ferry.end()
      again(before, server.requests.dropFirst(asked))
      if isOver {
        #expect(ferry.ending?.code == 0)
        break
      }
      kills += 1
      before = lengths(folder)
    }
    check(folder)
    return kills
  }

  private func spawn(_ folder: TempFolder, _ server: FaultServer) throws -> ChildProcess {
    var surroundings = SpawnOptions(output: folder.path / "ferry.log")
    surroundings.variables = ["SWIFT_BACKTRACE=enable=no"]
    return try ChildProcess(
      ["\(BuildProducts.folder / "Ferry")", "\(folder.path)", server.url("/m")], in: surroundings)
  }

  private func sent(_ server: FaultServer) -> Int { server.requests.reduce(0) { $0 + $1.sent } }

  private func key(_ name: String) -> MediaKey { MediaKey(source: "shop", item: name, quality: .lossless) }

  private func media(_ folder: TempFolder) -> MediaFolder { MediaFolder(folder.path / "media") }

  /// Of what grows.
  private func lengths(_ folder: TempFolder) -> [String: Int64] {
    var lengths: [String: Int64] = [:]
    for name in Self.names {
      guard let sum = try? MediaFolder.Name(of: key(name)) else { continue }
      var facts = stat()
      if media(folder).part(sum).withCString({ stat($0, &facts) }) == 0 { lengths[name] = Int64(facts.st_size) }
    }
    return lengths
  }

  /// What was here of each is not asked for again, but for a megabyte.
  private func again(_ before: [String: Int64], _ asked: some Collection<SeenRequest>) {
    for (name, length) in before {
      guard let first = asked.first(where: { $0.path == "/m/\(name)" }) else { continue }
      let from = first["range"].flatMap { Int64($0.dropFirst("bytes=".count).dropLast()) } ?? 0
      #expect(length - from <= 1 << 20, "\(name): \(length) were here, and it is asked for from \(from) on")
    }
  }

  private func check(_ folder: TempFolder) {
    var there = 0
    for inner in MediaFolder.folders {
      let disk = KernelDisk()
      there += ((try? disk.names(in: media(folder).path / inner, most: 100)) ?? []).count
    }
    #expect(there == Self.names.count, "something is left over")
    for (name, file) in files {
      let whole = (try? MediaFolder.Name(of: key(name))).map { media(folder).whole($0, ending: "flac") }
      let bytes = whole.flatMap { try? PlainFile.read($0, limit: Self.size * 2, code: "T-14") }
      let isRight = bytes == file.bytes
      #expect(isRight, "\(name)")
    }
  }
}
