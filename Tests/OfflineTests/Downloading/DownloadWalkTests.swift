import Testing

@testable import Offline

@Suite("Downloads on random walks")
struct DownloadWalkTests {
  private static func walk(_ seed: UInt64) -> DownloadWorld {
    let world = DownloadWorld(seed: seed)
    for number in 0..<300 where world.complaints.isEmpty {
      if number % 11 == 0 { world.nudge() }
      if number % 37 == 36 { world.owner() }
      world.step()
    }
    return world
  }

  @Test("whatever fails and whenever the power goes, it ends whole and right", arguments: 0..<8 as Range<UInt64>)
  func ends(block: UInt64) {
    for seed in block * 250..<(block + 1) * 250 {
      let world = Self.walk(seed)
      world.isCalm = true
      var left = 2_000
      while world.download.state != .completed, left > 0, world.complaints.isEmpty {
        world.nudge()
        world.step()
        left -= 1
      }
      #expect(world.complaints == [])
      #expect(world.download.state == .completed, "seed \(seed): \(world.download.record)")
      // Of one version, and of the one that was promised.
      #expect(world.whole?.version != nil, "seed \(seed)")
      #expect(world.whole?.version.map { "hash \($0)" } == world.download.record.hash, "seed \(seed)")
      #expect(world.whole?.length == world.download.record.durable, "seed \(seed)")
      if !world.complaints.isEmpty || world.download.state != .completed { break }
    }
  }

  @Test("the walks go through every state and through many power cuts")
  func coverage() {
    var states: Set<String> = []
    var cuts = 0
    for seed in 0..<100 as Range<UInt64> {
      let world = Self.walk(seed)
      states.formUnion(world.states)
      cuts += world.cuts
    }
    #expect(states == Set(DownloadRecord.State.all.map(\.name)))
    #expect(cuts > 300)
  }
}
