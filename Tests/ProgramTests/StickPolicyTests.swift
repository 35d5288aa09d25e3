import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Sticks that are read after a yes", .serialized)
  struct StickPolicyTests {
    @Test(
      "one that waits is asked about on the panel, pulled it takes its question along, and only a yes mounts it",
      .enabled(if: SmallDisk.isPossible, "no folder for sticks can be mounted here"))
    func ask() async throws {
      let sticks = try MadeUpSticks(policy: "mount = ask")
      let player = try await sticks.start()
      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.question("Read \"BLUE\"?")
      #expect(try await player.ask("screen")["words"]?.string?.contains("Read \"BLUE\"?") == true)
      #expect(try await player.mounted() == 0)
      try await sticks.pull("sdy1", player)
      try await player.question(nil)

      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.question("Read \"BLUE\"?")
      try await player.answer(1)
      // A no is for this time.
      try await sticks.pull("sdy1", player)
      try await player.sticks { $0["refused"]?.items?.isEmpty == true }
      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.question("Read \"BLUE\"?")
      #expect(try await player.mounted() == 0)
      try await player.answer(2)
      try await sticks.performYes(player)
      try await player.sticks { $0["sticks"]?.items?.count == 1 && $0["refused"]?.items?.isEmpty == true }
      #expect(try await player.mounted() == 1)
      // So is a yes.
      try await sticks.pull("sdy1", player)
      try await player.sticks { $0["sticks"]?.items?.isEmpty == true }
      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.question("Read \"BLUE\"?")
      #expect(try await player.mounted() == 0)
      try await player.stop()
    }

    @Test(
      "where the board says never, none is mounted and nobody is asked, whatever is said in the player's name",
      .enabled(if: SmallDisk.isPossible, "no folder for sticks can be mounted here"))
    func never() async throws {
      let sticks = try MadeUpSticks(policy: "mount = never")
      let player = try await sticks.start()
      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.tells("\\\"BLUE\\\" is not read", "mount = never")
      #expect(try await player.ask("sticks")["refused"]?.items?.first?["reason"] == "forbidden")
      #expect(try await player.mounted() == 0)
      try await player.question(nil)
      // As whoever has taken the player over would say yes.
      try Folder.make(sticks.home.run / "sticks")
      try sticks.home.write("", to: sticks.home.run / "sticks/sdy1")
      try await sticks.performYes(player)
      #expect(try await player.mounted() == 0)
      #expect(try await player.ask("sticks")["sticks"]?.items?.isEmpty == true)
      try await player.stop()
    }

    @Test(
      "one that was in when the power went is not there before it is recognised, and another one in its place never",
      .enabled(if: SmallDisk.isPossible, "no folder for sticks can be mounted here"), arguments: [true, false])
    func afterPowerCut(isSame: Bool) async throws {
      let sticks = try MadeUpSticks(policy: "mount = at_once", imports: "ask", isIdentified: true)
      try await sticks.fill(["1", "2"])
      var player = try await sticks.start()
      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.question("Take in the music of \"BLUE\"?")
      try await player.answer(2)
      try await player.until("its music is there") {
        let rows = try await player.ask("browse", "tracks")["rows"]?.items ?? []
        return rows.count == 2 && rows.allSatisfy { $0["present"] != false }
      }
      // Power goes, and with it all that is mounted.
      await player.kill()
      try sticks.forgetPlaces()
      if !isSame { try await sticks.fill(["3", "4", "5"]) }
      player = try await sticks.start(first: "\(sticks.script) mount sdy1")
      if isSame {
        try await player.until("its music is there again") {
          let rows = try await player.answer("browse", ["tracks"])["rows"]?.items ?? []
          return rows.count == 2 && rows.allSatisfy { $0["present"] != false }
        }
      } else {
        try await player.question("Take in the music of \"BLUE\"?")
        let rows = try await player.ask("browse", "tracks")["rows"]?.items ?? []
        #expect(rows.count == 2 && rows.allSatisfy { $0["present"] == false }, "\(rows)")
      }
      try await player.stop()
    }

    @Test(
      "one that was in before the player started is asked about as well",
      .enabled(if: SmallDisk.isPossible, "no folder for sticks can be mounted here"))
    func early() async throws {
      let sticks = try MadeUpSticks(policy: "mount = ask")
      try sticks.make("sdy1", of: "vfat")
      let player = try await sticks.start(first: "\(sticks.script) mount sdy1")
      try await player.question("Read \"BLUE\"?")
      try await player.stop()
    }

    @Test(
      "one that is ejected on the panel is in, but not in the menu, until it is pulled and comes again",
      .enabled(if: SmallDisk.isPossible, "no folder for sticks can be mounted here"))
    func ejected() async throws {
      let sticks = try MadeUpSticks(policy: "mount = at_once")
      let player = try await sticks.start()
      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.sticks { $0["sticks"]?.items?.count == 1 }
      // An empty folder that is mounted has no label, so its row has the page's name.
      try await player.choose("Music", "USB sticks", "USB sticks", "Eject")
      try await player.menu("Music", has: false, "USB sticks")
      #expect(try await player.ask("sticks")["sticks"]?.items?.count == 1)
      try await sticks.pull("sdy1", player)
      try await player.sticks { $0["sticks"]?.items?.isEmpty == true }
      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.sticks { $0["sticks"]?.items?.count == 1 }
      try await player.menu("Music", has: true, "USB sticks")
      try await player.stop()
    }

    @Test(
      "one whose music is played at once stands in the history as a stick",
      .enabled(if: SmallDisk.isPossible, "no folder for sticks can be mounted here"))
    func played() async throws {
      let sticks = try MadeUpSticks(policy: "mount = at_once", imports: "ask")
      try await sticks.fill(["1", "2"])
      let player = try await sticks.start()
      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.question("Take in the music of this stick?")
      try await player.answer(3)
      var heard: [JSON] = []
      try await player.until("both were heard") {
        heard = try await player.ask("history", "all")["history"]?.items ?? []
        return heard.count == 2
      }
      #expect(heard.allSatisfy { $0["from"] == "stick" && $0["streamed"] == false }, "\(heard)")
      try await player.stop()
    }

    @Test(
      "one without music asks nothing, and it is told",
      .enabled(if: SmallDisk.isPossible, "no folder for sticks can be mounted here"))
    func noMusic() async throws {
      let sticks = try MadeUpSticks(policy: "mount = at_once", imports: "ask")
      let player = try await sticks.start()
      try await sticks.plug("sdy1", of: "vfat", player)
      try await player.tells("has no music on it")
      try await player.question(nil)
      try await player.stop()
    }

    @Test(
      "a file system without a driver is told in plain words, and nothing else tries to read it",
      .enabled(if: SmallDisk.isPossible, "no folder for sticks can be mounted here"))
    func noDriver() async throws {
      let sticks = try MadeUpSticks(policy: "mount = at_once")
      let player = try await sticks.start()
      try await sticks.plug("sdy1", of: "ntfs", player)
      try await player.tells("\\\"BLUE\\\" cannot be read", "has no driver for its file system (ntfs)")
      #expect(try await player.ask("sticks")["refused"]?.items?.first?["reason"] == "no_driver")
      // The command tells programs the same.
      let told = try await Finished(
        [Built.layby, "sticks", "--json", "--run", "\(sticks.home.run)"], in: sticks.home)
      #expect(try JSON(parsing: told.output)["refused"]?.items?.first?["reason"] == "no_driver", "\(told)")
      #expect(try await player.mounted() == 0)
      try await player.stop()
    }

    @Test("a kiosk asks unless its board's file says otherwise, others read at once, and what is not understood asks")
    func policy() async throws {
      let kiosk = "[panel]\nprofile = kiosk\n"
      let table = [
        ("", "", "at_once"), ("", kiosk, "ask"), ("mount = at_once", kiosk, "at_once"),
        ("mount = never", kiosk, "never"),
        ("mount = automatic", kiosk, "ask"), ("mount = ask", "", "ask"), ("", "[panel\n", "ask"),
        ("mount = at_once", "[panel\n", "at_once"),
        ("mount = never", "[panel\n", "never"),
      ]
      for (board, owner, expected) in table {
        let home = try Home(owner: owner)
        try home.write("[sticks]\n\(board)\n", to: home.board)
        let told = home.folder / "policy"
        try home.write("at_once\n", to: told)
        let words = ["--owner", "\(home.owner)", "--state", "\(home.state)", "--told", "\(told)"]
        let ran = try await Finished([Built.layby, "stick-policy", "--board", "\(home.board)"] + words, in: home)
        let word = String(decoding: try AtomicFile.read(told, limit: 100), as: UTF8.self)
        #expect(ran.code == EX_OK && word == "\(expected)\n", "\(board) \(owner): \(ran.errors)")
        // A mistake in the board's file: what was told before does not hold any more.
        try home.write("[sticks]\nmount = perhaps\n", to: home.board)
        let wrong = try await Finished([Built.layby, "stick-policy", "--board", "\(home.board)"] + words, in: home)
        #expect(wrong.code != EX_OK && !Home.exists(told) && wrong.errors.contains("mount"), "\(wrong.errors)")
      }
    }
  }
}

/// The image's own script that mounts sticks, run where the player sees what it writes: in a view of the file system
/// of their own, with made-up devices. Only the kernel's disks and systemd are missing; what would mount a disk mounts
/// an empty folder there.
private final class MadeUpSticks: Sendable {
  let home: Home
  private var base: FilePath { home.folder / "sticks" }
  var music: FilePath { base / "music" }
  /// With the programs that it calls.
  var script: String { "PATH=\(base)/bin:$PATH bash \(Self.source)" }
  private static let source =
    String(#filePath.dropLast("/Tests/ProgramTests/StickPolicyTests.swift".count))
    + "/image/root/usr/lib/layby/layby-stick"

  /// What lies in the folder `music` of it is on each stick. `isIdentified`: the device manager knows what is mounted by
  /// the kernel's number for it, so that the player can know a stick again; else each is a new one.
  init(policy: String, imports: String = "never", isIdentified: Bool = false) throws {
    home = try Home(owner: "[sticks]\nimport = \(imports)\n")
    try home.write("[board]\nname = test\n[panel]\nsize = 320x240\n[sticks]\n\(policy)\n", to: home.board)
    for folder in ["", "music", "bin", "block", "records", "places", "policy", "filesystems"] {
      try Folder.make(base / folder, mode: 0o755)
    }
    try Folder.make(home.run, mode: 0o755)
    try home.write("nodev\ttmpfs\n\tvfat\n", to: base / "filesystems/list")
    let programs = [
      "blockdev": "exit 0", "modprobe": "exit 1", "ntfs-3g": "exit 70",
      "mount": """
      for place; do :; done
      /bin/mount -t tmpfs -o nosuid,nodev,noexec none "$place"
      cp '\(base)/music/'* "$place"/ 2>/dev/null
      number=$(awk -v place="$place" '$5 == place { print $3 }' /proc/self/mountinfo)
      \(isIdentified ? "cp /run/udev/data/b240:77 /run/udev/data/b$number" : "")
      exec /bin/mount -o remount,ro,nosuid,nodev,noexec "$place"
      """,
      // Who has the unit started again: by then the device is called as the unit is.
      "systemctl": #"unit=${3#*@}; exec bash \#(Self.source) mount "${unit%.service}""#,
    ]
    for (name, text) in programs {
      let path = base / "bin" / name
      try home.write("#!/bin/bash\n\(text)\n", to: path)
      _ = path.withCString { chmod($0, 0o755) }
    }
  }

  /// Of each name a short piece, in place of what was on the stick.
  func fill(_ names: [String]) async throws {
    for name in home.names(in: music) { _ = (music / name).withCString { unlink($0) } }
    for (index, name) in names.enumerated() {
      let made = try await home.flac(name, seconds: 0.4, tone: 441 * Double(index + 1))
      let path = music / "\(name).flac"
      try #require(made.withCString { from in path.withCString { rename(from, $0) } } == 0)
    }
  }

  /// As memory does, in which these lie on a board.
  func forgetPlaces() throws {
    for name in home.names(in: base / "places") {
      let place = base / "places" / name
      _ = place.withCString { rmdir($0) }
      _ = place.withCString { unlink($0) }
    }
  }

  func start(first: String = "true") async throws -> RunningPlayer {
    let places = [
      ("places", "/run/layby-sticks"), ("policy", "/run/layby-stick-policy"), ("records", "/run/udev/data"),
      ("block", "/sys/class/block"), ("filesystems/list", "/proc/filesystems"),
    ]
    var script = "set -e; mount -t tmpfs none /run; mkdir -p /run/layby; mount --bind '\(home.run)' /run/layby; "
    for (name, place) in places {
      if place.hasPrefix("/run") { script += "mkdir -p \(place); " }
      script += "mount --bind '\(base / name)' \(place); "
    }
    script += "\(Built.layby) stick-policy --board '\(home.board)' --told /run/layby-stick-policy/policy >/dev/null; "
    script += "\(first) >/dev/null; exec \"$@\""
    return try await RunningPlayer(
      in: home, through: ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
  }

  /// What the kernel and the device manager say of one.
  func make(_ device: String, of type: String) throws {
    try Folder.make(base / "block" / device, mode: 0o755)
    try home.write("240:77\n", to: base / "block" / device / "dev")
    let record = "E:ID_FS_TYPE=\(type)\nE:ID_FS_UUID=1234-ABCD\nE:ID_FS_LABEL_ENC=BLUE\n"
    try home.write(record, to: base / "records/b240:77")
  }

  func plug(_ device: String, of type: String, _ player: RunningPlayer) async throws {
    try make(device, of: type)
    try await run("mount \(device)", player)
  }

  /// Its unit stops with its device.
  func pull(_ device: String, _ player: RunningPlayer) async throws {
    try await run("unmount \(device)", player)
    for path in [base / "block" / device / "dev", base / "records/b240:77"] { _ = path.withCString { unlink($0) } }
  }

  /// What the unit layby-stick-yes does when the player has written something there.
  func performYes(_ player: RunningPlayer) async throws {
    #expect(home.names(in: home.run / "sticks") == ["sdy1"])
    try await run("yes", player)
  }

  private func run(_ words: String, _ player: RunningPlayer) async throws {
    let place = ["nsenter", "--target", "\(player.process.pid)", "--user", "--preserve-credentials", "--mount"]
    let ran = try await Finished(place + ["sh", "-c", "\(script) \(words)"], in: home)
    #expect(ran.code == 0, "\(words): \(ran.output)\(ran.errors)")
  }
}

extension RunningPlayer {
  /// The question that stands is this one; nil: none is.
  fileprivate func question(_ text: String?, _ location: SourceLocation = #_sourceLocation) async throws {
    try await until(location, "questions") { $0["questions"]?.items?.first?["text"]?.string == text }
  }

  /// As the knob does, from elsewhere.
  fileprivate func answer(_ number: Int) async throws {
    let question = try await ask("questions")["questions"]?.items?.first?["number"]?.whole ?? 0
    try await ask("answer", "\(question)", "\(number)")
  }

  fileprivate func sticks(_ location: SourceLocation = #_sourceLocation, isSo: (JSON) -> Bool) async throws {
    try await until(location, "sticks", isSo)
  }

  /// How many file systems of sticks it has in its view.
  fileprivate func mounted() async throws -> Int {
    let table = try AtomicFile.read(FilePath("/proc/\(process.pid)/mountinfo"), limit: 1 << 20)
    return String(decoding: table, as: UTF8.self).split(separator: "\n").count { $0.contains(" /run/layby-sticks/") }
  }

  private func until(_ location: SourceLocation, _ verb: String, _ isSo: (JSON) -> Bool) async throws {
    let until = Moment.now + patience
    while true {
      let answer = try await ask(verb)
      if isSo(answer) { return }
      guard Moment.now < until else {
        Issue.record("\(verb): never so; it is \(answer) and said:\n\(said)", sourceLocation: location)
        throw Refused(description: "waited in vain")
      }
      await events?.news(within: .milliseconds(50))
    }
  }
}
