import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

@Suite("What is nobody's fault, and passes")
struct OutageTests {
  static let album = OfflinePartTests.album
  static let hour: Duration = .seconds(3_600)

  /// `c` of another source holds 8 and 9.
  static func barn() -> ChangingSource {
    var generator = SeededGenerator(seed: 6)
    var items: [String: [UInt8]] = [:]
    for name in ["8", "9"] { items[name] = PartFileTests.bytes(OfflinePartTests.bytes, &generator) }
    return ChangingSource(items, lists: ["c": ["8", "9"]], id: "barn")
  }

  static let other = ContainerKey(source: "barn", kind: .album, id: "c")

  static func refuse(_ depot: Depot, _ trouble: Trouble?, _ items: [String] = ["1", "2", "3"]) {
    depot.fetching.state.withLock { state in
      for item in items { state.troubles[item] = trouble }
    }
  }

  static func isAllWhole(_ depot: Depot) -> Bool { ["1", "2", "3"].allSatisfy { depot.isWhole($0) } }

  @Test(
    "a server that is gone for a while is waited for, and all of it comes by itself soon after",
    arguments: [
      (Trouble.network(.noName), 600), (.network(.timedOut), 30), (.httpStatus(503), 7_200), (.tls(.expired), 60),
      (.stalled, 300),
    ] as [(Trouble, Int64)])
  func comesBack(trouble: Trouble, minutes: Int64) async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    Self.refuse(depot, trouble)
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(.seconds(minutes * 60))
    #expect(await depot.part.health().failed == 0)
    let line = try await OfflinePartTests.line(depot)
    #expect(line.state == .waiting && line.failed == 0 && !line.needsOwner)
    let why = try #require(line.why.first)
    #expect(line.why.count == 1 && why.code == "O-143" && why.words == "\(WaitReason.server.words): \(trouble.words)")
    #expect(why.again.map { $0 > .zero && $0 <= Self.hour } == true)
    #expect(why.sentence.contains("; it is tried again in ") && !why.sentence.contains("soon"), "\(why.sentence)")
    // It was looked for, and not by all of them again and again.
    let asked = depot.fetching.state.withLock { $0.asked.count }
    #expect(asked < 9 + 70 + Int(minutes) / 45, "\(asked)")
    Self.refuse(depot, nil)
    await depot.settle(Self.hour + .seconds(120))
    #expect(Self.isAllWhole(depot))
  }

  @Test(
    "after an outage all goes on before a quarter of its length has passed, after a short one an eighth, or seconds",
    arguments: [20, 70, 300, 3_600] as [Int64])
  func short(seconds: Int64) async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    Self.refuse(depot, .network(.refused))
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(.seconds(seconds))
    Self.refuse(depot, nil)
    await depot.settle(.seconds(max(seconds < 600 ? seconds / 8 : seconds / 4, 5) + 1))
    #expect(Self.isAllWhole(depot))
  }

  @Test("a file that is not as long as its index says is waited for as long as it takes, and asked for seldom")
  func replaced() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    Self.refuse(depot, .wrongLength, ["2"])
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(Self.hour * 24)
    #expect(depot.isWhole("1") && depot.isWhole("3"))
    #expect(depot.record("2")?.waits == .server && depot.record("2")?.trouble == .wrongLength)
    let asked = depot.fetching.state.withLock { $0.asked.count { $0 == "2" } }
    #expect((20...45).contains(asked), "\(asked)")
    Self.refuse(depot, nil)
    await depot.settle(Self.hour)
    #expect(Self.isAllWhole(depot))
  }

  @Test("what failed for its bytes gets one more attempt at each start, and nobody is told of it again")
  func start() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    Self.refuse(depot, .wrongHash, ["2"])
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    #expect(depot.record("2")?.state == .failed)
    for isRight in [false, true] {
      let next = try Depot(depot.source, depot.disk, depot.rows.all)
      Self.refuse(next, isRight ? nil : .wrongHash, ["2"])
      try await next.start()
      await next.settle()
      #expect(next.record("2")?.state == (isRight ? .completed : .failed))
      #expect(next.fetching.state.withLock { $0.asked } == ["2"])
      #expect(!next.told.contains { if case .download(.failed) = $0 { true } else { false } })
      #expect(await next.part.plan(count: 9).isEmpty)
    }
  }

  @Test("when the network is another all are tried again at once")
  func newLine() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    Self.refuse(depot, .network(.noName))
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(Self.hour * 5)
    depot.source.state.withLock { $0.forgot = 0 }
    Self.refuse(depot, nil)
    await depot.part.take(TransferConditions())
    await depot.part.take(Depot.home)
    await depot.settle(.seconds(1))
    #expect(Self.isAllWhole(depot))
    #expect(depot.source.state.withLock { $0.forgot } == 1)
  }

  @Test("after a power cut what waits for its server still does, and is tried at once")
  func afterACut() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    Self.refuse(depot, .httpStatus(500))
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    #expect(depot.record("1")?.waits == .server)
    let next = try Depot(depot.source, depot.disk, depot.rows.all)
    try await next.start()
    await next.settle(.seconds(1))
    #expect(Self.isAllWhole(next))
  }

  @Test("one song that never comes is not asked for with each of the others")
  func oneBad() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    Self.refuse(depot, .stalled, ["1"])
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(Self.hour * 24)
    #expect(depot.isWhole("2") && depot.isWhole("3") && depot.record("1")?.waits == .server)
    let asked = depot.fetching.state.withLock { $0.asked.count { $0 == "1" } }
    #expect((20...45).contains(asked), "\(asked)")
  }

  @Test("a disk that does not take it is asked again after an hour, or when it is back")
  func disk() async throws {
    for isAway in [false, true] {
      let depot = try Depot(OfflinePartTests.shop())
      try await depot.start()
      Self.refuse(depot, .disk(.write))
      _ = try await depot.part.want(Self.album, at: .high)
      await depot.settle()
      #expect(depot.record("1")?.waits == .disk && depot.record("1")?.state == .queued)
      Self.refuse(depot, nil)
      if isAway {
        var situation = Depot.home
        situation.free = nil
        await depot.part.take(situation)
        await depot.part.take(Depot.home)
        await depot.settle(.seconds(1))
      } else {
        await depot.settle(.seconds(1_800))
        #expect(!depot.isWhole("1"))
        await depot.settle(Self.hour)
      }
      #expect(Self.isAllWhole(depot))
    }
  }

  @Test("an index that cannot be read fails no song: all wait, one looks, and all come when it can be")
  func index() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    var failure = MediaFailure(.status(404), Fault(.passing, "T-6", "no index"))
    failure.isOfSource = true
    depot.source.state.withLock { $0.refuses = failure }
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(Self.hour)
    let line = try await OfflinePartTests.line(depot)
    #expect(line.state == .waiting && line.failed == 0 && line.why.map(\.code) == ["O-144"])
    #expect(depot.lastWaits() == ["O-144"])
    let resolved = depot.source.state.withLock { $0.resolved }
    #expect(resolved < 70, "\(resolved)")
    depot.source.state.withLock { $0.refuses = nil }
    await depot.settle(Self.hour)
    #expect(Self.isAllWhole(depot))
  }

  @Test("what failed for its bytes comes when its source has other ones, or another index", arguments: [false, true])
  func otherBytes(isGone: Bool) async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    let right = depot.source.state.withLock { $0.items["2"] }
    if isGone {
      depot.source.state.withLock { $0.items["2"] = nil }
    } else {
      Self.refuse(depot, .wrongHash, ["2"])
    }
    // Which is as the index has it.
    _ = try await depot.part.want(isGone ? Self.gone(depot) : Self.album, at: .high)
    await depot.settle()
    #expect(depot.record("2")?.state == .failed)
    // Sources are asked now and then; this one has the index that it had.
    let asks = SourceFollower.asksEvery + .seconds(120)
    await depot.settle(asks)
    #expect(depot.record("2")?.state == .failed)
    Self.refuse(depot, nil, ["2"])
    depot.source.state.withLock { state in
      if isGone { state.items["2"] = right }
      state.changes = MediaChanges(token: "2")
    }
    await depot.settle(asks)
    #expect(depot.isWhole("2"))
  }

  @Test("whoever asks sources for what is new has what failed tried again")
  func refreshed() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    Self.refuse(depot, .httpStatus(404), ["2"])
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle()
    #expect(depot.record("2")?.state == .failed)
    Self.refuse(depot, nil, ["2"])
    await depot.part.refresh()
    await depot.settle(.seconds(1))
    #expect(Self.isAllWhole(depot))
  }

  /// One that lists what nobody has.
  private static func gone(_ depot: Depot) -> ContainerKey {
    depot.source.state.withLock { $0.lists["g"] = ["1", "2"] }
    return ContainerKey(source: "shop", kind: .album, id: "g")
  }

  @Test("by hand what failed and what waits is tried at once, and only that")
  func again() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    Self.refuse(depot, .httpStatus(404), ["1"])
    Self.refuse(depot, .network(.refused), ["2"])
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(Self.hour * 8)
    #expect(depot.record("1")?.state == .failed && depot.record("2")?.waits == .server && depot.isWhole("3"))
    Self.refuse(depot, nil)
    depot.source.state.withLock { $0.forgot = 0 }
    let unknown = ContainerKey(source: "shop", kind: .album, id: "x")
    await #expect { try await depot.part.again(unknown) } throws: { ($0 as? Fault)?.code == "O-403" }
    #expect(try await depot.part.again(Self.album) == 2)
    await depot.settle(.seconds(1))
    #expect(Self.isAllWhole(depot) && depot.source.state.withLock { $0.forgot } == 1)
    #expect(try await depot.part.again(nil) == 0)
  }

  // MARK: Pages

  @Test("where nobody can ask, a page uses up no attempt, however long somebody wants to be seen first")
  func unaskedPortal() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    var believed = Depot.home
    believed.internet = .unknown
    try await depot.start(Depot.rules, believed)
    depot.fetching.state.withLock { $0.pages = ["1", "2", "3"] }
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(Self.hour * 8)
    for item in ["1", "2", "3"] {
      let record = try #require(depot.record(item))
      #expect(record.state == .queued && record.waits != nil && record.retry == Retry(), "\(item)")
    }
    // Nobody can tell, and it is not held against the line for ever.
    #expect(await depot.part.health().why.isEmpty)
    depot.fetching.state.withLock { $0.pages = [] }
    await depot.settle(Self.hour + .seconds(120))
    #expect(Self.isAllWhole(depot))
  }

  @Test("a source that shows its own pages stops itself, and no other source, whether somebody asks or not")
  func oneShowsPages() async throws {
    for internet in [TransferConditions.Internet.reached, .unknown] {
      let depot = try Depot(OfflinePartTests.shop(), and: Self.barn())
      var home = Depot.home
      home.internet = internet
      try await depot.start(Depot.rules, home)
      var page = MediaFailure(.page, Fault(.passing, "T-7", "a page"))
      page.isOfSource = true
      depot.source.state.withLock { $0.refuses = page }
      _ = try await depot.part.want(Self.album, at: .high)
      _ = try await depot.part.want(Self.other, at: .high)
      await depot.settle(.seconds(1_800))
      for item in ["8", "9"] {
        let key = MediaKey(source: "barn", item: item, quality: .high)
        #expect(depot.rows.all.downloads[key]?.state == .completed, "\(internet): \(item)")
      }
      // The first page was taken for the network's; by now it is known whose they are.
      await depot.settle(Self.hour * 4)
      #expect(depot.record("1")?.waits == .source, "\(internet): \(String(describing: depot.record("1")))")
      depot.source.state.withLock { $0.refuses = nil }
      await depot.settle(Self.hour * 2)
      #expect(Self.isAllWhole(depot), "\(internet)")
    }
  }

  @Test("a server that sends a page for one song, on a line that is open, keeps that one waiting and no other")
  func page() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    depot.fetching.state.withLock { state in
      (state.pages, state.flowing, state.isHalting) = (["2"], ["2"], true)
    }
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(.seconds(1))
    depot.fetching.state.withLock { $0.isHalting = false }
    await depot.settle(.seconds(400))
    #expect(depot.isWhole("1") && depot.isWhole("3"))
    #expect(depot.record("2")?.waits == .server && depot.record("2")?.trouble == .page)
    #expect(depot.record("2")?.retry == Retry())
    let line = try await OfflinePartTests.line(depot)
    #expect(line.state == .waiting && line.why.map(\.code) == ["O-143"] && !line.needsOwner)
    depot.fetching.state.withLock { $0.pages = [] }
    await depot.settle(.seconds(3_600))
    #expect(depot.isWhole("2"))
  }

  @Test("an answer to a probe that is younger than the page says that it was the server's own")
  func probed() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    depot.fetching.state.withLock { $0.pages = ["1", "2", "3"] }
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(.seconds(1))
    #expect(depot.record("1")?.waits == .portal)
    // Whoever asks doubts first.
    var asked = Depot.home
    asked.internet = .unknown
    await depot.part.take(asked)
    await depot.settle(.seconds(1))
    #expect(depot.record("1")?.waits == .portal)
    await depot.part.take(Depot.home)
    await depot.settle(.seconds(1))
    #expect(depot.record("1")?.waits == .server && depot.record("1")?.trouble == .page)
  }

  // MARK: Sources that do not answer

  @Test("what is stuck begins anew, also while a source lets everybody wait who asks for changes")
  func stuck() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    depot.source.state.withLock { $0.isHanging = true }
    depot.fetching.state.withLock { $0.isHalting = true }
    _ = try await depot.part.want(Self.album, at: .high)
    await depot.settle(.seconds(61))
    depot.fetching.state.withLock { $0.isHalting = false }
    #expect(!depot.source.state.withLock { $0.hanging.isEmpty })
    await depot.settle(.seconds(900))
    #expect(Self.isAllWhole(depot))
    depot.source.letGo()
    await depot.settle(.seconds(1))
  }

  @Test("a source that brings nothing leaves a place to the others")
  func oneHalts() async throws {
    let depot = try Depot(OfflinePartTests.shop(), and: Self.barn())
    try await depot.start(Depot.rules, TransferConditions())
    depot.fetching.state.withLock { state in
      state.isHalting = true
      state.flowing = ["8", "9"]
    }
    _ = try await depot.part.want(Self.album, at: .high)
    _ = try await depot.part.want(Self.other, at: .high)
    await depot.part.take(Depot.home)
    await depot.settle(.seconds(5))
    #expect(depot.rows.all.downloads.values.count { $0.state == .completed } == 2)
    #expect(depot.rows.all.downloads.values.count { $0.state.isRunning } == 3)
  }
}
