import Glibc
import Runtime
import TestSupport
import Testing

@testable import Hardware

/// The files that the kernel, the device manager and the mounting unit would write.
private final class MadeUpSticks: Sendable {
  let folder = TempFolder()

  var surroundings: StickSurroundings {
    var surroundings = StickSurroundings()
    surroundings.table = folder.path / "mountinfo"
    surroundings.places = folder.path / "places"
    surroundings.records = folder.path / "data"
    surroundings.disks = folder.path / "block"
    surroundings.numbers = folder.path / "dev"
    return surroundings
  }

  init() {
    for name in ["places", "data", "block", "dev"] { make(name) }
    write("mountinfo", "")
  }

  func make(_ name: String) { _ = (folder.path / name).withCString { mkdir($0, 0o755) } }

  func write(_ name: String, _ text: String) {
    do throws(Fault) { try AtomicFile.replace(folder.path / name, with: Array(text.utf8), mode: 0o644) } catch {
      Issue.record("\(error)")
    }
  }

  func remove(_ name: String) { _ = (folder.path / name).withCString { unlink($0) } }

  func line(_ id: Int, _ name: String, options: String = "ro,nosuid,nodev,noexec") -> String {
    "\(id) 29 8:\(id) / \(folder.path)/places/\(name) \(options) shared:7 - vfat /dev/sda\(id) ro\n"
  }

  /// What the kernel does when something is mounted; the places' folder stands for it.
  func wake() {
    write("places/.wake", "")
    remove("places/.wake")
  }
}

@MainLoop
private final class Heard {
  private(set) var events: [StickEvent] = []
  nonisolated init() {}
  func take(_ event: StickEvent) { events.append(event) }
}

@Suite("The part that learns of sticks", .serialized)
struct SticksPartTests {
  @Test("a stick comes with what is known of it, and goes, each once; who follows later hears of it too")
  func comes() async {
    let (made, heard) = (MadeUpSticks(), Heard())
    made.write("data/b8:1", "E:ID_FS_UUID=1234-ABCD\nE:ID_FS_TYPE=vfat\nE:ID_FS_LABEL_ENC=Blue\n")
    made.make("dev/8:1")
    made.write("dev/8:1/size", "65536\n")
    let expected = Stick(
      uuid: "1234-ABCD", label: "Blue", root: made.surroundings.places / "1234-ABCD", fileSystem: "vfat",
      bytes: 33_554_432, device: DeviceNumber(major: 8, minor: 1))
    await TestMainLoop.alone {
      let part = await onMainLoop { SticksPart(made.surroundings) { heard.take($0) } }
      let running = await onMainLoop { await RunningPart(part) }
      #expect(await onMainLoop { heard.events } == [])
      made.write("mountinfo", made.line(1, "1234-ABCD"))
      made.wake()
      await onMainLoop { while heard.events.isEmpty { await MainLoop.loop.nextRound() } }
      made.wake()
      await onMainLoop { await settled() }
      #expect(await onMainLoop { heard.events } == [.came(expected)])
      let box = Mailbox<StickEvent>()
      await onMainLoop { part.follow(box) }
      #expect(box.tryReceive() == .came(expected) && box.tryReceive() == nil)
      made.write("mountinfo", "")
      made.wake()
      await onMainLoop { while heard.events.count < 2 { await MainLoop.loop.nextRound() } }
      #expect(await onMainLoop { heard.events } == [.came(expected), .went(expected)])
      #expect(box.tryReceive() == .went(expected))
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("started anew it does not tell again what it has told")
  func restarted() async {
    let (made, heard) = (MadeUpSticks(), Heard())
    made.write("mountinfo", made.line(1, "A") + made.line(2, "A-sdb1") + made.line(3, "B", options: "rw,nosuid"))
    await TestMainLoop.alone {
      let part = await onMainLoop { SticksPart(made.surroundings) { heard.take($0) } }
      for _ in 0..<2 {
        let running = await onMainLoop { await RunningPart(part) }
        #expect(await onMainLoop { await running.end() } == nil)
      }
      #expect(await onMainLoop { heard.events.count } == 2)
      #expect(await onMainLoop { part.sticks.map(\.root.name.description) } == ["A", "A-sdb1"])
    }
  }

  @Test("what could not be mounted is told with the reason, unless its device is gone or the word is none")
  func refused() async {
    let (made, heard) = (MadeUpSticks(), Heard())
    made.make("block/sda1")
    made.write("block/sda1/dev", "8:1\n")
    made.write("data/b8:1", "E:ID_FS_TYPE=btrfs\nE:ID_FS_LABEL_ENC=Blue\n")
    made.write("places/sda1.refused", "unknown\n")
    made.write("places/sdb1.refused", "broken\n")
    made.make("block/sdc1")
    made.write("block/sdc1/dev", "8:33\n")
    made.write("places/sdc1.refused", "because\n")
    made.write("places/.refused", "broken\n")
    await TestMainLoop.alone {
      let part = await onMainLoop { SticksPart(made.surroundings) { heard.take($0) } }
      let running = await onMainLoop { await RunningPart(part) }
      let stick = RefusedStick(label: "Blue", reason: .unknown, fileSystem: "btrfs", device: "sda1")
      #expect(await onMainLoop { heard.events } == [.refused(stick)])
      #expect(await onMainLoop { heard.events.first?.notice?.message.contains("\"Blue\"") } == true)
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("a reason that is written after its file was made is told, who follows later hears of it, and all hear its end")
  func refusedSlowly() async throws {
    let (made, heard) = (MadeUpSticks(), Heard())
    made.make("block/sda1")
    made.write("block/sda1/dev", "8:1\n")
    let stick = RefusedStick(label: "", reason: .waits, fileSystem: nil, device: "sda1")
    let file = made.folder.path / "places/sda1.refused"
    try await TestMainLoop.alone {
      let part = await onMainLoop { SticksPart(made.surroundings) { heard.take($0) } }
      let running = await onMainLoop { await RunningPart(part) }
      // As a shell writes: the file is there first, and empty. The part has looked at it before the word comes.
      let words = try Descriptor.open(file, O_WRONLY | O_CREAT, code: "T-1")
      await onMainLoop { await settled() }
      #expect(await onMainLoop { heard.events } == [])
      #expect(write(words.number, "waits\n", 6) == 6)
      _ = consume words
      await onMainLoop { for _ in 0..<10_000 where heard.events.isEmpty { await MainLoop.loop.nextRound() } }
      #expect(await onMainLoop { heard.events } == [.refused(stick)])
      let box = Mailbox<StickEvent>()
      await onMainLoop { part.follow(box) }
      #expect(box.tryReceive() == .refused(stick) && box.tryReceive() == nil)
      made.remove("places/sda1.refused")
      await onMainLoop { for _ in 0..<10_000 where heard.events.count < 2 { await MainLoop.loop.nextRound() } }
      #expect(await onMainLoop { heard.events } == [.refused(stick), .refusalEnded(stick)])
      #expect(box.tryReceive() == .refusalEnded(stick))
      #expect(await onMainLoop { heard.events.last?.notice } == nil)
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }

  @Test("the kernel's own table can be waited for")
  func kernel() async {
    let made = MadeUpSticks()
    var surroundings = made.surroundings
    surroundings.table = FilePath("/proc/self/mountinfo")
    let real = surroundings
    await TestMainLoop.alone {
      let part = await onMainLoop { SticksPart(real) { _ in } }
      let running = await onMainLoop { await RunningPart(part) }
      #expect(await onMainLoop { await running.end() } == nil)
    }
  }
}
