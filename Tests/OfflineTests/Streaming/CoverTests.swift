import Runtime
import Services
import Synchronization
import TestSupport
import Testing

@testable import Library
@testable import Offline

@Suite("Covers of what is no file here")
struct CoverTests {
  let temp = TempFolder()

  /// Serves pictures, and notes who is asked for.
  private final class PictureServer: FileFetching {
    private let answers: Mutex<[String: FetchedFile]>
    private let all = Mutex<[String]>([])
    /// Those who wait for an answer; nil while everyone gets one at once.
    private let held = Mutex<[CheckedContinuation<Void, Never>]?>(nil)

    func hold() { held.withLock { $0 = [] } }

    func letGo() {
      for one in held.withLock({ $0.take() }) ?? [] { one.resume() }
    }

    init(_ answers: [String: FetchedFile]) { self.answers = Mutex(answers) }

    var asked: [String] { all.withLock { $0 } }

    func fetch(_ url: String, unless tag: String?, limit: Int) async throws(MediaFailure) -> FetchedFile {
      all.withLock { $0.append(url) }
      await withCheckedContinuation { continuation in
        let isHeld = held.withLock { held in
          held?.append(continuation)
          return held != nil
        }
        if !isHeld { continuation.resume() }
      }
      guard let answer = answers.withLock({ $0[url] }) else {
        throw MediaFailure(.network, Fault(.passing, "T-5", "nobody answers"))
      }
      return answer
    }
  }

  private static let png = FetchedFile(status: 200, bytes: [0x89, 0x50, 0x4E, 0x47, 7, 7, 7])
  private static let page = FetchedFile(status: 200, bytes: Array("<!DOCTYPE html>".utf8))

  private static func item(_ name: String) -> ItemKey { ItemKey(source: "shop", item: name) }

  private func shop(_ art: [String: String]) -> ChangingSource {
    var generator = SeededGenerator(seed: 4)
    var items: [String: [UInt8]] = [:]
    for name in ["1", "2", "3"] { items[name] = PartFileTests.bytes(1_200_000, &generator) }
    let source = ChangingSource(items, lists: [:])
    source.state.withLock { $0.art = art }
    return source
  }

  private func life(_ source: ChangingSource, _ server: PictureServer) async throws -> Depot {
    let depot = try Depot(source)
    await depot.part.keep(OfflinePart.Covers(in: temp.path / "covers", by: server))
    return depot
  }

  @Test("one picture of an album is fetched once, lies where covers are looked for, and is still there after a start")
  func shared() async throws {
    let server = PictureServer(["a": Self.png])
    let source = shop(["1": "a", "2": "a"])
    let first = try await life(source, server)
    try await first.start()
    let place = try #require(await first.part.cover(of: Self.item("1")))
    #expect(await first.part.cover(of: Self.item("2")) == place)
    #expect(await first.part.cover(of: Self.item("3")) == nil)
    #expect(server.asked == ["a"])
    var finder = ArtFinder()
    #expect(finder.places(of: place).map(\.path) == [place.folder / "cover.png"])
    let second = try await life(source, server)
    try await second.start(Depot.rules, TransferConditions())
    #expect(await second.part.cover(of: Self.item("1")) == place)
    #expect(server.asked == ["a"])
  }

  @Test(
    "what is no picture is not kept, and asked for again only where that may help",
    arguments: [
      (page, 1), (FetchedFile(status: 404), 1), (FetchedFile(status: 503), 2), (nil, 2),
      (FetchedFile(status: 200), 1),
    ] as [(FetchedFile?, Int)])
  func refused(answer: FetchedFile?, questions: Int) async throws {
    let server = PictureServer(answer.map { ["a": $0] } ?? [:])
    let depot = try await life(shop(["1": "a"]), server)
    try await depot.start()
    for _ in 0..<2 { #expect(await depot.part.cover(of: Self.item("1")) == nil) }
    #expect(server.asked.count == questions)
    #expect((try? Folder.names(in: temp.path / "covers"))?.isEmpty ?? true)
  }

  @Test("the picture of what is stored is fetched behind the music, and stays however many others come")
  func stored() async throws {
    let server = PictureServer(["a": Self.png])
    let depot = try await life(shop(["1": "a"]), server)
    try await depot.start()
    let track = ContainerKey(source: "shop", kind: .track, id: "1")
    guard case .wanted = try await depot.part.want(track, at: .high) else {
      Issue.record("it is refused")
      return
    }
    await depot.settle()
    #expect(depot.isWhole("1") && server.asked == ["a"])
    let folder = CoverFolder(temp.path / "covers")
    let kept = try folder.place(of: "a")
    #expect(folder.isThere(kept))
    for number in 0..<CoverFolder.most + 5 {
      #expect(try folder.keep(Self.png.bytes, at: try folder.place(of: "\(number)"), sparing: ["a"]))
    }
    #expect(folder.isThere(kept))
    #expect(try Folder.names(in: temp.path / "covers").count < CoverFolder.most)
  }

  @Test("one that several want at the same time is asked for once")
  func together() async throws {
    let server = PictureServer(["a": Self.png])
    let depot = try await life(shop(["1": "a", "2": "a"]), server)
    try await depot.start()
    let part = depot.part
    server.hold()
    async let first = part.cover(of: Self.item("1"))
    async let second = part.cover(of: Self.item("2"))
    while server.asked.isEmpty { await Task.yield() }
    // Time for the other one to come as far.
    for _ in 0..<1_000 { await Task.yield() }
    server.letGo()
    let both = await [first, second]
    #expect(both.allSatisfy { $0 != nil } && server.asked == ["a"], "\(both), \(server.asked)")
  }

  @Test("none is fetched where bytes cost or without a line; the owner may pay for it")
  func costs() async throws {
    let server = PictureServer(["a": Self.png])
    let depot = try await life(shop(["1": "a"]), server)
    var costly = Depot.home
    costly.isMetered = true
    try await depot.start(Depot.rules, costly)
    #expect(await depot.part.cover(of: Self.item("1")) == nil)
    await depot.part.take(TransferConditions())
    #expect(await depot.part.cover(of: Self.item("1")) == nil)
    #expect(server.asked.isEmpty)
    var rules = Depot.rules
    rules.downloadsOnMetered = true
    await depot.part.take(rules)
    await depot.part.take(costly)
    #expect(await depot.part.cover(of: Self.item("1")) != nil)
  }

  @Test("the music comes first: as long as hardly anything of it is here, no picture is fetched")
  func waits() async throws {
    let server = PictureServer(["a": Self.png])
    let depot = try await life(shop(["1": "a"]), server)
    try await depot.start()
    // Four seconds of it come, and then nothing for now.
    depot.fetching.state.withLock { $0.isHalting = true }
    let stream = try await depot.part.stream(Self.item("1"), at: .lossless)
    await depot.settle(.seconds(1))
    async let cover = depot.part.cover(of: Self.item("1"))
    await depot.settle(.seconds(3))
    #expect(server.asked.isEmpty)
    await stream.close()
    await depot.settle(.seconds(5))
    let found = await cover
    #expect(found != nil && server.asked == ["a"])
  }
}
