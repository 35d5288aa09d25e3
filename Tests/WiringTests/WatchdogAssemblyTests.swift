import Application
import Runtime
import TestSupport
import Testing

@testable import Library
@testable import layby

@Suite("The watchdogs, made of real parts")
struct WatchdogAssemblyTests {
  @Test("the device that board.conf names is fed again and again, and told to stop when somebody stops the program")
  func device() async throws {
    let folder = TempFolder()
    // A file takes food as a device does, and keeps what it was given.
    let device = folder.path / "watchdog"
    try AtomicFile.replace(device, with: [])
    let board = "[watchdog]\ndevice = \(device)\ntimeout = 2s\n"
    let seen = try await AssemblyWorld.live(in: folder.path, board: board) { world throws(Fault) in
      let watchdogs = world.context.watchdogs
      let parts = world.context.supervisor.health.map(\.name)
      for _ in 0..<4 { await MainLoop.loop.advance(by: .milliseconds(500)) }
      let fed = try AtomicFile.read(device, limit: 64)
      watchdogs.standDown()
      return (parts: parts, fed: fed, bytes: try AtomicFile.read(device, limit: 64))
    }
    #expect(seen.parts == ["watchdog"])
    // Once when it was opened, and then three times within its timeout at least.
    #expect(seen.fed.count >= 4 && seen.fed.allSatisfy { $0 == 0 })
    #expect(seen.bytes == seen.fed + [UInt8(ascii: "V")])
  }

  enum SlowLoop: CaseIterable, Sendable { case library, work, net, offline }

  @Test(
    "each loop for slow work may be busy for ten minutes; then the device is fed no more until it goes on",
    .timeLimit(.minutes(1)), arguments: SlowLoop.allCases)
  func slow(_ wanted: SlowLoop) async throws {
    let folder = TempFolder()
    let device = folder.path / "watchdog"
    try AtomicFile.replace(device, with: [])
    // A file says no timeout, so it counts as a device that resets the board after three seconds. It is fed four times in
    // that.
    let turn: Duration = .milliseconds(750)
    let board = "[watchdog]\ndevice = \(device)\n"
    let owner = "[source home]\nurl = http://127.0.0.1:9/music/\n"
    let (inside, goOn) = try (Bell(), Bell())
    let seen = try await AssemblyWorld.live(in: folder.path, board: board, owner: owner) { world throws(Fault) in
      let network = NetworkAssembly(world.context, world.storage, nil)
      let power = PowerAssembly(
        world.context, world.sound.transport, LightAssembly(world.context, nil), world.library, nil)
      let offline = OfflineAssembly(world.context, world.storage, world.library, network, power)
      world.context.watchdogs.expect(world.sound, world.storage)
      await world.openLibrary()
      await offline.open()
      guard let loop = try await Self.loop(wanted, world, network) else { throw Fault(.missing, "T-73", "no loop") }

      /// How often it is fed in so many turns.
      @MainLoop func fed(in turns: Int) async throws(Fault) -> Int {
        let before = try AtomicFile.read(device, limit: 1 << 16).count
        for _ in 0..<turns {
          await MainLoop.loop.advance(by: turn)
          // Time stands still until the threads that live in real time have answered.
          await world.storage.loop.perform {}
          while !world.sound.path.isOutputAlive { await MainLoop.loop.nextRound() }
        }
        return try AtomicFile.read(device, limit: 1 << 16).count - before
      }
      var seen = [try await fed(in: 50)]
      loop.post {
        inside.ring()
        goOn.wait()
      }
      inside.wait()
      seen.append(try await fed(in: 790))
      // In one of these its patience ends.
      _ = try await fed(in: 20)
      seen.append(try await fed(in: 50))
      goOn.ring()
      await loop.perform {}
      _ = try await fed(in: 1)
      seen.append(try await fed(in: 50))
      return seen
    }
    #expect(seen == [50, 790, 0, 50])
  }

  @MainLoop
  private static func loop(
    _ wanted: SlowLoop, _ world: AssemblyWorld, _ network: NetworkAssembly
  ) async throws(Fault) -> EventLoop? {
    switch wanted {
    case .library: return world.storage.catalogue?.loop
    case .work:
      // It has no thread before the first import.
      let loop = world.library.jobs?.imports.loop
      try loop?.startOnce(priority: .normal)
      return loop
    case .net: return try await network.transfers().loop
    case .offline:
      guard case .open(_, let loop) = world.keeping.availability else { return nil }
      return loop
    }
  }

  @Test("a device that is not there is told, and costs nothing else; without one nothing is fed")
  func noDevice() async throws {
    for (board, codes) in [("[watchdog]\ndevice = /dev/no-watchdog\n", ["R-160"]), ("", [])] {
      let folder = TempFolder()
      let seen = try await AssemblyWorld.live(in: folder.path, board: board) { world throws(Fault) in
        world.context.watchdogs.standDown()
        return (codes: world.codes, parts: world.context.supervisor.health.map(\.name))
      }
      #expect(seen.codes == codes && seen.parts == [], "\(board)")
    }
  }
}
