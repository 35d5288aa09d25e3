import Glibc
import Hardware
import Runtime
import TestSupport
import Testing

private let table = SettingsTable(HardwareSettings.settings)

/// A folder of pipes that say they are input devices.
final class Pipes: Sendable {
  let folder = TempFolder()

  var path: FilePath { folder.path / "input" }

  init() { _ = path.withCString { mkdir($0, 0o755) } }

  func make(_ name: String) {
    #expect((path / name).withCString { mkfifo($0, 0o600) } == 0)
  }

  /// The writing end; closing it is pulling the device.
  func plug(_ name: String) -> Descriptor {
    Descriptor(taking: (path / name).withCString { Glibc.open($0, O_RDWR | O_NONBLOCK) })
  }

  func setMode(_ name: String, _ mode: UInt32) {
    #expect((path / name).withCString { chmod($0, mode) } == 0)
  }

  /// Somebody holds the reading end: only then the other can be had alone.
  func isRead(_ name: String) -> Bool {
    Descriptor(taking: (path / name).withCString { Glibc.open($0, O_WRONLY | O_NONBLOCK) }).number >= 0
  }

  /// By the last digit of its name: 9 has no key, 8 has letters, 7 is a touch screen, 6 one with a key to play; all
  /// others have that key alone.
  static func device(_ path: FilePath) throws(Fault) -> EventDevice {
    var keys = [UInt8](repeating: 0, count: 96)
    let digit = path.bytes.last
    switch digit {
    case UInt8(ascii: "9"), UInt8(ascii: "7"): break
    case UInt8(ascii: "8"): keys[30 / 8] = 1 << (30 % 8)
    default: keys[164 / 8] = 1 << (164 % 8)
    }
    return try EventDevice(
      path, label: "a pipe", keys: keys, axes: [],
      isTouchScreen: digit == UInt8(ascii: "7") || digit == UInt8(ascii: "6"))
  }

  static func press(_ code: UInt16, _ value: Int32 = 1, on end: borrowing Descriptor, at moment: Moment? = nil) {
    let moment = moment ?? Moment(nanoseconds: 1_000_000)
    let all =
      record(of: InputEvent(type: 1, code: code, value: value, at: moment))
      + record(of: InputEvent(type: 0, code: 0, value: 0, at: moment))
    do throws(Fault) { try end.writeAll(all, code: "T-1", doing: "press") } catch { Issue.record("\(error)") }
  }
}

@Suite("Input devices", .serialized)
struct EventDevicesTests {
  private func part(
    _ pipes: Pipes, _ received: Received,
    open: @escaping @Sendable (FilePath) throws(Fault) -> EventDevice = { path throws(Fault) in try Pipes.device(path) }
  ) async -> EventDevices {
    await onMainLoop {
      EventDevices(
        folder: pipes.path, open: open, fingers: { () throws(Fault) in throw Fault(.passing, "T-1", "no fingers") },
        shift: { .seconds(1) }, tell: { received.take($0) }, deliver: { received.take($0, at: $1) })
    }
  }

  @Test("devices that are there are read; those without a key of the table, and other files, are not")
  func there() async {
    let (pipes, received) = (Pipes(), Received())
    for name in ["event0", "event9", "mouse0"] { pipes.make(name) }
    await TestMainLoop.alone {
      let ends = [pipes.plug("event0").release(), pipes.plug("event9").release(), pipes.plug("mouse0").release()]
      let part = await part(pipes, received)
      let running = await onMainLoop { await RunningPart(part) }
      Pipes.press(164, on: Descriptor(taking: dup(ends[1])))
      Pipes.press(164, on: Descriptor(taking: dup(ends[2])))
      Pipes.press(163, on: Descriptor(taking: dup(ends[0])))
      await onMainLoop { await received.wait(for: 1) }
      #expect(await onMainLoop { await running.end() } == nil)
      #expect(await onMainLoop { received.inputs } == [.press(.next)])
      #expect(await onMainLoop { received.codes } == [])
      for end in ends { close(end) }
    }
  }

  @Test("a device plugged in later is read, one pulled is closed, and both may come again")
  func plugged() async {
    let (pipes, received) = (Pipes(), Received())
    await TestMainLoop.alone {
      let part = await part(pipes, received)
      let running = await onMainLoop { await RunningPart(part) }
      for count in 1...3 {
        pipes.make("event\(count)")
        let end = pipes.plug("event\(count)")
        await onMainLoop { await settled() }
        await MainLoop.loop.advance(by: EventDevices.settling)
        Pipes.press(164, on: end)
        await onMainLoop { await received.wait(for: 2 * count - 1) }
        // Pulled: the name goes first, then the other end.
        _ = (pipes.path / "event\(count)").withCString { unlink($0) }
        _ = consume end
        await onMainLoop { await settled() }
      }
      #expect(await onMainLoop { await running.end() } == nil)
      // What was held when it was pulled is not held for ever.
      let inputs: [Input] = [
        .press(.play), .release(.play), .press(.play), .release(.play), .press(.play), .release(.play),
      ]
      #expect(await onMainLoop { received.inputs } == inputs)
      #expect(await onMainLoop { received.codes } == [])
    }
  }

  @Test("without a folder it waits for one")
  func noFolder() async {
    let (pipes, received) = (Pipes(), Received())
    _ = pipes.path.withCString { rmdir($0) }
    await TestMainLoop.alone {
      let part = await part(pipes, received)
      let running = await onMainLoop { await RunningPart(part) }
      _ = pipes.path.withCString { mkdir($0, 0o755) }
      await onMainLoop { await settled() }
      await MainLoop.loop.advance(by: EventDevices.settling)
      pipes.make("event1")
      let end = pipes.plug("event1")
      await onMainLoop { await settled() }
      await MainLoop.loop.advance(by: EventDevices.settling)
      Pipes.press(164, on: end)
      await onMainLoop { await received.wait(for: 1) }
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("a device that may not be read is told once, and only when it stays so; it is read once it may be")
  func denied() async {
    let (pipes, received) = (Pipes(), Received())
    pipes.make("event1")
    pipes.make("event2")
    await TestMainLoop.alone {
      // The mode tells whether it is open to us: who runs the tests may do anything.
      let part = await part(pipes, received) { path throws(Fault) in
        var status = stat()
        if path.withCString({ stat($0, &status) }) != 0 || status.st_mode & 0o777 == 0 {
          throw Fault(.denied, "H-220", "no")
        }
        return try Pipes.device(path)
      }
      pipes.setMode("event1", 0)
      let running = await onMainLoop { await RunningPart(part) }
      await MainLoop.loop.advance(by: EventDevices.patience - .milliseconds(1))
      #expect(await onMainLoop { received.codes } == [])
      await MainLoop.loop.advance(by: .milliseconds(1))
      #expect(await onMainLoop { received.codes } == ["H-224"])
      // Another device comes; the closed one is still closed, and known.
      pipes.make("event3")
      await onMainLoop { await settled() }
      await MainLoop.loop.advance(by: .seconds(20))
      #expect(await onMainLoop { received.codes } == ["H-224"])
      #expect(!pipes.isRead("event1"))
      pipes.setMode("event1", 0o600)
      await onMainLoop { await settled() }
      await MainLoop.loop.advance(by: EventDevices.settling)
      await onMainLoop { await settled() }
      #expect(pipes.isRead("event1"))
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("the part's end closes what it opened")
  func closed() async {
    let (pipes, received) = (Pipes(), Received())
    pipes.make("event1")
    await TestMainLoop.alone {
      let part = await part(pipes, received)
      for _ in 0..<3 {
        let running = await onMainLoop { await RunningPart(part) }
        #expect(pipes.isRead("event1"))
        #expect(await onMainLoop { await running.end() } == nil)
        #expect(!pipes.isRead("event1"))
      }
    }
  }

  @Test("what is pressed has the moment of the kernel, on the boot clock")
  func moments() async {
    let (pipes, received) = (Pipes(), Received())
    pipes.make("event1")
    await TestMainLoop.alone {
      let end = pipes.plug("event1")
      let part = await part(pipes, received)
      let running = await onMainLoop { await RunningPart(part) }
      Pipes.press(164, on: end, at: Moment(nanoseconds: 2_000_000_000))
      await onMainLoop { await received.wait(for: 1) }
      #expect(await onMainLoop { received.moments } == [Moment(nanoseconds: 3_000_000_000)])
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }
}

@Suite("Keys that are learned", .serialized)
struct LearningTests {
  /// A part, and what came of it.
  private struct Desk: Sendable {
    let pipes = Pipes()
    let received = Received()
    let learned = Learned()

    func part() async -> EventDevices {
      await onMainLoop { [pipes, received, learned] in
        let part = EventDevices(
          folder: pipes.path, open: { path throws(Fault) in try Pipes.device(path) },
          fingers: { () throws(Fault) in throw Fault(.passing, "T-1", "no fingers") }, shift: { .zero },
          tell: { received.take($0) }, deliver: { received.take($0, at: $1) })
        part.mapHasChanged = { learned.maps.append($0) }
        return part
      }
    }
  }

  @MainLoop
  private final class Learned {
    var keys: [KeyName] = []
    var maps: [KeyMap] = []
    nonisolated init() {}
  }

  @Test("a key that nobody knew is given to the learner and not delivered; bound, its device is read and it counts")
  func learned() async {
    let desk = Desk()
    let (pipes, received, learned) = (desk.pipes, desk.received, desk.learned)
    pipes.make("event8")
    pipes.make("event1")
    await TestMainLoop.alone {
      let letters = pipes.plug("event8")
      let media = pipes.plug("event1")
      let part = await desk.part()
      let running = await onMainLoop { await RunningPart(part) }
      await onMainLoop {
        #expect(!part.reads(pipes.path / "event8"))
        part.learn { learned.keys.append($0) }
        await settled()
        #expect(part.isLearning)
      }
      // What has a meaning keeps it: who changed their mind can go back.
      Pipes.press(164, on: media)
      await onMainLoop { await received.wait(for: 1) }
      // A key that was held before, one that repeats, a mouse's button; then two at once, of which the first counts.
      for (code, value) in [(UInt16(31), Int32(0)), (32, 2), (0x110, 1)] { Pipes.press(code, value, on: letters) }
      await onMainLoop { await settled() }
      #expect(await onMainLoop { learned.keys } == [])
      Pipes.press(30, on: letters)
      await onMainLoop { await settled() }
      #expect(await onMainLoop { learned.keys.map(\.code) } == [30])
      #expect(await onMainLoop { received.inputs } == [.press(.play)])
      await onMainLoop {
        #expect(!part.isLearning)
        for key in learned.keys { part.bind(key, to: .button(.next)) }
        await settled()
        #expect(learned.maps.map { $0.learned.fileText(.board, in: table) } == ["[keys]\nnext = KEY_A\n"])
      }
      Pipes.press(30, on: letters)
      Pipes.press(30, 0, on: letters)
      await onMainLoop { await received.wait(for: 3) }
      #expect(await onMainLoop { received.inputs } == [.press(.play), .press(.next), .release(.next)])
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("whoever stops learning gets nothing, and devices without a meaning are closed again")
  func stopped() async {
    let desk = Desk()
    let (pipes, received, learned) = (desk.pipes, desk.received, desk.learned)
    pipes.make("event8")
    await TestMainLoop.alone {
      let end = pipes.plug("event8")
      let part = await desk.part()
      let running = await onMainLoop { await RunningPart(part) }
      await onMainLoop {
        #expect(!part.reads(pipes.path / "event8"))
        part.learn { learned.keys.append($0) }
        await settled()
        #expect(part.reads(pipes.path / "event8"))
      }
      await onMainLoop {
        part.stopLearning()
        await settled()
      }
      #expect(await onMainLoop { !part.reads(pipes.path / "event8") })
      Pipes.press(30, on: end)
      await onMainLoop { await settled() }
      #expect(await onMainLoop { learned.keys } == [])
      #expect(await onMainLoop { received.inputs } == [])
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("a key that loses its meaning while it is held goes up, and its device is closed")
  func unboundWhileHeld() async {
    let desk = Desk()
    let (pipes, received) = (desk.pipes, desk.received)
    pipes.make("event1")
    await TestMainLoop.alone {
      let end = pipes.plug("event1")
      let part = await desk.part()
      let running = await onMainLoop { await RunningPart(part) }
      Pipes.press(164, on: end)
      await onMainLoop {
        await received.wait(for: 1)
        if let play = KeyName(code: 164) { part.unbind(play) }
        await settled()
      }
      #expect(await onMainLoop { received.inputs } == [.press(.play), .release(.play)])
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }
}
