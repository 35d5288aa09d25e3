import Runtime
import TestSupport
import Testing
import VirtualBoard

/// What this firmware is for: music that a service has sealed is kept, and plays for a month without a network. The depot
/// runs on this computer. Days pass for both while the board is off, as its clock with a battery shows afterwards.
@Suite(
  "A month without a network", .enabled(if: Board.isWanted, Board.whyNot),
  .enabled(if: Board.isLong, Board.whyNotLong))
struct LicencesOnBoardTests {
  private static let refusal = "the licence of Layby demo ended on 20"

  @Test(
    "signed in by a code and kept on the panel, it plays for 30 days, warns in the last seven, is refused then, and plays again after 20 s with a network, without being fetched anew"
  )
  func month() async throws {
    let depot = try DemoDepot()
    try depot.keeper("list", "demo", "Road", "1 Setting out.flac", "2 On the way.flac", "3 Coming home.flac")
    try await Board.with(.ready) { board in
      try Self.begin(board, depot)
      try Self.signIn(board, depot)
      try Self.keep(board)
      let sums = try board.keptSums()
      #expect(sums.count == 3)
      let heads = try board.says("find /data/state/media -name '*.flac' -exec head -q -c 4 {} +")
      #expect(heads == "LBSLLBSLLBSL", "it does not come sealed")

      try board.leaveNetwork()
      try board.pressTheRow()
      try board.choose("Play all")
      try board.waitUntilSealedMusicPlays()

      for day: Int64 in [1, 22] {
        try Self.beOff(board, untilDay: day)
        try board.waitUntilSealedMusicPlays()
        let then = try board.licence()
        #expect(then.verdict == "plays" && then.days == 30 - day && then.witness == "battery", "day \(day): \(then)")
        // After the round that found no network, people are told what there is to tell.
        try board.waitUntil("it has asked in vain", within: .seconds(120)) { () throws(Fault) in
          try board.hasLogged("no new licences")
        }
        #expect(try !board.hasLogged("X-290"), "it warns on day \(day)")
      }
      // The board is on, and midnight comes.
      try board.clockGoes(toDay: 23)
      try board.waitUntilThePanelSays("Licences of demo end soon", within: .seconds(120))
      #expect(try board.licence().verdict == "ends soon")
      try board.clockGoes(toDay: 29)
      try board.layby("next")
      try board.waitUntilSealedMusicPlays()
      #expect(try board.licence().verdict == "ends soon")

      try Self.endAndComeBack(board, depot, sums)
    }
  }

  @Test("a licence that ends while the board is off is refused, and plays again after 20 s with a network")
  func ended() async throws {
    let depot = try DemoDepot()
    try await Board.with(.ready) { board in
      try Self.begin(board, depot)
      try Self.signInAndKeep(board, depot)
      try Self.endAndComeBack(board, depot, try board.keptSums())
    }
  }

  @Test("a subscription that is not paid plays on and says so; when it is over, its music is removed, and that is said")
  func subscription() async throws {
    let depot = try DemoDepot()
    try await Board.with(.ready) { board in
      try Self.begin(board, depot)
      try Self.signInAndKeep(board, depot)
      try depot.keeper("subscription", "demo", "lapsed", "--grace-days", "5")
      try board.layby("rights", "renew")
      try board.waitUntilThePanelSays("The subscription of demo is not paid; its music plays for now. Days left: 5")
      #expect(try board.licence().verdict == "unpaid")
      try board.layby("next")
      try board.waitUntilSealedMusicPlays()
      try depot.keeper("subscription", "demo", "cancelled")
      try board.layby("rights", "renew")
      try board.waitUntilThePanelSays("has ended, so it is removed from this device")
      try board.waitUntil("its music is removed") { () throws(Fault) in try board.keptSums().isEmpty }
    }
  }

  /// With a TPM, and with nothing but a number of the board.
  @Test(
    "a copy of its card plays nothing of it in another board and says why; its own plays on", arguments: [false, true])
  func copied(hasChip: Bool) async throws {
    let (depot, chips) = (try DemoDepot(), TempFolder())
    func put(_ board: VirtualBoard, into number: String) throws(Fault) {
      try board.putCard(inBoard: number, tpm: hasChip ? chips.path / number : nil)
      try board.boot()
      guard hasChip else { return }
      // The layer of tools is new at each start.
      try board.says("systemctl stop layby layby-keys.socket layby-keys")
      try board.editBoardConf("/^\\[rights\\]/a tpm = device:/dev/tpmrm0")
    }
    try await Board.with(.ready) { board in
      if hasChip {
        try put(board, into: "disk")
        // It has a TPM from the first on.
        try board.says("rm -rf /data/state/* /data/keys/* && systemctl start layby-keys.socket")
      }
      try Self.begin(board, depot)
      try Self.signInAndKeep(board, depot)
      let (sums, device) = (try board.keptSums(), try board.layby("rights", "device")["device"]?["device"]?.string)
      #expect(try board.layby("rights")["tpm"]?.truth == hasChip)

      try board.copyCard()
      try put(board, into: "other")
      if hasChip { try board.says("systemctl start layby-keys.socket layby") }
      try Self.waitUntilItAnswers(board)
      try board.waitUntilThePanelSays(
        hasChip ? "another board" : "this card may have been in another board", within: .seconds(180))
      #expect(try board.state() != "playing" && board.keptSums() == sums)

      try board.takeFirstCard()
      try put(board, into: "disk")
      if hasChip { try board.says("systemctl start layby-keys.socket layby") }
      try board.waitUntilSealedMusicPlays()
      #expect(try board.licence().verdict == "plays" && board.keptSums() == sums)
      #expect(try board.layby("rights", "device")["device"]?["device"]?.string == device)
    }
  }

  @Test("a device that its depot takes back plays nothing of it any more, removes it, and says why")
  func revoked() async throws {
    let depot = try DemoDepot()
    try await Board.with(.ready) { board in
      try Self.begin(board, depot)
      try Self.signInAndKeep(board, depot)
      let device = try #require(try board.layby("rights", "device")["device"]?["device"]?.string)
      try depot.keeper("revoke", device, "--why", "reported as lost")
      try board.layby("rights", "renew")
      try board.waitUntilThePanelSays("so it is removed from this device: reported as lost")
      try board.waitUntil("its music is removed") { () throws(Fault) in try board.keptSums().isEmpty }
      #expect(try board.licence().verdict != "plays")
    }
  }

  @Test(
    "a power cut while its licence is renewed leaves it with one that plays, and signed in",
    arguments: 0..<(Board.isLong ? 6 : 1) as Range<UInt64>)
  func cut(seed: UInt64) async throws {
    var dice = SeededGenerator(seed: seed)
    let wait = Int.random(in: 0...1_500, using: &dice)
    let depot = try DemoDepot()
    try await Board.with(.ready) { board in
      try Self.begin(board, depot)
      try Self.signInAndKeep(board, depot)
      let sums = try board.keptSums()
      try board.machine.agent.tell("layby rights renew")
      _ = Waiting.poll(until: .now + .milliseconds(wait)) { false }
      try Self.beOff(board, untilDay: 2)
      try board.waitUntilSealedMusicPlays()
      #expect(try board.licence().verdict == "plays" && board.keptSums() == sums)
      try board.join(depot)
      try board.waitUntil("it is renewed again", within: .seconds(120)) { () throws(Fault) in
        let answer = try board.shell("layby rights renew --json")
        guard answer.code == 0 else { return false }
        return try JSON(parsing: Array(answer.line.utf8))["renewed"]?.items?.first?["new"]?.whole == 1
      }
    }
  }

  /// Forty days pass since the beginning. Nothing of what is kept goes, and nothing is fetched.
  private static func endAndComeBack(_ board: VirtualBoard, _ depot: DemoDepot, _ sums: [String]) throws {
    try beOff(board, untilDay: 40)
    try depot.pass(days: 40)
    try waitUntilItAnswers(board)
    try board.waitUntilThePanelSays(refusal, within: .seconds(180))
    try board.waitUntil("it has stopped") { () throws(Fault) in try board.state() == "stopped" }
    #expect(try board.licence().verdict == "ended")
    #expect(try !sums.isEmpty && board.keptSums() == sums)

    try board.join(depot)
    try board.says("sleep 20")
    try board.leaveNetwork()
    let renewed = try board.licence()
    #expect(renewed.verdict == "plays" && renewed.days == 30, "\(renewed)")
    try board.press(.play)
    try board.waitUntilSealedMusicPlays()
    #expect(try !depot.mediaGiven() && board.keptSums() == sums)
  }

  private static func waitUntilItAnswers(_ board: VirtualBoard) throws(Fault) {
    try board.waitUntil("the player answers", within: .seconds(120)) { () throws(Fault) in try board.state() != nil }
  }

  // MARK: What a person does

  /// A board that knows its depot, and plays what it came with.
  private static func begin(_ board: VirtualBoard, _ depot: DemoDepot) throws {
    try board.pullCable()
    try board.writeFile("/data/layby.conf", depot.settings)
    try board.says("chmod 644 /data/layby.conf && sync")
    try board.startLayby()
    try board.waitUntilItPlays()
    try board.layby("repeat", "all")
    try board.join(depot)
  }

  /// By the panel, which shows a code, and the depot's page.
  private static func signIn(_ board: VirtualBoard, _ depot: DemoDepot) throws {
    try board.press(.knob, for: 900)
    try board.waitUntilThePanelSays("Menu · ")
    for row in ["Keep offline", "Licences", "demo", "Sign in"] { try board.choose(row) }
    var code = ""
    try board.waitUntil("the panel shows a code", within: .seconds(120)) { () throws(Fault) in
      code = try board.panelWords.firstMatch(of: /[A-Z]{4}-[A-Z]{4}/).map { String($0.0) } ?? ""
      return !code.isEmpty
    }
    try depot.letIn(code)
    try board.waitUntil("it is signed in, and has licences", within: .seconds(120)) { () throws(Fault) in
      try board.licence().verdict == "plays"
    }
  }

  /// By the command line, which is quicker than the panel.
  private static func signInAndKeep(_ board: VirtualBoard, _ depot: DemoDepot) throws {
    var code: JSON?
    try board.waitUntil("the depot gives a code", within: .seconds(120)) { () throws(Fault) in
      let answer = try board.shell("layby sign-in --json")
      guard answer.code == 0 else { return false }
      code = try JSON(parsing: Array(answer.line.utf8))["sign_in"]?["code"]
      return true
    }
    try depot.letIn(try #require(code?.string))
    try board.waitUntil("the playlist is wanted", within: .seconds(120)) { () throws(Fault) in
      try board.shell("layby offline want playlist 'This week' --json").code == 0
    }
    try board.waitUntil("all of it is here", within: .seconds(180)) { () throws(Fault) in
      try board.layby("offline")["offline"]?.items?.first?["state"] == "whole"
    }
    try board.layby("offline", "play", "playlist", "This week")
    try board.waitUntilSealedMusicPlays()
  }

  /// From the page of the account to the playlist, and to all of it being here.
  private static func keep(_ board: VirtualBoard) throws {
    try board.waitUntil("the depot's lists are known", within: .seconds(120)) { () throws(Fault) in
      try board.shell("layby offline browse playlist").text.contains("Road")
    }
    try board.waitUntil("the panel is back at all that is kept") { () throws(Fault) in
      if try board.panelWords.hasPrefix("Keep offline · ") { return true }
      try board.press(.back)
      try board.says("sleep 1")
      return false
    }
    try board.turn(-20)
    for row in ["demo", "Playlists", "Road"] { try board.choose(row) }
    try board.waitUntilThePanelSays("Road · ")
    try board.turn(-1)
    try board.waitUntilThePanelSays("Play, keep, more")
    try board.pressTheRow()
    try board.choose("Keep offline")
    try board.waitUntil("all of it is here", within: .seconds(180)) { () throws(Fault) in
      try board.layby("offline")["offline"]?.items?.first?["state"] == "whole"
    }
    try board.waitUntilThePanelSays("Play, shuffle, more")
  }

  /// Without power and without a network.
  private static func beOff(_ board: VirtualBoard, untilDay day: Int64) throws {
    board.cutPower()
    try board.boot(clock: .went(to: DemoDepot.date(inDays: day)))
  }
}
