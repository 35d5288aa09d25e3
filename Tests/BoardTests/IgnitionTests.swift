import Runtime
import TestSupport
import Testing
import VirtualBoard

/// The whole way: from an edge of a line in the kernel to an emulator that ends because its guest switched itself off.
@Suite("The ignition and the battery of the board", .enabled(if: Board.isWanted, Board.whyNot))
struct IgnitionTests {
  @Test("off for good: it pauses, is saved, dims and switches off; and plays on there at the next start")
  func off() async throws {
    try await Board.with(.playing) { board in
      try Self.wait(board, offAfter: "20s")
      #expect(try Self.light(board) == "1" && Self.ignition(board) == "on")
      let before = try Session.ask(board)
      try board.machine.hands.make([.line("ACC", high: false)])
      try board.waitUntil(state: "paused")
      let power = try board.layby("status")["power"]
      #expect(power?["ignition"] == "resting" && power?["then"] == "power-off" && power?["panel"] == "dimmed")
      try board.waitUntil("the light is out") { () throws(Fault) in try Self.light(board) == "0" }
      try Self.waitUntilOff(board)
      try board.boot()
      try board.waitUntilItPlays()
      let after = try Session.ask(board)
      // What was played before the pause and since this start.
      #expect(before.complaints(about: after, underWay: nil, played: 60) == [])
    }
  }

  @Test("a cranking engine is nothing but a save; off and back in time is a pause that ends by itself")
  func cranking() async throws {
    try await Board.with(.playing) { board in
      try Self.wait(board, offAfter: "5m")
      for crank in [1_000, 2_500] {
        try board.machine.hands.make([
          .line("ACC", high: false), .wait(milliseconds: crank), .line("ACC", high: true),
        ])
        try board.says("sleep \(crank / 1_000 + 6)")
        #expect(try board.plays && Self.ignition(board) == "on")
      }
      try board.machine.hands.make([.line("ACC", high: false)])
      try board.waitUntil(state: "paused")
      try board.machine.hands.make([.line("ACC", high: true)])
      try board.waitUntil(state: "playing")
      #expect(try Self.ignition(board) == "on")
      #expect(try !board.journal().contains("switching off"))
    }
  }

  @Test("a battery at one per cent has the board switched off")
  func battery() async throws {
    try await Board.with(.playing) { board in
      try board.says("echo off > /sys/module/test_power/parameters/usb_online")
      try board.setCharger(on: false)
      try board.setBattery(percent: 1)
      try board.waitUntil("nothing is written any more", within: .seconds(60)) { () throws(Fault) in
        try board.layby("status")["power"]?["writes"] == "held"
      }
      try Self.waitUntilOff(board)
    }
  }

  @Test("the program may write what its groups are given below /sys/devices, and nothing else of the kernel's")
  func rights() async throws {
    try await Board.with(.playing) { board in
      let process = try board.says("systemctl show -P MainPID layby")
      let inside = "nsenter -t \(process) -m -U --preserve-credentials -S $(id -u layby) -G $(id -g layby)"
      let (ours, theirs) = ("$(readlink /run/dash/BTN_MUTE)", "/sys/module/test_power/parameters/ac_online")
      #expect(try board.shell("\(inside) bash -c 'echo pull-up > '\(ours)").code != 0)
      try board.says("chown layby \(ours) \(theirs)")
      try board.says("\(inside) bash -c 'echo pull-up > '\(ours)")
      #expect(try board.shell("\(inside) bash -c 'echo on > \(theirs)'").code != 0)
    }
  }

  // MARK: Words

  private static func wait(_ board: VirtualBoard, offAfter: String) throws {
    try board.says("printf '[power]\\noff_after = \(offAfter)\\n' > /data/layby.conf; systemctl restart layby")
    try board.waitUntilItPlays()
  }

  private static func ignition(_ board: VirtualBoard) throws(Fault) -> String? {
    try board.layby("status")["power"]?["ignition"]?.string
  }

  /// As the line of the panel's light is driven.
  private static func light(_ board: VirtualBoard) throws(Fault) -> String {
    try board.says("cat $(dirname $(readlink /run/dash/LIGHT))/value")
  }

  private static func waitUntilOff(_ board: VirtualBoard) throws {
    let machine = try board.machine
    let isOff = Waiting.poll(until: .now + .seconds(180)) { machine.hasEnded }
    #expect(isOff, "the board is still on")
  }
}
