import Runtime
import TestSupport
import Testing

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
      await watchdogs.begin()
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

  @Test("a device that is not there is told, and costs nothing else; without one nothing is fed")
  func noDevice() async throws {
    for (board, codes) in [("[watchdog]\ndevice = /dev/no-watchdog\n", ["R-160"]), ("", [])] {
      let folder = TempFolder()
      let seen = try await AssemblyWorld.live(in: folder.path, board: board) { world throws(Fault) in
        await world.context.watchdogs.begin()
        world.context.watchdogs.standDown()
        return (codes: world.codes, parts: world.context.supervisor.health.map(\.name))
      }
      #expect(seen.codes == codes && seen.parts == [], "\(board)")
    }
  }
}
