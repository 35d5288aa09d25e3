import FaultServer
import Runtime
import TestSupport
import Testing
import VirtualBoard

/// Music that comes over the air from a server that listens on this computer: a real radio of the kernel's, real
/// sockets, and what the board's surroundings do meanwhile.
@Suite(
  "Music over the air", .enabled(if: Board.isWanted, Board.whyNot),
  .enabled(if: Board.isLong, Board.whyNotLong))
struct FetchingTests {
  @Test("begins a while after the access point appears, is whole after a power cut, and little of it came twice")
  func appears() async throws {
    let folder = try KeptFolder(pieces: 3, of: 1_500_000, pace: Pace(bytesASecond: 100_000))
    try await Board.with(.ready) { board in
      try board.wantsAll(of: folder, "settling = 60s")
      #expect(folder.sent == 0)
      try board.layby("offline", "resume")
      try board.waitUntil("it waits for a network") { () throws(Fault) in try board.fetchingWaits.contains("O-101") }
      // Chance may make it so short that nobody sees it.
      var isSeen = false
      for attempt in 1...3 where !isSeen {
        if attempt > 1 { try board.wayDown() }
        try board.wayUp(toPort: folder.server.port)
        try board.joinWay()
        for _ in 0..<20 where !isSeen { isSeen = try board.fetchingWaits.contains("O-105") }
      }
      #expect(isSeen && folder.sent == 0)
      try board.waitUntil("some of it has come", within: .seconds(120), instead: { board.wayNow }) { () throws(Fault) in
        try board.fetched > 500_000
      }
      #expect(folder.sent < folder.size)
      board.cutPower()
      let before = folder.sent
      try board.boot()
      try board.wayUp(toPort: folder.server.port)
      try board.joinWay()
      try board.waitUntilFetched(folder)
      let twice = folder.sent - folder.size
      print("\(before) bytes of \(folder.size) had left when the power went, \(twice) left twice")
      // A megabyte of each that ran, and what was on the line.
      #expect(twice < 3 << 20, "\(twice)")
    }
  }

  @Test("stops when the charger is pulled at 9 percent, says why, and goes on when it is back")
  func battery() async throws {
    let folder = try KeptFolder(pieces: 3, of: 1_500_000, pace: Pace(bytesASecond: 100_000))
    try await Board.with(.ready) { board in
      try board.setCharger(on: true)
      try board.says("echo off > /sys/module/test_power/parameters/usb_online")
      try board.setBattery(percent: 9, charging: true)
      try board.wantsAll(of: folder, "settling = 0s")
      try board.wayUp(toPort: folder.server.port)
      try board.joinWay()
      try board.layby("offline", "resume")
      try board.waitUntil("some of it has come", instead: { board.wayNow }) { () throws(Fault) in
        try board.fetched > 100_000
      }
      try board.setBattery(percent: 9, charging: false)
      try board.setCharger(on: false)
      try board.waitUntil("it waits for the battery", within: .seconds(90)) { () throws(Fault) in
        try board.fetchingWaits.contains("O-111")
      }
      #expect(try board.journal().contains("msg=O-111"))
      try board.says("sleep 2")
      let still = folder.sent
      try board.says("sleep 5")
      #expect(folder.sent == still && still < folder.size)
      try board.setBattery(percent: 9, charging: true)
      try board.setCharger(on: true)
      try board.waitUntilFetched(folder)
    }
  }

  @Test("waits on a full disk and says so, and goes on when there is room")
  func fullDisk() async throws {
    let folder = try KeptFolder(pieces: 3, of: 1_500_000, pace: Pace(bytesASecond: 1_000_000))
    try await Board.with(.ready) { board in
      try board.wantsAll(of: folder, "settling = 0s")
      try board.wayUp(toPort: folder.server.port)
      try board.joinWay()
      // So much that what is to stay free is not free any more.
      try board.says("fallocate -l $(($(stat -f -c '%a * %S' /data) - 51000000)) /data/other")
      try board.layby("offline", "resume")
      try board.waitUntil("it waits for room", within: .seconds(120)) { () throws(Fault) in
        try board.fetchingWaits.contains("O-121")
      }
      #expect(try board.journal().contains("msg=O-121"))
      #expect(try board.plays)
      try board.says("rm /data/other")
      try board.waitUntilFetched(folder, within: .seconds(240))
    }
  }
}

extension VirtualBoard {
  /// Layby runs with the folder's server in its settings, knows what it has, wants all of it, and is paused. There is
  /// no network any more.
  func wantsAll(of folder: KeptFolder, _ offline: String) throws {
    let settings = "[offline]\nreserve = 50\n\(offline)\n[source kiosk]\nurl = http://\(Self.server)/\n"
    try says("printf %s \(Self.quoted(settings)) > /data/layby.conf")
    try startLayby()
    try waitUntilItPlays()
    try wayUp(toPort: folder.server.port)
    try joinWay()
    try waitUntil("what is kept can be asked") { () throws(Fault) in try shell("layby offline --json").code == 0 }
    try layby("offline", "pause")
    try waitUntil("the album is wanted", within: .seconds(120)) { () throws(Fault) in
      try shell("layby offline want album Elsewhere --json").code == 0
    }
    try wayDown()
  }

  private func offline() throws(Fault) -> JSON? { try layby("offline")["offline"]?.items?.first }

  /// How the transfers stand and what the way is like, for messages.
  var wayNow: String {
    let ask = "layby offline --json; ip addr; ip route; ip -n ap addr; cat /tmp/way; iw dev; cat /proc/net/arp"
    do throws(Fault) { return try shell(ask).line } catch { return error.message }
  }

  /// Bytes of it that are here.
  var fetched: Int64 { get throws(Fault) { try offline()?["bytes"]?.whole ?? 0 } }

  /// The codes of what it waits for.
  var fetchingWaits: [String] {
    get throws(Fault) { (try offline()?["why"]?.items ?? []).compactMap { $0["code"]?.string } }
  }

  /// All of it is there, every byte is right, and nothing else lies beside it.
  func waitUntilFetched(_ folder: KeptFolder, within limit: Duration = .seconds(180)) throws {
    try waitUntil("all of it is here", within: limit) { () throws(Fault) in
      let ran = try shell("layby offline --json")
      guard ran.code == 0 else { return false }
      return try JSON(parsing: Array(ran.line.utf8))["offline"]?.items?.first?["state"] == "whole"
    }
    let found = try says("find /data/state/media -type f ! -name .layby-volume -exec sha256sum {} +").split(
      separator: "\n"
    )
    .map { String($0.prefix { $0 != " " }) }
    guard found.sorted() == (try folder.sums) else {
      throw Fault(.damaged, "T-97", "other files lie there: \(try says("ls -lR /data/state/media"))")
    }
  }
}
