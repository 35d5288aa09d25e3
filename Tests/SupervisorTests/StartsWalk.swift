import Glibc
import Runtime
import TestSupport
import Testing

@testable import Supervisor

/// A week in a car with a program that crashes and hangs, and an owner who pulls the plug. Everything goes through the
/// files, and each process has a ledger of its own; what the rule should say is counted here, from what really happened.
@Suite("A week of starts")
struct StartsWalk {
  private struct World {
    var random: SeededGenerator
    let folder = TempFolder()
    var boot = 0
    var now: Int64 = 0
    var reset: ResetReason = []
    /// When the starts after bad ends of this boot were, and how many boards were reset, since the last forgiving.
    var badEnds: [Int64] = []
    var resets = 0
    var ledger: StartLedger?

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func bootAnew(_ reason: ResetReason) {
      boot += 1
      now = .random(in: 3...20, using: &random)
      reset = reason
      badEnds = []
      if reason.isByWatchdog { resets = min(resets + 1, 3) }
      // The run folder is memory: a boot empties it, but the rule must not depend on it.
      if Bool.random(using: &random) { _ = (folder.path / "run/starts").withCString { unlink($0) } }
    }

    mutating func forgive() {
      badEnds = []
      resets = 0
    }
  }

  @Test(
    "safe mode comes exactly after three bad ends, never by power cuts, and one quiet minute ends it", arguments: 1...12
  )
  func week(seed: UInt64) {
    var world = World(seed: seed)
    world.bootAnew([])
    var safeStarts = 0
    var starts = 0
    var elapsed: Int64 = 0
    while elapsed < 7 * 86_400, starts < 600 {
      starts += 1
      let isSafe = start(&world, seed)
      if isSafe { safeStarts += 1 }
      // Trouble comes in series, as it does.
      let lasts: Int64 =
        Int.random(in: 0..<10, using: &world.random) < 7
        ? .random(in: 0...25, using: &world.random) : .random(in: 60...20_000, using: &world.random)
      end(after: lasts, &world)
      elapsed += lasts
    }
    #expect(
      safeStarts > 0 && safeStarts < starts, "seed \(seed): a walk that never, or only, meets safe mode shows little")
  }

  @Test("a week of power cuts alone, at any moment, never ends in safe mode", arguments: 1...5)
  func powerCuts(seed: UInt64) {
    var world = World(seed: seed)
    for _ in 0..<200 {
      world.bootAnew([ResetReason(), .lowPower].randomElement(using: &world.random) ?? [])
      #expect(!start(&world, seed), "seed \(seed)")
      if Bool.random(using: &world.random) { world.ledger?.survived() }
      world.ledger = nil
    }
  }

  /// One process's start; true when it is a safe one.
  private func start(_ world: inout World, _ seed: UInt64) -> Bool {
    let ledger = StartLedger(
      run: world.folder.path / "run", state: world.folder.path / "state", bootID: "boot-\(world.boot)",
      now: at(world.now), reset: world.reset)
    let isSafe = ledger.begin() != .normal
    let counted = world.badEnds.filter { world.now - $0 <= 60 }.count + world.resets
    #expect(isSafe == (counted >= 3), "seed \(seed): \(world)")
    #expect(ledger.faults.isEmpty, "seed \(seed)")
    world.ledger = ledger
    return isSafe
  }

  private func end(after lasts: Int64, _ world: inout World) {
    if lasts >= 60 {
      world.ledger?.survived()
      world.forgive()
    }
    world.now += lasts
    switch Int.random(in: 0..<20, using: &world.random) {
    case 0..<13:  // A crash; the service manager starts it again.
      world.ledger = nil
      world.now += .random(in: 0...2, using: &world.random)
      world.badEnds.append(world.now)
    case 13, 14:
      world.ledger?.endCleanly()
      world.ledger = nil
      world.forgive()
    case 15, 16:  // Switched off in order.
      world.ledger?.endCleanly()
      world.ledger = nil
      world.forgive()
      world.bootAnew([])
    case 17:
      world.ledger = nil
      world.bootAnew([])
    default:
      world.ledger = nil
      world.bootAnew(.watchdog)
    }
  }

  private func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }
}
