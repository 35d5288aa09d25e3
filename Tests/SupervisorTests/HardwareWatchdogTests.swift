import Glibc
import Runtime
import TestSupport
import Testing

@testable import Supervisor

/// A watchdog's device that is a pipe: what it was fed can be read.
private final class PipeDevice: Sendable {
  private let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit { close(reading) }

  func take() -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 256)
    let count = read(reading, &block, block.count)
    return count > 0 ? Array(block[..<count]) : []
  }

  /// The writing end was closed. A program that another test is just starting has it for a moment longer.
  var isLetGo: Bool {
    var byte: UInt8 = 0
    var waiting = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, 20_000)
    return read(reading, &byte, 1) == 0
  }

  @MainLoop func watchdog(driver: HardwareWatchdog.Driver = .kernel) throws(Fault) -> HardwareWatchdog {
    try HardwareWatchdog(
      taking: Descriptor(taking: writing), named: FilePath("/dev/watchdog9"), timeout: .seconds(15), driver: driver)
  }
}

extension HardwareWatchdog.Driver {
  /// Takes what is asked when it is one of its own steps, else what it likes.
  fileprivate static func choosing(_ set: Int32?, thenSaying said: Int32?) -> Self {
    Self(setTimeout: { _, _ in set }, timeout: { _ in said })
  }
}

private func tryOnMainLoop<Result: Sendable>(_ body: @escaping @MainLoop @Sendable () throws -> Result) async throws
  -> Result
{
  try await TestMainLoop.alone { await onMainLoop { Swift.Result { try body() } } }.get()
}

@Suite("Hardware watchdog")
struct HardwareWatchdogTests {
  @Test("it is fed as it is opened and whenever it is told to, and stopped only by standing down")
  func feeding() async throws {
    let device = try PipeDevice()
    try await tryOnMainLoop {
      let watchdog = try device.watchdog()
      #expect(device.take() == [0])
      for _ in 0..<3 { watchdog.feed() }
      #expect(device.take() == [0, 0, 0])
      watchdog.standDown()
      #expect(device.take() == Array("V".utf8))
      watchdog.feed()
      watchdog.standDown()
      #expect(device.take() == [])
    }
    #expect(device.isLetGo)
  }

  @Test("let go of without standing down it stays armed: the device is closed and no word is said")
  func staysArmed() async throws {
    let device = try PipeDevice()
    try await tryOnMainLoop { try device.watchdog().feed() }
    #expect(device.take() == [0, 0])
    #expect(device.isLetGo)
  }

  @Test(
    "its timeout is what the driver chose, and short when the driver says nothing that can be",
    arguments: [
      (15, 15, 15), (15, 16, 16), (8, nil, 8), (nil, 60, 60), (nil, nil, 3), (0, 0, 3), (15, -4, 3),
    ] as [(Int32?, Int32?, Int)])
  func timeout(set: Int32?, said: Int32?, real: Int) async throws {
    let device = try PipeDevice()
    let timeout = try await tryOnMainLoop {
      try device.watchdog(driver: .choosing(set, thenSaying: said)).timeout
    }
    #expect(timeout == .seconds(real))
  }

  @Test("a device that cannot be fed is refused; one that fails later is told of once, and tried again")
  func failing() async throws {
    signal(SIGPIPE, SIG_IGN)
    let full = try PipeDevice()
    let filler = [UInt8](repeating: 1, count: 4_096)
    while write(full.writing, filler, filler.count) > 0 {}
    let device = try PipeDevice()
    try await tryOnMainLoop {
      #expect(try faultOf { try full.watchdog() }.code == "R-161")
      let watchdog = try device.watchdog()
      var told: [Fault] = []
      watchdog.tell = { told.append($0) }
      while write(device.writing, filler, filler.count) > 0 {}
      for _ in 0..<5 { watchdog.feed() }
      #expect(told.map(\.code) == ["R-161"])
      while !device.take().isEmpty {}
      watchdog.feed()
      #expect(device.take() == [0])
      while write(device.writing, filler, filler.count) > 0 {}
      watchdog.feed()
      #expect(told.count == 2)
    }
  }

  @Test("a missing or forbidden device is a fault that names it")
  func noDevice() async throws {
    try await tryOnMainLoop {
      let fault = try faultOf { try HardwareWatchdog(opening: FilePath("/dev/no-watchdog"), timeout: .seconds(15)) }
      #expect(fault.code == "R-160" && fault.kind == .missing && fault.message.contains("/dev/no-watchdog"))
    }
  }

  @Test("who waits shortest sets the pace for all, and all are fed together")
  func manyMouths() async throws {
    await TestMainLoop.alone {
      #expect(await onMainLoop { Watchdog(feeding: []) == nil })
      let meals = await onMainLoop { Meals() }
      let watchdog = await onMainLoop {
        Watchdog(feeding: [
          .init(within: .seconds(30)) { meals.service += 1 }, .init(within: .seconds(15)) { meals.board += 1 },
        ])
      }
      let task = MainLoop.start { try? await watchdog?.run() }
      for round in 1...10 {
        await MainLoop.loop.advance(by: .milliseconds(3_750))
        #expect(await onMainLoop { [meals.service, meals.board] } == [round, round])
      }
      task.cancel()
    }
  }

  @MainLoop private final class Meals {
    var service = 0
    var board = 0
  }
}

@Suite("Reset reason")
struct ResetReasonTests {
  @Test(
    "what the driver remembers, in words",
    arguments: [
      ("0", nil), ("32", "The board was reset: the program did not answer."),
      ("16", "The board was reset: its supply was too weak."), ("1", "The board was reset: it was too hot."),
      ("33", "The board was reset: it was too hot, the program did not answer."), ("33152", nil),
      ("33184", "The board was reset: the program did not answer."),
    ] as [(String, String?)])
  func words(text: String, words: String?) throws {
    let reason = try #require(ResetReason(bootstatus: text))
    #expect(reason.words == words)
    #expect(reason.isByWatchdog == (words?.contains("answer") ?? false))
  }

  @Test("what the driver is able to do is no reason")
  func abilities() { #expect(ResetReason(bootstatus: "\(0x8180)") == []) }

  @Test("what is no number is no reason", arguments: ["", "x", "-1", "32 ", "0x20", "99999999999999999999"])
  func noReason(text: String) {
    #expect(ResetReason(bootstatus: text) == nil)
  }

  @Test("a watchdog's facts are read beside it, and what is not there is not known")
  func facts() throws {
    let folder = TempFolder()
    #expect(WatchdogFacts(of: FilePath("/dev/watchdog0"), in: folder.path) == WatchdogFacts())
    for (name, text) in [("identity", "i6300ESB timer\n"), ("timeout", "30\n"), ("bootstatus", "32\n")] {
      try Folder.make(folder.path / "watchdog0")
      try AtomicFile.replace(folder.path / "watchdog0" / name, with: Array(text.utf8))
    }
    for device in ["/dev/watchdog0", "/dev/watchdog"] {
      let facts = WatchdogFacts(of: FilePath(device), in: folder.path)
      #expect(facts.identity == "i6300ESB timer" && facts.timeout == .seconds(30) && facts.reason == .watchdog)
    }
    #expect(WatchdogFacts(of: FilePath("/dev/watchdog1"), in: folder.path) == WatchdogFacts())
  }
}
