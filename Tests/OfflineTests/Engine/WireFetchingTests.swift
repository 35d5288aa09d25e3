import FaultServer
import HTTP
import Runtime
import Services
import Synchronization
import TestSupport
import Testing

@testable import Offline

@Suite("Files and indexes over HTTP")
struct WireFetchingTests {
  /// What is heard of a fetch, gathered.
  final class Ear: Sendable {
    private struct State {
      var heads: [MediaResponse] = []
      var bytes: [UInt8] = []
      var ends: [Trouble?] = []
      var waiting: CheckedContinuation<Void, Never>?
      var fetch: (any MediaFetch)?
      var owed = 0
    }

    private let state = Mutex(State())

    func hear(_ news: FetchNews) {
      let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
        switch news {
        case .head(let answer): state.heads.append(answer)
        case .bytes(let bytes):
          state.bytes += bytes
          state.owed += bytes.count
          Self.credit(&state)
        case .ended: state.ends.append(nil)
        case .failed(let trouble): state.ends.append(trouble)
        }
        guard !state.ends.isEmpty else { return nil }
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume()
    }

    /// From now on what comes is credited.
    func credits(_ fetch: any MediaFetch) {
      state.withLock { state in
        state.fetch = fetch
        Self.credit(&state)
      }
    }

    private static func credit(_ state: inout State) {
      guard let fetch = state.fetch, state.owed > 0 else { return }
      fetch.credit(state.owed)
      state.owed = 0
    }

    func end() async {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state -> Bool in
          if state.ends.isEmpty { state.waiting = continuation }
          return !state.ends.isEmpty
        }
        if isOver { continuation.resume() }
      }
    }

    var heads: [MediaResponse] { state.withLock { $0.heads } }
    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var ends: [Trouble?] { state.withLock { $0.ends } }
  }

  /// Transfers of a test's own; they close with it.
  final class Wire: Sendable {
    let fetching: WireFetching
    private let transfers: Transfers
    private let loop: EventLoop

    init(
      _ settings: TransferSettings = TransferSettings(), date: Int64? = 1_000, stall: StallLimit = StallLimit(),
      connectLimit: Duration = .seconds(20), patience: TimeLimit = WireFetching.patience
    ) throws {
      loop = try EventLoop("net", mayBlock: true)
      try loop.start()
      transfers = Transfers(settings, on: loop)
      let box = Box()
      fetching = WireFetching(
        transfers, stall: stall, connectLimit: connectLimit, patience: patience, date: { date },
        measured: { box.add($0) })
      self.box = box
    }

    final class Box: Sendable {
      private let all = Mutex<[LineMeter.Measurement]>([])
      func add(_ one: LineMeter.Measurement) { all.withLock { $0.append(one) } }
      var bytes: Int64 { all.withLock { $0.reduce(0) { $0 + $1.bytes } } }
    }

    let box: Box

    func limit(bytesASecond: Int64?) async { await transfers.limit(bytesASecond: bytesASecond) }

    deinit {
      let (transfers, loop) = (transfers, loop)
      Task {
        await transfers.close()
        loop.stop()
      }
    }
  }

  @Test("a file comes from the byte that was asked for, as much of it as was credited")
  func file() async throws {
    let resource = Resource.noise(1_000_000)
    let server = try FaultServer(serving: ["/a": resource])
    let (wire, ear) = (try Wire(), Ear())
    let place = MediaPlace(url: server.url("/a"), size: 1_000_000, ending: "flac")
    let fetch = await wire.fetching.fetch(place, Asked(from: 10, ifRange: "\"first\"")) { ear.hear($0) }
    // Until something is taken a window comes, and no more.
    ear.credits(fetch)
    await ear.end()
    let isRight = ear.bytes == Array(resource.bytes[10...])
    #expect(isRight)
    #expect(ear.ends == [nil])
    #expect(ear.heads.map(\.status) == [206])
    #expect(ear.heads.first?.range == .part(first: 10, last: 999_999, total: 1_000_000))
    #expect(server.requests.first?["if-range"] == "\"first\"")
    #expect(wire.box.bytes == 999_990)
  }

  @Test("of two that share a capped line the one that is listened to comes first, though it began last")
  func listened() async throws {
    let server = try FaultServer(serving: ["/a": .noise(1_200_000), "/b": .noise(60_000)])
    var settings = TransferSettings()
    // Nobody gets anything worth speaking of before both are there.
    settings.bytesASecond = 1
    let (wire, ears) = (try Wire(settings), [Ear(), Ear()])
    // How much the first had when the second ended, as it is when that is heard.
    let late = Mutex<Int?>(nil)
    var fetches: [any MediaFetch] = []
    for (path, ear) in zip(["/a", "/b"], ears) {
      let place = MediaPlace(url: server.url(path), ending: "flac")
      let fetch = await wire.fetching.fetch(place, Asked(from: 0)) { news in
        if path == "/b", case .ended = news { late.withLock { $0 = ears[0].bytes.count } }
        ear.hear(news)
      }
      if path == "/b" { fetch.listened(true) }
      ear.credits(fetch)
      fetches.append(fetch)
    }
    // All of the second lies in the kernel: a server that a busy computer keeps waiting leaves nothing to the first.
    await server.until { seen in
      seen.requests.contains { $0.path == "/a" } && seen.requests.contains { $0.path == "/b" && $0.sent > 60_000 }
    }
    let early = ears[0].bytes.count
    // With each piece that comes more is taken than is dealt in a while, so that there is never anything left over.
    await wire.limit(bytesASecond: 30_000)
    await ears[1].end()
    let first = try #require(late.withLock { $0 }) - early
    #expect(ears[1].bytes.count == 60_000 && first < 30_000, "\(first)")
    for fetch in fetches { fetch.stop() }
  }

  @Test("of a fetch that was stopped nothing more is heard, and its socket goes")
  func stop() async throws {
    let server = try FaultServer(serving: ["/a": .noise(1_000_000)])
    server.always(.stall(at: 1_000))
    let (wire, ear) = (try Wire(), Ear())
    let place = MediaPlace(url: server.url("/a"), ending: "flac")
    let fetch = await wire.fetching.fetch(place, Asked(from: 0)) { ear.hear($0) }
    await server.until { $0.openConnections == 1 }
    fetch.stop()
    await server.until { $0.openConnections == 0 && $0.allConnections == 1 }
    #expect(ear.ends.isEmpty)
  }

  @Test("what goes wrong is told in the words of downloads")
  func trouble() async throws {
    let server = try FaultServer(serving: ["/a": .noise(5_000)])
    server.script("/cut", [.broken(.answer(200, [], [UInt8](repeating: 1, count: 9_000)), after: 10, .end)])
    server.script("/gzip", [.answer(200, [("Content-Encoding", "gzip")], [1, 2])])
    server.script("/loop", [.redirect(to: "/loop")])
    server.script("/headers", [.manyHeaders(200)])
    let wire = try Wire()
    let table: [(String, Trouble)] = [
      ("/cut", .network(.reset)), ("/gzip", .encoded), ("/loop", .redirect(.loop)), ("/headers", .nonsense),
    ]
    for (path, expected) in table {
      let ear = Ear()
      let place = MediaPlace(url: server.url(path), size: 9_000, ending: "flac")
      _ = await wire.fetching.fetch(place, Asked(from: 0)) { ear.hear($0) }
      await ear.end()
      #expect(ear.ends == [expected], "\(path)")
    }
  }

  @Test("a certificate that has run out is the clock's fault while the clock is not set", arguments: [nil, 1_000])
  func clock(date: Int64?) async throws {
    let authority = try Identity.authority()
    let server = try FaultServer(over: ServedTLS(try authority.vouched(until: .seconds(-60))))
    var settings = TransferSettings()
    settings.authorities = .these(authority.pem)
    let (wire, ear) = (try Wire(settings, date: date), Ear())
    let place = MediaPlace(url: server.url("/a"), ending: "flac")
    _ = await wire.fetching.fetch(place, Asked(from: 0)) { ear.hear($0) }
    await ear.end()
    let expected: Trouble = date == nil ? .clockWrong : .tls(.expired)
    #expect(ear.ends == [expected])
    // An index's failure keeps it.
    let failure = await #expect(throws: MediaFailure.self) {
      try await wire.fetching.fetch(server.url("/i"), unless: nil, limit: 1_000)
    }
    #expect(failure.map { Trouble($0) } == expected)
  }

  @Test("an index comes once: asked for again, it is only said that it is the same")
  func index() async throws {
    let server = try FaultServer()
    let html = ("Content-Type", "Text/HTML; charset=utf-8")
    server.script(
      "/i", [.answer(200, [("ETag", "\"7\""), html], [1, 2, 3]), .answer(304, [("ETag", "\"7\"")], [])])
    let wire = try Wire()
    let first = try await wire.fetching.fetch(server.url("/i"), unless: nil, limit: 10)
    #expect(first == FetchedFile(status: 200, tag: "\"7\"", type: "text/html", bytes: [1, 2, 3]))
    let second = try await wire.fetching.fetch(server.url("/i"), unless: first.tag, limit: 10)
    #expect(second.status == 304)
    #expect(server.requests.map { $0["if-none-match"] } == [nil, "\"7\""])
  }

  @Test("an index that drips is not waited for; the line is too slow for it")
  func drippingIndex() async throws {
    let server = try FaultServer()
    let promise = Act.answer(200, [], [UInt8](repeating: 0x20, count: 1 << 20))
    server.script("/i", [.slowly(promise, bytes: 10, every: .milliseconds(5))])
    let wire = try Wire(patience: TimeLimit(.milliseconds(300), bytesASecond: 8_000))
    let failure = await #expect(throws: MediaFailure.self) {
      try await wire.fetching.fetch(server.url("/i"), unless: nil, limit: 16 << 20)
    }
    #expect(failure.map { Trouble($0) } == .stalled)
    await server.until { $0.openConnections == 0 }
    // As long as an index can be, over a line that is as slow as may be: within the hour.
    #expect(WireFetching.patience.time(for: Int64(DirectoryIndex.longestFile)) < .seconds(3_600))
  }

  @Test("what the line gave is told in turns, with who held it back")
  func meter() {
    var meter = LineMeter()
    func at(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }
    meter.began(at: at(0))
    #expect(meter.took(100, wasHeldBack: false, at: at(100)) == nil)
    meter.began(at: at(120))
    #expect(meter.took(50, wasHeldBack: true, at: at(200)) == nil)
    let turn = LineMeter.Measurement(bytes: 151, duration: .milliseconds(250), wasHeldBack: true)
    #expect(meter.took(1, wasHeldBack: false, at: at(250)) == turn)
    #expect(meter.ended(at: at(260)) == nil)
    #expect(meter.took(7, wasHeldBack: false, at: at(270)) == nil)
    let last = LineMeter.Measurement(bytes: 7, duration: .milliseconds(30), wasHeldBack: false)
    #expect(meter.ended(at: at(280)) == last)
    // The time in which nothing ran is nobody's.
    meter.began(at: at(9_000))
    #expect(meter.ended(at: at(9_001))?.duration == .milliseconds(1))
  }
}
