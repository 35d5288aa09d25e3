import FaultServer
import Glibc
import Offline
import Runtime
import Services
import Testing

@testable import bench

@Suite("The benches of downloads")
struct DownloadTests {
  @Test("what is fetched has all arrived when the engine says so, and a server that fails is a fault")
  func engine() async throws {
    let scratch = try Scratch()
    let files = try ServedFiles(5, of: 30_000, named: "many", below: scratch.path / "root")
    let server = try FaultServer()
    for name in try Folder.names(in: scratch.path / "root" / "many") {
      let bytes = try AtomicFile.read(scratch.path / "root" / "many" / name.description, limit: 1 << 20)
      let kind = name.description == DirectoryIndex.fileName ? "application/json" : "audio/flac"
      server.serve("/many/\(name)", Resource(bytes, kind: kind))
    }
    let address = try #require(FolderAddress(files.folder(at: server.port)))
    let loop = try EventLoop("offline", mayBlock: true)
    try loop.start()
    let engine = try await Engine.open(scratch.folder("home"), address, on: loop)
    #expect(try await engine.fetch(ServedFiles.first, of: 1) > .zero)
    #expect(try await engine.fetch(ServedFiles.all, of: files.count) > .zero)
    #expect(try Self.files(below: scratch.path / "home" / "media") == files.count + 1)
    #expect(server.requests.filter { $0.path.hasSuffix(".flac") }.count == files.count + 1)
    loop.stop()
  }

  private static func files(below folder: FilePath) throws -> Int {
    var count = 0
    for inside in try Folder.names(in: folder) where inside.description != VolumeMark.file {
      count += try Folder.names(in: folder / inside.description).count
    }
    return count
  }

  @Test("what has failed or waits is a fault for whoever waits for it")
  func tally() async throws {
    let key = MediaKey(source: "shop", item: "0", quality: .high)
    for event in [OfflineEvent.download(.failed(key, .wrongHash)), .waits([Why(.metered)])] {
      let tally = Tally()
      tally.hear(.download(.completed(key, bytes: 1)))
      tally.hear(event)
      await #expect(throws: Fault.self) { try await tally.wait(for: 2) }
    }
    let tally = Tally()
    for _ in 0..<3 { tally.hear(.download(.completed(key, bytes: 1))) }
    try await tally.wait(for: 2)
    try await tally.wait(for: 1)
  }

  @Test("noise is the same in each run, and never twice the same")
  func noise() {
    var (one, two) = (Noise(), Noise())
    let (first, second) = (one.next(10_000), one.next(10_000))
    let isSame = first == two.next(10_000)
    let isOther = first != second
    #expect(isSame && isOther && Set(first).count == 256)
  }

  @Test("each peer is asked for all files and nothing else", arguments: DownloadPeer.allCases)
  func peers(peer: DownloadPeer) {
    let place = "http://127.0.0.1:81/many/"
    func words(_ count: Int) -> String {
      peer.words(count, from: place, ending: "flac", into: FilePath("/to"), list: FilePath("/list")).joined(
        separator: " ")
    }
    if peer == .aria2 {
      #expect(words(100).contains("-j3") && words(100).hasSuffix("-d /to -i /list"))
    } else {
      #expect(words(1).contains("\(place)0.flac"))
    }
    let list = DownloadPeer.list(3, from: place, ending: "mp3")
    #expect(list == "\(place)0.mp3\n\(place)1.mp3\n\(place)2.mp3\n")
    if peer == .curl {
      #expect(words(100).contains("--parallel-max 3") && words(100).hasSuffix("\(place)[0-99].flac"))
    }
  }

  @Test("a ratio is of one turn, whatever the turns are like among each other")
  func ratios() {
    #expect(Turns.ratios([1, 20, 3], [2, 10, 0]) == [0.5, 2])
    var turns = Turns()
    turns.add(9, 9, isWarm: false)
    turns.add(1, 0.5, isWarm: true)
    #expect(turns.seconds == [1] && turns.processor == [0.5])
  }

  @Test("each of the ten thousand has its turn, and has it once")
  func planner() {
    var day = WantedDay()
    var count = 0
    while day.decide() != nil { count += 1 }
    #expect(count == PlannerBench.items)
  }

  @Test("the engine's process says how it is called, and is none of the benches")
  func engineWords() {
    #expect(runBench([EngineProcess.word, "fetch"]) == EX_USAGE)
    #expect(throws: Fault.self) { try BenchOptions([EngineProcess.word]) }
  }
}
