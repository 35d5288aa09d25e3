import Glibc
import Hardware
import Kit
import Runtime
import Testing

/// A folder of pipes that say they are input devices.
private final class Pipes: Sendable {
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

  /// Every device has the key to play but those whose names end with 9.
  static func device(_ path: FilePath) throws(Fault) -> EventDevice {
    var keys = [UInt8](repeating: 0, count: 96)
    if path.bytes.last != UInt8(ascii: "9") { keys[164 / 8] = 1 << (164 % 8) }
    return try EventDevice(path, label: "a pipe", keys: keys, axes: [])
  }

  static func press(_ code: UInt16, on end: borrowing Descriptor) {
    let all = record(of: InputEvent(type: 1, code: code, value: 1)) + record(of: InputEvent(type: 0, code: 0, value: 0))
    do throws(Fault) { try end.writeAll(all, code: "T-1", doing: "press") } catch { Issue.record("\(error)") }
  }
}

@Suite("Input devices", .serialized)
struct EventDevicesTests {
  private func part(
    _ pipes: Pipes, _ received: Received,
    open: @escaping @Sendable (FilePath) throws(Fault) -> EventDevice = { path throws(Fault) in try Pipes.device(path) }
  ) async -> EventDevices {
    await onDeck {
      EventDevices(
        folder: pipes.path, open: open, tell: { received.take($0) }, deliver: { received.take($0) })
    }
  }

  @Test("devices that are there are read; those without a key of the table, and other files, are not")
  func there() async {
    let (pipes, received) = (Pipes(), Received())
    for name in ["event0", "event9", "mouse0"] { pipes.make(name) }
    await TestDeck.alone {
      let ends = [pipes.plug("event0").release(), pipes.plug("event9").release(), pipes.plug("mouse0").release()]
      let part = await part(pipes, received)
      let running = await onDeck { await RunningPart(part) }
      Pipes.press(164, on: Descriptor(taking: dup(ends[1])))
      Pipes.press(164, on: Descriptor(taking: dup(ends[2])))
      Pipes.press(163, on: Descriptor(taking: dup(ends[0])))
      await onDeck { await received.wait(for: 1) }
      #expect(await onDeck { await running.end() } == nil)
      #expect(await onDeck { received.inputs } == [.press(.next)])
      #expect(await onDeck { received.codes } == [])
      for end in ends { close(end) }
    }
  }

  @Test("a device plugged in later is read, one pulled is closed, and both may come again")
  func plugged() async {
    let (pipes, received) = (Pipes(), Received())
    await TestDeck.alone {
      let part = await part(pipes, received)
      let running = await onDeck { await RunningPart(part) }
      for count in 1...3 {
        pipes.make("event\(count)")
        let end = pipes.plug("event\(count)")
        await onDeck { await settled() }
        await Deck.loop.advance(by: EventDevices.settling)
        Pipes.press(164, on: end)
        await onDeck { await received.wait(for: 2 * count - 1) }
        // Pulled: the name goes first, then the other end.
        _ = (pipes.path / "event\(count)").withCString { unlink($0) }
        _ = consume end
        await onDeck { await settled() }
      }
      #expect(await onDeck { await running.end() } == nil)
      // What was held when it was pulled is not held for ever.
      let inputs: [Input] = [
        .press(.play), .release(.play), .press(.play), .release(.play), .press(.play), .release(.play),
      ]
      #expect(await onDeck { received.inputs } == inputs)
      #expect(await onDeck { received.codes } == [])
    }
  }

  @Test("without a folder it waits for one")
  func noFolder() async {
    let (pipes, received) = (Pipes(), Received())
    _ = pipes.path.withCString { rmdir($0) }
    await TestDeck.alone {
      let part = await part(pipes, received)
      let running = await onDeck { await RunningPart(part) }
      _ = pipes.path.withCString { mkdir($0, 0o755) }
      await onDeck { await settled() }
      await Deck.loop.advance(by: EventDevices.settling)
      pipes.make("event1")
      let end = pipes.plug("event1")
      await onDeck { await settled() }
      await Deck.loop.advance(by: EventDevices.settling)
      Pipes.press(164, on: end)
      await onDeck { await received.wait(for: 1) }
      #expect(await onDeck { await running.end() } == nil)
    }
  }

  @Test("a device that may not be read is told once, and only when it stays so; it is read once it may be")
  func denied() async {
    let (pipes, received) = (Pipes(), Received())
    pipes.make("event1")
    pipes.make("event2")
    await TestDeck.alone {
      // The mode tells whether it is open to us: who runs the tests may do anything.
      let part = await part(pipes, received) { path throws(Fault) in
        var status = stat()
        if path.withCString({ stat($0, &status) }) != 0 || status.st_mode & 0o777 == 0 {
          throw Fault(.denied, "H-220", "no")
        }
        return try Pipes.device(path)
      }
      pipes.setMode("event1", 0)
      let running = await onDeck { await RunningPart(part) }
      await Deck.loop.advance(by: EventDevices.patience - .milliseconds(1))
      #expect(await onDeck { received.codes } == [])
      await Deck.loop.advance(by: .milliseconds(1))
      #expect(await onDeck { received.codes } == ["H-224"])
      // Another device comes; the closed one is still closed, and known.
      pipes.make("event3")
      await onDeck { await settled() }
      await Deck.loop.advance(by: .seconds(20))
      #expect(await onDeck { received.codes } == ["H-224"])
      #expect(!pipes.isRead("event1"))
      pipes.setMode("event1", 0o600)
      await onDeck { await settled() }
      await Deck.loop.advance(by: EventDevices.settling)
      await onDeck { await settled() }
      #expect(pipes.isRead("event1"))
      #expect(await onDeck { await running.end() } == nil)
    }
  }

  @Test("the part's end closes what it opened")
  func closed() async {
    let (pipes, received) = (Pipes(), Received())
    pipes.make("event1")
    await TestDeck.alone {
      let part = await part(pipes, received)
      for _ in 0..<3 {
        let running = await onDeck { await RunningPart(part) }
        #expect(pipes.isRead("event1"))
        #expect(await onDeck { await running.end() } == nil)
        #expect(!pipes.isRead("event1"))
      }
    }
  }
}
