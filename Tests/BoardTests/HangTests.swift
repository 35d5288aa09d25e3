import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("A main loop that hangs for ever", .enabled(if: Board.isWanted, Board.whyNot))
struct HangTests {
  @Test("is ended by the service manager, and the music goes on where it was")
  func byTheServiceManager() async throws {
    try await Board.with(.playing) { board in
      try DebugProgram.lay(on: board)
      // Far from both ends of the track.
      try board.layby("seek", "0")
      try board.waitUntil("it is some way into the track") { () throws(Fault) in
        (try board.status()["position_s"]?.double ?? 0) > 6
      }
      let session = try Session.ask(board)
      let asked = try board.secondsUp()
      let starts = try board.says("systemctl show -P NRestarts layby")
      try board.hang()
      try board.waitUntil("it is started again", within: .seconds(120)) { () throws(Fault) in
        try board.says("systemctl show -P NRestarts layby") != starts
      }
      #expect(try board.says("journalctl --no-pager -o cat _PID=1").contains("Watchdog timeout"))
      try board.waitUntilItPlays()
      let found = try Session.ask(board)
      // The sound may have gone on while the main loop hung, into the next track too when there was the time for it.
      let complaints = session.complaints(about: found, underWay: nil, played: try board.secondsUp() - asked)
      #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
      #expect(try !board.machine.qmp.hasSeen("WATCHDOG"), "the board itself was not reset")
    }
  }

  @Test("is answered by the board's own watchdog when nobody else does: reset, told once, and it plays again")
  func byTheBoard() async throws {
    try await Board.with(.playing) { board in
      // As if the service manager hung as well.
      try DebugProgram.lay(on: board, more: "WatchdogSec=0")
      let session = try Session.ask(board)
      try board.hang()
      try board.machine.qmp.event("WATCHDOG", within: .seconds(120))
      try board.waitUntilUpAgain()
      try board.waitUntilItPlays()
      // For a minute or two the sound goes on, into the track that was cued, and its place is saved all the while.
      let complaints = session.complaints(about: try Session.ask(board), underWay: nil, played: 120)
      #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
      let told = "The board was reset: the program did not answer."
      #expect(try board.journal().contains(told))
      try board.says("systemctl restart layby")
      try board.waitUntilItPlays()
      let lines = try board.journalOfBoot(2_000).split(separator: "\n")
      let all = lines.filter { $0.contains(told) && $0.contains("R-171") }
      #expect(all.count == 1, "told once a boot: \(all)")
    }
  }

  @Test("is the only one that is: a main loop that works is left alone for longer than any watchdog waits")
  func leftAlone() async throws {
    try await Board.with(.playing) { board in
      try DebugProgram.lay(on: board)
      let starts = try board.says("systemctl show -P NRestarts layby")
      try board.says("sleep 45", within: .seconds(120))
      #expect(try board.says("systemctl show -P NRestarts layby") == starts)
      #expect(try board.plays && !board.machine.qmp.hasSeen("WATCHDOG"))
    }
  }
}

extension VirtualBoard {
  /// The request is never answered.
  fileprivate func hang() throws(Fault) { try start("layby press hang", into: "/tmp/hang") }
}

/// The program as tests have it, which can be told to hang; brought on a stick and put in the place of the shipped one,
/// with the same unit around it, until the board is switched off.
enum DebugProgram {
  static func lay(on board: VirtualBoard, more: String = "") throws {
    let folder = TempFolder()
    let stick = folder.path / "stick"
    try Spawned.run(
      ["bash", "-euc", making, "stick", "\(Board.program("layby"))", "\(folder.path / "tree")", "\(stick)"],
      output: folder.path / "out")
    try board.says("modprobe -a xhci_pci usb_storage sd_mod ext4")
    _ = try board.plugStick(stick, readOnly: true)
    try board.waitUntil("the stick is there") { () throws(Fault) in
      try board.shell("test -b /dev/disk/by-label/debug || test -b /dev/sda").code == 0
    }
    try board.says(
      """
      set -e
      mkdir -p /run/debug /run/systemd/system/layby.service.d
      mount -o ro /dev/sda /run/debug
      printf '%s\\n' '[Service]' ExecStart= \
        'ExecStart=/run/debug/layby run --board /etc/layby/board.conf --owner /data/layby.conf' \
        Environment=LD_LIBRARY_PATH=/run/debug '\(more)' > /run/systemd/system/layby.service.d/debug.conf
      systemctl daemon-reload
      systemctl restart layby
      """, within: .seconds(120))
    try board.waitUntilItPlays()
  }

  /// With the libraries that are not the system's.
  private static let making = """
    mkdir "$2"
    cp "$1" "$2"
    ldd "$1" | awk '$3 ~ /^\\// && $3 !~ /^\\/(usr\\/)?lib\\// { print $3 }' | xargs -r cp -L -t "$2"
    strip --strip-debug "$2"/*
    truncate --size=96M "$3"
    mke2fs -q -F -t ext4 -L debug -d "$2" "$3"
    """
}
