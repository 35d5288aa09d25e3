import Hardware
import Playback
import Runtime
import TestSupport
import Testing

@testable import layby

@Suite("Power and the car's key, made of real parts")
struct PowerAssemblyTests {
  private static let board = "[power]\nignition = ACC\nignition_debounce = 2s\n"
  private static let owner = "[power]\noff_after = 10s\n"

  @MainLoop
  private static func power(_ world: AssemblyWorld) -> PowerAssembly {
    PowerAssembly(world.context, world.sound.transport, LightAssembly(world.context, nil), world.library, nil)
  }

  /// Lets time go by, and what is due then come to its end.
  @MainLoop
  private static func wait(_ duration: Duration, _ world: AssemblyWorld) async {
    await MainLoop.loop.advance(by: duration)
    await world.settle()
  }

  @Test("when the car's key is turned off the music rests, and then the board is asked to switch off")
  func off() async throws {
    let folder = TempFolder()
    let wish = folder.path / "run" / OffSwitch.name.description
    try Folder.make(wish.folder, mode: 0o755)
    let music = folder.path / "a.mp3"
    try AtomicFile.replace(music, with: TinyMP3().bytes, mode: 0o644)
    let seen = try await AssemblyWorld.live(in: folder.path, board: Self.board, owner: Self.owner) {
      world throws(Fault) in
      let (transport, power) = (world.sound.transport, Self.power(world))
      await power.keepSwitchOff()
      await world.settle()
      try await transport.perform(.replace(Replacement([music], from: Origin(.folder, "a"))))
      power.take(ignition: true, at: MainLoop.loop.now)
      // A key that was never on for long is taken for a board on a bench.
      await Self.wait(.seconds(10), world)
      power.take(ignition: false, at: MainLoop.loop.now)
      await Self.wait(.milliseconds(200), world)
      var seen = [Folder.isThere(wish)]
      for _ in 0..<13 { await Self.wait(.seconds(1), world) }
      // A thread writes it, which knows nothing of the test's time.
      for _ in 0..<2_000 where !Folder.isThere(wish) { await world.settle() }
      seen.append(Folder.isThere(wish))
      return seen
    }
    #expect(seen == [false, true])
  }

  @Test("who follows is told at once whether nothing but the session may be written, and what power is like")
  func follow() async throws {
    let folder = TempFolder()
    let seen = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      let power = Self.power(world)
      let isKnown = power.part != nil
      await power.keep()
      let box = Mailbox<Bool>(limit: 4)
      power.follow(holds: box)
      let holds = await box.receive()
      return [isKnown, power.part != nil, holds == false, !power.holdsWrites]
    }
    #expect(seen == [false, true, true, true])
  }
}

extension Folder {
  fileprivate static func isThere(_ path: FilePath) -> Bool {
    ((try? Folder.names(in: path.folder)) ?? []).contains { "\($0)" == path.name.description }
  }
}
