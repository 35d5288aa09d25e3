import Glibc
import Runtime
import TestSupport
import Testing

@testable import Hardware

/// A folder that looks like the kernel's, and a bell in the place of its.
private final class MadeUpSupplies: Sendable {
  let folder = TempFolder()
  let bell: Bell

  init() throws(Fault) { bell = try Bell() }

  var surroundings: PowerSurroundings {
    var surroundings = PowerSurroundings()
    surroundings.supplies = folder.path
    surroundings.news = { () throws(Fault) in RungNews(self.bell) }
    return surroundings
  }

  func write(_ supply: String, _ files: KeyValuePairs<String, String>) {
    do throws(Fault) {
      try Folder.make(folder.path / supply)
      for (name, text) in files { try AtomicFile.replace(folder.path / supply / name, with: Array("\(text)\n".utf8)) }
    } catch { Issue.record("\(error)") }
  }

  func battery(_ percent: Int, _ status: String = "Discharging") {
    write("BAT0", ["type": "Battery", "present": "1", "status": status, "capacity": "\(percent)"])
  }
}

@MainLoop
private final class Heard {
  private(set) var states: [PowerState] = []
  nonisolated init() {}
  func take(_ state: PowerState) { states.append(state) }
}

@Suite("The part that knows power", .serialized)
struct PowerPartTests {
  private static func battery(_ level: Int?, plugged: Bool) -> PowerState {
    PowerState(hasBattery: true, level: level, isPlugged: plugged)
  }

  private func with(
    _ made: MadeUpSupplies, _ body: @escaping @Sendable (PowerPart, Heard) async throws -> Void
  ) async throws {
    let heard = Heard()
    try await TestMainLoop.alone {
      let part = await onMainLoop { PowerPart(made.surroundings, by: .onLoop(MainLoop.loop)) { heard.take($0) } }
      let running = await onMainLoop { await RunningPart(part) }
      try await body(part, heard)
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("without a battery it is plugged in, and that is told once")
  func mains() async throws {
    let made = try MadeUpSupplies()
    made.write("hidpp_battery_0", ["type": "Battery", "scope": "Device", "capacity": "3", "status": "Discharging"])
    try await with(made) { _, heard in
      #expect(await onMainLoop { heard.states } == [PowerState()])
      await MainLoop.loop.advance(by: PowerPart.pollsAfter * 5)
      #expect(await onMainLoop { heard.states.count } == 1)
    }
  }

  @Test("a charger that is pulled is told at once, a level that has jumped when it was seen again, seconds later")
  func pulled() async throws {
    let made = try MadeUpSupplies()
    made.battery(80, "Charging")
    made.write("AC", ["type": "Mains", "online": "1"])
    try await with(made) { part, heard in
      #expect(await onMainLoop { heard.states } == [Self.battery(80, plugged: true)])
      made.write("AC", ["type": "Mains", "online": "0"])
      made.battery(9)
      made.bell.ring()
      await MainLoop.loop.advance(by: PowerPart.settling)
      #expect(await onMainLoop { heard.states.last } == Self.battery(80, plugged: false))
      await MainLoop.loop.advance(by: PowerPart.looksAgainAfter)
      #expect(await onMainLoop { heard.states.last } == Self.battery(9, plugged: false))
      #expect(await onMainLoop { part.supplies.count } == 2)
      let box = Mailbox<PowerState>()
      await onMainLoop { part.follow(box) }
      #expect(box.tryReceive() == Self.battery(9, plugged: false))
    }
  }

  @Test("a gauge that never rings is read each minute, and one that wavers is not told")
  func polled() async throws {
    let made = try MadeUpSupplies()
    made.battery(50)
    try await with(made) { _, heard in
      for percent in [49, 49, 49] {
        made.battery(percent)
        await MainLoop.loop.advance(by: PowerPart.pollsAfter)
      }
      #expect(await onMainLoop { heard.states.map(\.level) } == [50, 49])
      for percent in [50, 49, 50, 49, 50, 50] {
        made.battery(percent)
        await MainLoop.loop.advance(by: PowerPart.pollsAfter)
      }
      #expect(await onMainLoop { heard.states.map(\.level) } == [50, 49])
    }
  }

  @Test("a gauge that says nothing for a moment has not gone, and does not turn the charger on")
  func silent() async throws {
    let made = try MadeUpSupplies()
    made.battery(15)
    try await with(made) { _, heard in
      _ = (made.folder.path / "BAT0/type").withCString { unlink($0) }
      made.bell.ring()
      await MainLoop.loop.advance(by: PowerPart.settling)
      made.battery(15)
      await MainLoop.loop.advance(by: PowerPart.looksAgainAfter)
      #expect(await onMainLoop { heard.states } == [Self.battery(15, plugged: false)])
    }
  }

  @Test("the real kernel's supplies are read, if there are any, and it can be listened to")
  func real() async throws {
    let heard = Heard()
    await TestMainLoop.alone {
      let part = await onMainLoop { PowerPart { heard.take($0) } }
      let running = await onMainLoop { await RunningPart(part) }
      await onMainLoop { while heard.states.isEmpty { await MainLoop.loop.nextRound() } }
      #expect(await onMainLoop { heard.states.count } == 1)
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }
}
