import Runtime
import Services
import Synchronization
import TestSupport
import Testing

@testable import Offline

@Suite("What is played while it comes")
struct StreamTests {
  static let item = ItemKey(source: "shop", item: "1")

  static func read(_ stream: MediaStream, from start: Int = 0, upTo end: Int = .max) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while start + bytes.count < end {
      let next = try await stream.read(at: Int64(start + bytes.count), most: min(7_000, end - start - bytes.count))
      if next.isEmpty { break }
      bytes += next
    }
    return bytes
  }

  @Test("it is read as it grows, waits where the line breaks, and goes on by itself")
  func grows() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    let all = try #require(depot.source.bytes("1", .high))
    depot.fetching.state.withLock { $0.isHalting = true }
    let stream = try await depot.part.stream(Self.item, at: .high)
    let first = try await Self.read(stream, upTo: all.count / 2)
    #expect(first == Array(all.prefix(all.count / 2)))
    await depot.part.take(TransferConditions())
    await depot.settle(.seconds(1))
    #expect(await stream.why() == [Why(.noNetwork)])
    async let rest = Self.read(stream, from: first.count)
    depot.fetching.state.withLock { $0.isHalting = false }
    await depot.part.take(Depot.home)
    let isRight = try await first + rest == all
    #expect(isRight)
    await depot.settle()
    #expect(depot.isWhole("1") && depot.record("1")?.isCache == true)
    #expect(depot.whole.isEmpty)
    await stream.close()
  }

  @Test("it takes another's place, is not one of what is wanted, and stays as cache until its room is needed")
  func cache() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    var rules = Depot.rules
    rules.limit = Int64(OfflinePartTests.bytes) * 4
    try await depot.start(rules)
    let stream = try await depot.part.stream(ItemKey(source: "shop", item: "5"), at: .high)
    _ = try await Self.read(stream)
    await stream.close()
    await depot.settle()
    #expect(depot.isWhole("5"))
    #expect(await depot.part.list().isEmpty)
    // It survives a start, and is read again without the network.
    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    try await next.start(rules, TransferConditions())
    let again = try await next.part.stream(ItemKey(source: "shop", item: "5"), at: .lossless)
    #expect(try await Self.read(again).count == OfflinePartTests.bytes + 3)
    #expect(next.fetching.state.withLock { $0.asked.isEmpty })
    await again.close()
    await next.settle()
    // Four are asked for, and there is room for three beside it. It was played just now, so nothing is given up for them.
    _ = try await next.part.want(OfflinePartTests.album, at: .high)
    _ = try await next.part.want(OfflinePartTests.list, at: .high)
    await next.part.take(Depot.home)
    await next.settle()
    let health = await next.part.health()
    #expect(next.isWhole("5") && health.whole == 2 && health.kept <= rules.limit)
  }

  @Test("who skips from one to the next waits for none that nobody listens to any more")
  func skipping() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    depot.fetching.state.withLock { $0.isHalting = true }
    for item in ["1", "2", "3", "4", "5"] {
      let stream = try await depot.part.stream(ItemKey(source: "shop", item: item), at: .high)
      // Time stands still: those before linger.
      #expect(try await Self.read(stream, upTo: 10).count == 10)
      await stream.close()
    }
    #expect(await depot.part.engine.runningCount <= Depot.rules.atOnce)
    await depot.settle(.seconds(5))
    #expect(await depot.part.engine.runningCount == 0)
  }

  @Test("what fails tells whoever reads")
  func fails() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    let stream = try await depot.part.stream(ItemKey(source: "shop", item: "none"), at: .high)
    var code: String?
    do throws(Fault) { _ = try await stream.read(at: 0, most: 10) } catch { code = error.code }
    #expect(code == Trouble.notThere.code)
    await stream.close()
  }

  @Test("what is to be heard in place of something else begins when some of it is here, and is waited for so long")
  func begins() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    try await depot.part.begin(Self.item, within: .seconds(8))
    depot.fetching.state.withLock { $0.silent = ["2"] }
    // Time stands still until it is moved on.
    async let answer: Result<Void, Fault> = {
      do throws(Fault) {
        return .success(try await depot.part.begin(ItemKey(source: "shop", item: "2"), within: .seconds(8)))
      } catch {
        return .failure(error)
      }
    }()
    while !depot.fetching.state.withLock({ $0.asked.contains("2") }) { await depot.settle(.milliseconds(1)) }
    await depot.settle(.seconds(8))
    switch await answer {
    case .success: Issue.record("nothing of it came")
    case .failure(let fault): #expect(fault.code == "O-415" && fault.message == "shop does not answer")
    }
    // Without a network it says so at once, unless it has just been started.
    await depot.part.take(TransferConditions())
    await depot.settle(OfflinePart.lineComesWithin)
    var code: String?
    do throws(Fault) {
      try await depot.part.begin(ItemKey(source: "shop", item: "3"), within: .seconds(8))
    } catch { code = error.code }
    #expect(code == WaitReason.noNetwork.code)
    await depot.settle(.seconds(5))
    #expect(await depot.part.engine.runningCount == 0)
  }

  // MARK: Large ones

  static func largeShop() -> ChangingSource {
    var generator = SeededGenerator(seed: 8)
    var items: [String: [UInt8]] = [:]
    for name in ["1", "2", "3", "4"] { items[name] = PartFileTests.bytes(1_200_000, &generator) }
    return ChangingSource(items, lists: ["a": ["1", "2", "3", "4"]])
  }

  @Test("who seeks in what has not come is given that part by itself, and the file still comes whole and right")
  func seeks() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    let all = try #require(depot.source.bytes("1", .low))
    depot.fetching.state.withLock { $0.isHalting = true }
    let stream = try await depot.part.stream(Self.item, at: .low)
    #expect(try await Self.read(stream, upTo: 10) == Array(all.prefix(10)))
    // Half of it comes; of what is asked for from here on, half as well.
    let place = all.count - 200_000
    let part = try await Self.read(stream, from: place, upTo: place + 90_000)
    let isRight = part == Array(all[place..<place + 90_000])
    #expect(isRight)
    #expect(depot.fetching.state.withLock { $0.asked } == ["1", "1"])
    // Back in what is here, nothing is asked for.
    #expect(try await Self.read(stream, from: 1_000, upTo: 1_500) == Array(all[1_000..<1_500]))
    #expect(depot.fetching.state.withLock { $0.asked } == ["1", "1"])
    depot.fetching.state.withLock { $0.isHalting = false }
    await depot.part.take(TransferConditions())
    await depot.settle(.seconds(1))
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(depot.isWhole("1", .low))
    await stream.close()
    await depot.settle()
  }

  @Test("of what comes next the beginnings are fetched and no more; played, it goes on from there")
  func prepares() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    let next = ["2", "3", "4"].map { ItemKey(source: "shop", item: $0) }
    await depot.part.prepare(next, at: .low)
    await depot.settle()
    let enough = RunAhead.head + Quality.low.estimate(of: RunAhead.beginning)
    for name in ["2", "3", "4"] {
      let record = try #require(depot.record(name, .low))
      #expect(record.state == .queued && record.isCache, "\(record)")
      #expect((enough..<enough + 200_000).contains(record.durable), "\(record)")
    }
    #expect(depot.fetching.state.withLock { $0.asked.count } == 3)
    #expect(await depot.part.plan(count: 9).map(\.why) == [[Why(.begun)], [Why(.begun)], [Why(.begun)]])
    // It is the next one's turn, and another comes next.
    await depot.part.prepare([next[1], next[2], Self.item], at: .low)
    let stream = try await depot.part.stream(next[0], at: .low)
    let all = try #require(depot.source.bytes("2", .low))
    let isRight = try await Self.read(stream) == all
    #expect(isRight)
    await stream.close()
    await depot.settle()
    #expect(depot.isWhole("2", .low) && depot.record("1", .low)?.state == .queued)
  }

  @Test(
    "without the line what is here is played as far as it goes, and then the reason ends it; with nothing here, at once"
  )
  func cached() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    await depot.part.prepare([Self.item], at: .low)
    await depot.settle()
    await depot.part.take(TransferConditions())
    guard case .stream(let stream) = try await depot.part.playable(Self.item, at: .low) else {
      Issue.record("it is not whole")
      return
    }
    var (came, code) = (0, "")
    do throws(Fault) {
      while true { came += try await stream.read(at: Int64(came), most: 60_000).count }
    } catch { code = error.code }
    #expect(Int64(came) == depot.record("1", .low)?.durable && code == WaitReason.noNetwork.code)
    await stream.close()
    await depot.settle()
    do throws(Fault) {
      _ = try await depot.part.playable(ItemKey(source: "shop", item: "4"), at: .low)
      Issue.record("nothing of it is here")
    } catch { #expect(error.code == WaitReason.noNetwork.code && error.kind == .missing) }
  }

  @Test("what has become whole is a file the next time, and is cache that was played")
  func becomesWhole() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    guard case .stream(let stream) = try await depot.part.playable(Self.item, at: .low) else {
      Issue.record("it cannot be here")
      return
    }
    _ = try await Self.read(stream)
    await stream.close()
    await depot.settle()
    #expect(depot.record("1", .low)?.plays == 1)
    guard case .file(let path) = try await depot.part.playable(Self.item, at: .high) else {
      Issue.record("it is whole")
      return
    }
    #expect(depot.disk.bytes(path) == depot.source.bytes("1", .low))
    #expect(depot.record("1", .low)?.plays == 2)
  }

  @Test("while hardly anything of a stream is there, nothing else takes part of the line; then it goes on")
  func hasTheLine() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    depot.fetching.state.withLock { $0.isHalting = true }
    let album = ContainerKey(source: "shop", kind: .album, id: "a")
    _ = try await depot.part.want(album, at: .lossless)
    await depot.settle(.seconds(1))
    #expect(depot.fetching.state.withLock { $0.asked.count } == 3)
    // Four seconds of it come, and then nothing for now.
    let stream = try await depot.part.stream(ItemKey(source: "shop", item: "4"), at: .lossless)
    await depot.settle(.seconds(1))
    let lines = await depot.part.plan(count: 10).filter(\.isRunning)
    #expect(lines.map(\.key.item.item) == ["4"])
    depot.fetching.state.withLock { $0.isHalting = false }
    await stream.close()
    await depot.part.take(TransferConditions())
    await depot.settle(.seconds(3))
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(await depot.part.list().first?.state == .whole)
  }

  // MARK: From one to the next

  private static func track(_ name: String) -> ContainerKey { ContainerKey(source: "shop", kind: .track, id: name) }
  private static func named(_ name: String) -> ItemKey { ItemKey(source: "shop", item: name) }

  @Test("each is taken from where it is when its turn comes: a file, a stream that has begun before, a file, a stream")
  func turns() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    for name in ["1", "3"] { _ = try await depot.part.want(Self.track(name), at: .low) }
    await depot.settle()
    #expect(depot.isWhole("1", .low) && depot.isWhole("3", .low))
    var heard: [String] = []
    for (name, next) in [("1", ["2", "3", "4"]), ("2", ["3", "4"]), ("3", ["4"]), ("4", [])] as [(String, [String])] {
      await depot.part.prepare(next.map(Self.named), at: .low)
      await depot.settle()
      let all = try #require(depot.source.bytes(name, .low))
      switch try await depot.part.playable(Self.named(name), at: .low) {
      case .file(let path): heard.append(depot.disk.bytes(path) == all ? "file" : "wrong file")
      case .stream(let stream):
        let isRight = try await Self.read(stream) == all
        heard.append(isRight ? "stream" : "wrong stream")
        await stream.close()
      }
    }
    #expect(heard == ["file", "stream", "file", "stream"])
    // The streams in two parts: before their turn, and in it.
    let asked = depot.fetching.state.withLock { $0.asked }
    #expect(asked.sorted() == ["1", "2", "2", "3", "4", "4"], "\(asked)")
    #expect(asked.firstIndex(of: "4") ?? 9 < asked.lastIndex(of: "2") ?? 0, "\(asked)")
    await depot.settle()
  }

  @Test("a file that somebody has removed comes anew, and is heard as it comes")
  func removed() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start()
    for name in ["1", "2"] { _ = try await depot.part.want(Self.track(name), at: .low) }
    await depot.settle()
    let path = try #require(depot.record("1", .low)?.path)
    depot.disk.remove(FilePath(path))
    guard case .stream(let stream) = try await depot.part.playable(Self.item, at: .low) else {
      Issue.record("it is not there")
      return
    }
    let isRight = try await Self.read(stream) == depot.source.bytes("1", .low)
    #expect(isRight)
    await stream.close()
    await depot.settle()
    #expect(depot.isWhole("1", .low))
  }

  // MARK: Where bytes cost

  private static var costly: TransferConditions {
    var situation = Depot.home
    situation.isMetered = true
    return situation
  }

  @Test("what is wanted and heard where bytes cost comes a minute ahead and no more, says so, and is whole at home")
  func wantedWhereItCosts() async throws {
    let depot = try Depot(Self.largeShop())
    try await depot.start(Depot.rules, Self.costly)
    _ = try await depot.part.want(Self.track("1"), at: .low)
    let all = try #require(depot.source.bytes("1", .low))
    let stream = try await depot.part.stream(Self.item, at: .low)
    #expect(try await Self.read(stream, upTo: 10) == Array(all.prefix(10)))
    await depot.settle()
    let most = RunAhead.head + Quality.low.estimate(of: RunAhead.most)
    let there = try #require(depot.record("1", .low)?.durable)
    #expect(there >= most && there < most + 200_000)
    #expect(await stream.why() == [Why(.ahead)])
    // Heard on, more of it comes.
    let rest = try await Self.read(stream, from: 10, upTo: 400_000)
    #expect(rest.count == 399_990)
    await depot.settle()
    let more = try #require(depot.record("1", .low)?.durable)
    #expect(more > there && more < Int64(all.count))
    await stream.close()
    await depot.settle()
    #expect(depot.record("1", .low)?.durable == more)
    #expect(await depot.part.list().first?.why.map(\.code) == ["O-104"])
    await depot.part.take(Depot.home)
    await depot.settle()
    #expect(depot.isWhole("1", .low))
  }

  @Test("who stops listening where bytes cost stops the fetching too, though it is wanted")
  func leftWhereItCosts() async throws {
    var generator = SeededGenerator(seed: 9)
    let depot = try Depot(ChangingSource(["1": PartFileTests.bytes(600_000, &generator)], lists: [:]))
    try await depot.start(Depot.rules, Self.costly)
    _ = try await depot.part.want(Self.track("1"), at: .low)
    depot.fetching.state.withLock { $0.isHalting = true }
    let stream = try await depot.part.stream(Self.item, at: .low)
    _ = try await Self.read(stream, upTo: 10)
    #expect(await depot.part.plan(count: 1).first?.isRunning == true)
    await stream.close()
    // Before anybody looks again.
    await depot.settle(.seconds(5))
    let line = await depot.part.plan(count: 1).first
    #expect(line?.isRunning == false && line?.why.map(\.code) == ["O-104"], "\(line as Any)")
  }

  @Test("where the owner does not want to pay for listening, it is not played, and the reason is told")
  func notWhereItCosts() async throws {
    let depot = try Depot(Self.largeShop())
    var rules = Depot.rules
    rules.streamsOnMetered = false
    try await depot.start(rules, Self.costly)
    await depot.settle()
    var fault: Fault?
    do throws(Fault) { _ = try await depot.part.playable(Self.item, at: .low) } catch { fault = error }
    #expect(fault?.code == WaitReason.metered.code && fault?.message.contains(WaitReason.metered.words) == true)
    #expect(depot.fetching.state.withLock { $0.asked.isEmpty })
  }
}
