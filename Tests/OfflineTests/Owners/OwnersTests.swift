import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Owners live inside an actor")
struct OwnersTests {
  /// An actor as `OfflinePart` is one, with one owner that changes things in turn.
  private actor Desk {
    nonisolated let loop: EventLoop
    let turn = ChangeTurn()
    private var inside = 0
    private(set) var mostInside = 0
    private(set) var done: [Int] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop) { self.loop = loop }

    func note(_ number: Int) { done.append(number) }

    /// Each has to wait in its middle, as for a row that is stored.
    func change(_ number: Int) async {
      await turn.enter()
      defer { turn.leave() }
      inside += 1
      mostInside = max(mostInside, inside)
      await loop.nextRound()
      inside -= 1
      note(number)
    }

    func changeAll(_ numbers: Range<Int>) {
      for number in numbers { Task(executorPreference: loop) { await self.change(number) } }
    }
  }

  private func loop() throws -> EventLoop {
    let loop = try EventLoop("work", time: .virtual(VirtualTime()), mayBlock: true)
    try loop.start()
    return loop
  }

  @Test("one change follows the other, the first that came is the first, and nobody is left waiting")
  func turns() async throws {
    let loop = try loop()
    defer { loop.stop() }
    let desk = Desk(on: loop)
    await desk.changeAll(0..<20)
    await loop.advance(by: .seconds(1))
    #expect(await desk.done == Array(0..<20))
    #expect(await desk.mostInside == 1)
    // All have left.
    await desk.changeAll(20..<22)
    await loop.advance(by: .seconds(1))
    #expect(await desk.done == Array(0..<22))
  }

  @Test("what is posted comes in order, and what is started runs on the actor")
  func tasks() async throws {
    let loop = try loop()
    defer { loop.stop() }
    let desk = Desk(on: loop)
    let tasks = ActorTasks<Desk>(on: loop)
    tasks.run(on: desk)
    for number in 0..<10 { tasks.post { desk in desk.note(number) } }
    await loop.advance(by: .seconds(1))
    tasks.start { desk in
      await desk.change(10)
      desk.note(11)
    }
    await loop.advance(by: .seconds(1))
    #expect(await desk.done == Array(0..<12))
  }

  @Test("for an actor that is gone nothing is started, and nobody keeps it")
  func gone() async throws {
    let loop = try loop()
    defer { loop.stop() }
    let tasks = ActorTasks<Desk>(on: loop)
    let ran = Depot.Box<Int>()
    func live() async {
      let desk = Desk(on: loop)
      tasks.run(on: desk)
      tasks.post { _ in ran.add(1) }
      await loop.advance(by: .seconds(1))
    }
    await live()
    tasks.post { _ in ran.add(2) }
    tasks.start { _ in ran.add(3) }
    await loop.advance(by: .seconds(1))
    #expect(ran.all == [1])
  }

  @Test("numbers are stored when they have changed, and only then")
  func counters() {
    var counters = Counters(["completed": 2])
    #expect(counters.unstored == nil)
    counters.count(.completed(MediaKey(source: "shop", item: "1", quality: .high), bytes: 1))
    counters.count(.maintenanceDone(checked: 1, repaired: 0, removed: 4))
    #expect(counters.unstored == ["completed": 3, "removed": 4])
    counters.areStored(["completed": 3, "removed": 4])
    #expect(counters.unstored == nil && counters["completed"] == 3)
    // What was counted while they were stored is stored the next time.
    counters.add(1, to: "removed")
    counters.areStored(["completed": 3, "removed": 4])
    #expect(counters.unstored == ["completed": 3, "removed": 5])
  }
}
