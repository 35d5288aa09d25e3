import FaultServer
import Glibc
import Runtime
import Testing

@testable import Offline

/// Every fault that servers, lines, disks and power supplies are known for, in every standing of a download in which it
/// can strike: real sockets, and a disk that fails when it is told to. Time is the test's; nothing waits for a clock but
/// what curl itself measures.
@Suite("The matrix of faults")
struct MatrixTests {
  static let cases = MatrixCase.all(of: MatrixFaults.all)

  @Test("the table holds at least 150 pairs of a fault and a standing, each but once")
  func count() {
    let once = Self.cases.filter { !$0.isForever }.map(\.pair)
    #expect(Set(once).count == once.count)
    #expect(once.count >= 150)
    print("matrix: \(once.count) pairs of fault and standing, \(Self.cases.count) cases")
  }

  @Test("whatever strikes, it is told for what it is, and goes on until all is here and right", arguments: cases)
  func matrix(it: MatrixCase) async throws {
    let world = try MatrixWorld(it)
    try await world.stand()
    let before = world.server.requests.count { $0.path == MatrixWorld.path }
    let attempts = world.life.rows.all[MatrixWorld.key]?.retry.attempts ?? 0
    try await world.strike()
    if it.isForever {
      guard await lasts(world, attempts) else { return }
    } else {
      guard try await strikes(world) else { return }
      kept(world, before)
    }
    try await end(world)
  }

  // MARK: Once

  /// False: it was taken otherwise, and what follows says nothing.
  private func strikes(_ world: MatrixWorld) async throws -> Bool {
    let it = world.it
    if it.taken == .quietly || it.taken == .byAddress {
      let stop = await world.life.stops.next()
      #expect(stop == .completed, "\(it)")
      if it.taken == .byAddress { #expect(world.source.state.withLock { $0.anew } == 1, "\(it)") }
      return stop == .completed
    }
    let stop = await world.life.stops.next()
    guard fits(stop, it.taken) else {
      Issue.record("\(it): \(stop), and not \(it.taken)")
      return false
    }
    if it.taken != .dies { checkPaused(world, stop) }
    // Else it would lie there for ever.
    if case .elsewhere = it.fault.kind { world.mend() }
    try await goOn(world, from: stop)
    let last = await world.life.stops.next()
    #expect(last == .completed, "\(it), afterwards")
    return last == .completed
  }

  private func fits(_ stop: Stop, _ taken: Taken) -> Bool {
    switch (stop, taken) {
    case (.retries(let trouble, let pause), .retries(let expected, let least)): trouble == expected && pause >= least
    case (.waits(let reason), .waits(let expected)): reason == expected
    case (.failed(let trouble), .fails(let expected)): trouble == expected
    case (.unstored, .unstored), (.died, .dies), (.completed, .quietly): true
    default: false
    }
  }

  private func goOn(_ world: MatrixWorld, from stop: Stop) async throws {
    switch stop {
    case .retries: await world.letTimeGoBy()
    case .waits(let reason): await world.life.lift(reason, of: MatrixWorld.key)
    case .failed: await world.life.carrier.hear(.again, for: MatrixWorld.key)
    case .unstored: await world.life.loop.advance(by: DownloadEngine.storingAgain)
    case .died: try await world.restart()
    case .completed, .paused: break
    }
  }

  // MARK: Again and again

  private func lasts(_ world: MatrixWorld, _ attempts: Int) async -> Bool {
    let it = world.it
    guard let expected = it.fault.lasts else { return false }
    var stop = await world.life.stops.next()
    for _ in 0..<20 {
      guard case .retries = stop else { break }
      checkPaused(world, stop)
      await world.letTimeGoBy()
      stop = await world.life.stops.next()
    }
    guard fits(stop, expected) else {
      Issue.record("\(it): \(stop), and not \(expected)")
      return false
    }
    if stop == .completed { return true }
    checkPaused(world, stop)
    if case .waits(let reason) = stop {
      // Nobody has mended it: it waits again, and has used nothing up but what it had tried before.
      await world.life.lift(reason, of: MatrixWorld.key)
      let again = await world.life.stops.next()
      #expect(again == stop, "\(it)")
      let used = reason == .server || reason == .disk ? Retry.limit - 1 : attempts
      #expect(world.life.rows.all[MatrixWorld.key]?.retry.attempts == used, "\(it)")
      guard again == stop else { return false }
    }
    world.mend()
    try? await goOn(world, from: stop)
    let last = await world.life.stops.next()
    #expect(last == .completed, "\(it), mended")
    return last == .completed
  }

  // MARK: What holds

  /// While the download is not running: its row says why, the bytes that the row counts are on the disk and right, and no
  /// file has the final name.
  private func checkPaused(_ world: MatrixWorld, _ stop: Stop) {
    let it = world.it
    guard let row = world.life.rows.all[MatrixWorld.key] else {
      // What could not be stored the first time has none.
      if stop != .unstored { Issue.record("\(it): no row") }
      return
    }
    switch stop {
    case .retries(let trouble, let pause):
      #expect(row.state == .retrying && row.trouble == trouble && row.pause == pause, "\(it)")
    case .waits(let reason): #expect(row.state == .queued && row.waits == reason && !row.isReady, "\(it)")
    case .failed(let trouble): #expect(row.state == .failed && row.trouble == trouble, "\(it)")
    default: return
    }
    let disk = world.life.memory
    let there = (try? MediaFolder.Name(of: MatrixWorld.key)).flatMap { disk.bytes(MatrixWorld.folder.part($0)) } ?? []
    let counted = there.prefix(Int(row.durable))
    let files = [MatrixWorld.song, MatrixWorld.other, MatrixWorld.longer, MatrixWorld.shorter]
    let isPart = files.contains { begins($0.bytes, with: counted) }
    #expect(counted.count == Int(row.durable) && isPart, "\(it): \(row.durable) of \(there.count)")
    let name = try? MediaFolder.Name(of: MatrixWorld.key)
    let whole = name.map { MatrixWorld.folder.whole($0, ending: "flac") }
    #expect(whole.map { disk.bytes($0) == nil } ?? false, "\(it)")
  }

  /// Byte by byte in a loop of ours it would be a fifth of all that the matrix costs.
  private func begins(_ bytes: [UInt8], with first: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      first.withUnsafeBytes { first in
        guard let one = bytes.baseAddress, let other = first.baseAddress else { return first.isEmpty }
        return first.count <= bytes.count && memcmp(one, other, first.count) == 0
      }
    }
  }

  /// The first question after the fault goes on from what was here, unless that was given up.
  private func kept(_ world: MatrixWorld, _ before: Int) {
    let it = world.it
    guard it.standing.isPromised, it.standing.durable > 0, case .server(let acts) = it.fault.kind else { return }
    if it.taken == .quietly { return }
    let asked = world.server.requests.filter { $0.path == MatrixWorld.path }.dropFirst(before + acts.count)
    guard let next = asked.first else {
      Issue.record("\(it): nothing was asked for afterwards")
      return
    }
    let range = next["range"]
    if it.fault.startsOver {
      #expect(range == nil, "\(it)")
    } else {
      let from = range.flatMap { Int64($0.dropFirst("bytes=".count).dropLast()) } ?? 0
      #expect(from >= it.standing.durable, "\(it): \(range ?? "all of it")")
    }
  }

  private func end(_ world: MatrixWorld) async throws {
    let it = world.it
    let file = it.fault.bringsOther.contains(it.standing) ? brought(it) : MatrixWorld.song
    let row = try #require(world.life.rows.all[MatrixWorld.key])
    #expect(row.state == .completed && row.trouble == nil && row.waits == nil && row.retry == Retry(), "\(it)")
    #expect(row.size == Int64(file.bytes.count) && row.durable == row.size, "\(it)")
    #expect(row.hash == MatrixWorld.sum(file), "\(it)")
    let disk = world.life.memory
    let path = FilePath(try #require(row.path))
    let isRight = disk.bytes(path) == file.bytes
    #expect(isRight, "\(it)")
    guard world.hasNeighbour else {
      #expect(disk.names == [path], "\(it)")
      return
    }
    // What is wrong with one is nothing to the other.
    #expect(await world.life.neighbour.next() == .completed, "\(it)")
    let other = try #require(world.life.rows.all[MatrixWorld.neighbourKey]?.path)
    let isOtherRight = disk.bytes(FilePath(other)) == MatrixWorld.neighbour.bytes
    #expect(isOtherRight, "\(it)")
    #expect(disk.names == [path, FilePath(other)], "\(it)")
  }

  private func brought(_ it: MatrixCase) -> Resource {
    if case .server(let acts) = it.fault.kind, case .other(let file)? = acts.first { return file }
    return MatrixWorld.other
  }
}
