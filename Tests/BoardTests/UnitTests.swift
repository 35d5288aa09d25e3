import Runtime
import Testing
import VirtualBoard

@Suite("The unit", .enabled(if: Board.isWanted, Board.whyNot))
struct UnitTests {
  @Test("leaves little to attack: systemd scores it 1.5 or less")
  func security() async throws {
    try await Board.with(.playing) { board in
      let report = try board.says("systemd-analyze security --no-pager layby.service")
      let words = (report.split(separator: "\n").last { $0.contains("exposure level") } ?? "").split(separator: " ")
      let score = try #require(words.compactMap { Double($0) }.last, "no score in \(report)")
      #expect(score <= 1.5, "\(report)")
    }
  }

  @Test("lets an unprivileged user with private users reach its devices by their groups, and no others")
  func groups() async throws {
    try await Board.with(.playing) { board in
      let process = try board.says("systemctl show -P MainPID layby")
      let status = try board.says("cat /proc/\(process)/status")
      #expect(try board.says("ps -o user= -p \(process)") == "layby")
      #expect(status.contains("CapEff:\t0000000000000000") && status.contains("NoNewPrivs:\t1"))
      #expect(try board.says("readlink /proc/\(process)/ns/user") != board.says("readlink /proc/1/ns/user"))
      let open = try board.says("ls -l /proc/\(process)/fd")
      for device in ["/dev/snd/", "/dev/gpiochip", "/dev/fb0", "/dev/watchdog0"] {
        #expect(open.contains(device), "\(device) is not open")
      }
      // From inside its name spaces, as its user: another's device stays shut.
      let inside = "nsenter -t \(process) -m -U --preserve-credentials -S $(id -u layby) -G $(id -g layby)"
      #expect(try board.shell("\(inside) head -c 1 /dev/vda").code != 0)
    }
  }

  @Test("keeps what it knows from its own user's other programs, and leaves no core")
  func closed() async throws {
    try await Board.with(.playing) { board in
      let process = try board.says("systemctl show -P MainPID layby")
      // As Linux shows a process that nobody but root may trace.
      #expect(try board.says("stat -c %U /proc/\(process)/mem") == "root")
      let another = "nsenter -t \(process) -U --preserve-credentials -S $(id -u layby) -G $(id -g layby)"
      #expect(try board.shell("\(another) cat /proc/self/maps").code == 0)
      #expect(try board.shell("\(another) cat /proc/\(process)/maps").code != 0)
      let cores = try board.says("grep 'Max core file size' /proc/\(process)/limits")
      #expect(cores.split(separator: " ").dropFirst(4).first == "0", "\(cores)")
    }
  }

  @Test("has the keys of sealed music with another user, and cannot read their folder")
  func keys() async throws {
    try await Board.with(.playing) { board in
      try board.says("systemctl start layby-keys")
      let keeper = try board.says("systemctl show -P MainPID layby-keys")
      #expect(try board.says("ps -o user= -p \(keeper)") == "layby-keys")
      #expect(try board.says("stat -c '%U %a' /data/keys") == "layby-keys 700")
      #expect(try board.says("stat -c '%U %a' /run/layby-keys/socket") == "layby 600")
      #expect(try board.says("cat /proc/\(keeper)/status").contains("Seccomp:\t2"))
      let player = try board.says("systemctl show -P MainPID layby")
      let inside = "nsenter -t \(player) -m -U --preserve-credentials -S $(id -u layby) -G $(id -g layby)"
      #expect(try board.shell("\(inside) ls /data/state").code == 0)
      #expect(try board.shell("\(inside) ls /data/keys").code != 0)
      #expect(try board.shell("\(inside) cat /data/keys/device").code != 0)
    }
  }

  @Test("gives the sound's thread real-time priority")
  func realTime() async throws {
    try await Board.with(.playing) { board in
      let threads = try board.says("ps -L -o comm=,cls=,rtprio= -p $(systemctl show -P MainPID layby)")
      let output = threads.split(separator: "\n").filter { $0.hasPrefix("output") }
      #expect(!output.isEmpty && output.allSatisfy { $0.contains(" FF ") || $0.contains(" RR ") }, "\(threads)")
    }
  }

  @Test("plays again within seconds when it is killed, where it was")
  func restart() async throws {
    try await Board.with(.playing) { board in
      let before = try board.status()
      try board.says("systemctl kill -s KILL layby")
      try board.waitUntilItPlays()
      let after = try board.status()
      #expect(after["path"] == before["path"])
      #expect((after["position_s"]?.double ?? 0) >= (before["position_s"]?.double ?? 0) - 5)
    }
  }
}
