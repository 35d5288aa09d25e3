import Runtime
import TestSupport
import Testing
import VirtualBoard

/// What a stick makes the board ask, answered with the knob alone.
@Suite("Questions about sticks", .enabled(if: Board.isWanted, Board.whyNot))
struct StickQuestionsTests {
  @Test("a new stick's music is asked about, a yes takes it in, and a stick that is pulled takes its question along")
  func music() async throws {
    try await Board.with(.playing) { board in
      let folder = TempFolder()
      let copy = folder.path / "track.flac"
      let first = try #require(try board.album.first)
      try AtomicFile.replace(copy, with: try board.shell("cat \(VirtualBoard.quoted(first))").bytes)
      let stick = try MadeUpStick(fatFromHere: "BLUE", holding: copy)
      var number = try board.plugStick(stick.image)
      #expect(try board.waitUntilAsked() == "Take in the music of \"BLUE\"?")
      try board.pullStick(number)
      try board.waitUntilNothingIsAsked()
      number = try board.plugStick(stick.image)
      _ = try board.waitUntilAsked()
      let volume = try board.status()["volume"]
      try board.answerWithTheKnob(2)
      try board.waitUntil("it is in the library") { () throws(Fault) in
        try board.layby("library")["tracks"]?.whole == 1
      }
      #expect(try board.status()["volume"] == volume && board.plays)
      // Known by now: nobody is asked again.
      try board.pullStick(number)
      _ = try board.waitUntilListed(0)
      _ = try board.plugStick(stick.image)
      _ = try board.waitUntilListed(1)
      try board.says("sleep 3")
      #expect(try board.questions.isEmpty)
    }
  }

  @Test(
    "where the board's settings want it, a stick is not even mounted before a yes, and one that went is not asked about"
  )
  func mounting() async throws {
    try await Board.with(.ready) { board in
      try board.editBoardConf("$a [sticks]\\nmount = ask")
      try board.says("printf '[sticks]\\nimport = never\\n' > /data/layby.conf && chmod 644 /data/layby.conf")
      try board.startLayby()
      try board.waitUntilItPlays()
      let folder = TempFolder()
      let copy = folder.path / "track.flac"
      let first = try #require(try board.album.first)
      try AtomicFile.replace(copy, with: try board.shell("cat \(VirtualBoard.quoted(first))").bytes)
      let stick = try MadeUpStick(fatFromHere: "BLUE", holding: copy)
      var number = try board.plugStick(stick.image)
      #expect(try board.waitUntilAsked() == "Read \"BLUE\"?")
      #expect(try board.says("grep -c layby-sticks /proc/mounts || true") == "0")
      try board.pullStick(number)
      try board.waitUntilNothingIsAsked()
      number = try board.plugStick(stick.image)
      #expect(try board.waitUntilAsked() == "Read \"BLUE\"?")
      // A no, and it waits for the next time.
      try board.answerWithTheKnob(1)
      try board.says("sleep 2")
      #expect(try board.says("grep -c layby-sticks /proc/mounts || true") == "0")
      try board.pullStick(number)
      try board.says("sleep 2")
      number = try board.plugStick(stick.image)
      #expect(try board.waitUntilAsked() == "Read \"BLUE\"?")
      try board.answerWithTheKnob(2)
      _ = try board.waitUntilListed(1)
      #expect(try board.says("grep layby-sticks /proc/mounts").contains("ro,nosuid,nodev,noexec"))
      #expect(try board.shell("ls /run/layby/sticks/* /run/layby-sticks/.*.allowed").code != 0)
      try board.pullStick(number)
      _ = try board.waitUntilListed(0)
      // The yes was for that time.
      number = try board.plugStick(stick.image)
      #expect(try board.waitUntilAsked() == "Read \"BLUE\"?")
      #expect(try board.says("grep -c layby-sticks /proc/mounts || true") == "0")
    }
  }

  /// Characters that mean something to shells, to settings and to wpa_supplicant.
  private static let password = "a\"b # c\"d }"
  private static let file = """
    [network]
    ssid = Roadside
    password = "a\\"b # c\\"d }"
    [board]
    name = Küche 2
    """

  @Test("a stick's file sets up network and name after a yes, and the same file asks nothing again")
  func setup() async throws {
    try await Board.with(.ready) { board in
      try board.accessPointUp(name: "Roadside", password: Self.password)
      let radio = try board.radio()
      try board.startWithSetups()
      let stick = try MadeUpStick(fatFromHere: "BLUE", setup: Self.file)
      let number = try board.plugStick(stick.image)
      #expect(try board.waitUntilAsked() == "Set up this board as \"BLUE\" says?")
      #expect(try board.questions.first?["details"] == ["Wi-Fi: Roadside", "Name: Küche 2"])
      #expect(try board.shell("test -e /data/network").code != 0)
      try board.answerWithTheKnob(2)
      try board.waitUntil("the player tells that it has joined", within: .seconds(150)) { () throws(Fault) in
        try board.told("H-722") + board.told("H-723") + board.told("H-724") + board.told("H-725") > 0
      }
      let words = try board.wordsOfTheSystem()
      #expect(try board.told("H-722") == 1, "\(words)")
      // The network service has it, and the access point has the board.
      #expect(try board.hasJoined(radio))
      #expect(try board.shell("ip netns exec ap iw dev | grep -A9 type").text.contains("AP"))
      let stations = "ip netns exec ap iw dev $(ip netns exec ap ls /sys/class/net | grep wl) station dump"
      #expect(try board.says(stations).contains("authorized:\tyes"))
      #expect(try board.says("cat /proc/sys/kernel/hostname") == "kueche-2")
      #expect(try board.says("stat -c '%a %U' /data/network /data/network/wifi.conf") == "700 root\n600 root")
      #expect(try board.layby("status")["board"] == "Küche 2")
      #expect(try board.shell("test -e /data/state/wishes/layby-setup.conf").code != 0)
      // Not even the half of it.
      #expect(try !board.says("journalctl -b --no-pager -o cat; cat /data/state/sticks").contains("a\"b"))
      #expect(try board.asPlayer("cat /data/network/wifi.conf").code != 0)

      try board.pullStick(number)
      _ = try board.waitUntilListed(0)
      _ = try board.plugStick(stick.image)
      _ = try board.waitUntilListed(1)
      try board.says("sleep 3")
      #expect(try board.questions.isEmpty)
      // What was confirmed is taken up by the next start, as soon as there is a radio.
      board.cutPower()
      try board.boot()
      try board.waitUntil("it has its name again") { () throws(Fault) in
        try board.says("cat /proc/sys/kernel/hostname") == "kueche-2"
      }
      try board.accessPointUp(name: "Roadside", password: Self.password)
      try board.waitUntil("it has joined again") { () throws(Fault) in
        try board.hasJoined(try board.radio())
      }
    }
  }

  @Test("a wrong password is told of, and asked about again")
  func wrongPassword() async throws {
    try await Board.with(.ready) { board in
      try board.accessPointUp(name: "Roadside", password: "another one")
      try board.startWithSetups()
      let stick = try MadeUpStick(fatFromHere: "BLUE", setup: Self.file)
      let number = try board.plugStick(stick.image)
      _ = try board.waitUntilAsked()
      try board.answerWithTheKnob(2)
      try board.waitUntil("the player tells that it was refused", within: .seconds(150)) { () throws(Fault) in
        try board.told("H-723") > 0
      }
      let words = try board.wordsOfTheSystem()
      #expect(try board.journal(50).contains("the password may be wrong"), "\(words)")
      try board.pullStick(number)
      _ = try board.waitUntilListed(0)
      _ = try board.plugStick(stick.image)
      #expect(try board.waitUntilAsked() == "Set up this board as \"BLUE\" says?")
    }
  }

  @Test("after a no nothing has changed; a mistake is told with its line; a link of the player's leads root nowhere")
  func unchanged() async throws {
    try await Board.with(.ready) { board in
      try board.startWithSetups()
      let stick = try MadeUpStick(fatFromHere: "BLUE", setup: Self.file)
      let number = try board.plugStick(stick.image)
      _ = try board.waitUntilAsked()
      // The safest is chosen: a press alone changes nothing.
      try board.answerWithTheKnob(1)
      try board.pullStick(number)
      let wrong = try MadeUpStick(fatFromHere: "RED", setup: "[network]\nssid = Roadside\npassword = short\n")
      _ = try board.plugStick(wrong.image)
      try board.waitUntil("the mistake is told") { () throws(Fault) in try board.told("C-120") == 1 }
      #expect(try board.journal(50).contains("layby-setup.conf:3: expected a password"))
      #expect(try board.questions.isEmpty)

      // A player that is somebody else's by now.
      let wish = "/data/state/wishes/layby-setup.conf"
      try #require(try board.asPlayer("mkdir -p /data/state/wishes && ln -s /etc/shadow \(wish)").code == 0)
      try board.waitUntil("the link is taken away") { () throws(Fault) in try board.shell("test -L \(wish)").code != 0 }
      #expect(try board.says("cat /run/layby-setup/result") != "joining")
      let link = "rmdir /data/state/wishes && ln -s /etc /data/state/wishes && ls /data/state/wishes/"
      try #require(try board.asPlayer(link).code == 0)
      #expect(try board.shell("test -e /data/network").code != 0 && board.shell("test -s /etc/shadow").code == 0)
      #expect(try board.says("cat /proc/sys/kernel/hostname") == "layby")
      #expect(try board.plays)
    }
  }
}

extension VirtualBoard {
  var questions: [JSON] { get throws(Fault) { try layby("questions")["questions"]?.items ?? [] } }

  /// The one that stands.
  func waitUntilAsked() throws(Fault) -> String {
    var asked: [JSON] = []
    try waitUntil("something is asked", within: .seconds(90), every: .milliseconds(300)) { () throws(Fault) in
      asked = try questions
      return !asked.isEmpty
    }
    return asked.first?["text"]?.string ?? ""
  }

  func waitUntilNothingIsAsked() throws(Fault) {
    try waitUntil("nothing is asked any more", within: .seconds(30)) { () throws(Fault) in try questions.isEmpty }
  }

  /// Turns to the answer with that number and presses; the first moments do not count.
  func answerWithTheKnob(_ number: Int64) throws(Fault) {
    try says("sleep 1")
    if number > 1 { try turn(Int(number) - 1) }
    try waitUntil("it is chosen") { () throws(Fault) in try questions.first?["chosen"]?.whole == number }
    try press(.knob)
    try waitUntilNothingIsAsked()
  }

  /// The board that allows it, with music of sticks left alone.
  func startWithSetups() throws(Fault) {
    try editBoardConf("$a [sticks]\\nallow_setup = yes")
    try says("printf '[sticks]\\nimport = never\\n' > /data/layby.conf && chmod 644 /data/layby.conf")
    try startLayby()
    try waitUntilItPlays()
    // Longer than an emulator needs for all of this.
    try layby("repeat", "all")
  }

  /// As the network service says.
  func hasJoined(_ radio: String) throws(Fault) -> Bool {
    try shell("wpa_cli -p /run/wpa_supplicant -s /run -i \(radio) status").text.contains("wpa_state=COMPLETED")
  }

  func wordsOfTheSystem() throws(Fault) -> String {
    try shell("journalctl -b -u 'layby-*' -n 40 --no-pager -o cat; systemctl --no-pager status 'layby-*'").text
  }
}
