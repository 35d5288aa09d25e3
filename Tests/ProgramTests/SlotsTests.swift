import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("The verbs for a card with two slots", .serialized)
  struct SlotsTests {
    @Test("as RAUC calls it through an update, and what people are shown of it; what runs is never called bad")
    func update() async throws {
      let card = try MadeUpCard()
      #expect(try await card.slots("get-primary") == "a\n")
      #expect(try await card.slots("get-current") == "a\n")
      #expect(try await card.slots("get-state", "b") == "bad\n")
      #expect(try await card.code("set-primary", "b") == EX_UNAVAILABLE)
      #expect(try await card.code("set-state", "a", "bad") == EX_NOPERM)
      #expect(try await card.slots("set-state", "b", "bad") == "")
      #expect(try await card.slots("get-primary") == "a\n")
      #expect(try await card.slots("set-primary", "b") == "")
      #expect(try await card.slots("get-primary") == "b\n")
      #expect(
        try await card.slots() == "slot a  good, runs now\nslot b  is tried, 3 starts left, is started\n")
      let json = try JSON(parsing: Array(try await card.slots("--json").utf8))
      #expect(json["first"] == "b" && json["running"] == "a" && json["b"] == "3" && json["why"] == .null)
      for words in [["set-state", "c", "good"], ["set-primary"], ["better"]] {
        #expect(try await card.code(words) == EX_USAGE, "\(words)")
      }
    }

    @Test("good is said once the player has answered for a while; one that is good already is not written")
    func good() async throws {
      let card = try MadeUpCard(runs: "b")
      _ = try await card.slots("set-state", "b", "good")
      let before = try card.bytes
      #expect(try await card.slots("good", "--run", "\(card.home.run)") == "slot b is good\n")
      #expect(try card.bytes == before)
      _ = try await card.slots("set-primary", "a")
      // The card's first slot has been replaced since.
      let tried = try await MadeUpCard.onTrial()
      let player = try await RunningPlayer(in: tried.home)
      #expect(try await tried.slots("good", "--run", "\(tried.home.run)", "--for", "2s") == "slot b is good\n")
      #expect(try await tried.slots().contains("slot b  good, is started, runs now"))
      try await player.stop()
    }

    @Test("without its sound card a version is good; with one that cannot be used it is not, and it is said why")
    func devices() async throws {
      let card = try await MadeUpCard.onTrial()
      let missing = try await RunningPlayer(output: "alsa:hw:9,0", in: card.home)
      #expect(try await missing.sound["device"] == "missing")
      #expect(try await card.slots("good", "--run", "\(card.home.run)", "--for", "2s") == "slot b is good\n")
      try await missing.stop()

      let other = try await MadeUpCard.onTrial()
      // A plug-in without what it needs: the device has a name, and cannot be opened.
      let devices = other.home.folder / "asound.conf"
      try other.home.write("pcm.broken { type rate }\n", to: devices)
      let broken = try await RunningPlayer(
        output: "alsa:broken", in: other.home, environment: ["ALSA_CONFIG_PATH=\(devices)"])
      let word = try await broken.sound["device"]?.string
      #expect(word != nil && !["works", "missing", "busy"].contains(word))
      let before = try other.bytes
      let waited = try await MadeUpCard.ran(
        ["good", "--run", "\(other.home.run)", "--for", "1s"], other, before: ["timeout", "4"])
      #expect(waited.code == 124 && waited.errors.contains("the device of sound is there and does not work (X-264)"))
      #expect(try other.bytes == before)
      try await broken.stop()
    }

    @Test("a sound card that is plugged in and that no driver has taken is not a missing one")
    func idleCard() async throws {
      let card = try await MadeUpCard.onTrial()
      let usb = card.home.folder / "usb"
      try Folder.make(usb)
      try Folder.make(usb / "1-1:1.0")
      for name in ["bInterfaceClass", "bInterfaceSubClass"] { try card.home.write("01\n", to: usb / "1-1:1.0" / name) }
      let player = try await RunningPlayer(output: "alsa:hw:9,0", in: card.home)
      let words = ["good", "--run", "\(card.home.run)", "--for", "1s", "--usb", "\(usb)"]
      let waited = try await MadeUpCard.ran(words, card, before: ["timeout", "4"])
      #expect(waited.code == 124 && waited.errors.contains("no driver for the sound card"), "\(waited.errors)")
      try Folder.make(usb / "1-1:1.0/driver")
      #expect(try await MadeUpCard.ran(words, card).output == "slot b is good\n")
      try await player.stop()
    }

    @Test("a machine without slots is told so, by both verbs")
    func none() async throws {
      let home = try Home()
      let slots = try await Finished([Built.layby, "slots"], in: home)
      #expect(slots.code == EX_UNAVAILABLE && slots.errors.contains("no slots"), "\(slots.errors)")
      let missing = try await Finished([Built.layby, "update", "/none.layby"], in: home)
      #expect(missing.code == EX_UNAVAILABLE && missing.errors.contains("/none.layby"), "\(missing.errors)")
      let last = try await Finished([Built.layby, "update", "--told", "\(home.folder)"], in: home)
      #expect(last.code == EX_OK && last.output == "nothing was updated since the start\n")
    }

    @Test("an update is followed to its end: progress, a refusal in plain words, a new version")
    func follow() async throws {
      let home = try Home()
      let told = home.folder / "told"
      for folder in [home.run, told] { try Folder.make(folder) }
      try home.write("bundle", to: home.folder / "new.layby")
      // In the place of the unit: takes the wish, and tells what it is given.
      func followed(_ end: String) async throws -> Finished {
        let script = """
          until [ -e '\(home.run)/update' ]; do sleep 0.05; done
          wish=$(sed -n 1p '\(home.run)/update'); file=$(sed -n 4p '\(home.run)/update'); rm '\(home.run)/update'
          [ "$file" = 'file=\(home.folder)/new.layby' ] || exit 1
          printf '%s\\nstate=writing\\npercent=50\\nversion=0.2\\n' "$wish" >'\(told)/new'; mv '\(told)/new' '\(told)/state'
          sleep 1; printf '%s\\n\(end)' "$wish" >'\(told)/new'; mv '\(told)/new' '\(told)/state'
          """
        let unit = try ChildProcess(
          ["sh", "-c", script], output: home.folder / "unit.out", errors: home.folder / "unit.err")
        let words = ["update", "\(home.folder)/new.layby", "--run", "\(home.run)", "--told", "\(told)"]
        let ran = try await Finished([Built.layby] + words, in: home)
        #expect(await unit.exitCode(within: patience) == 0)
        return ran
      }
      let done = try await followed("state=ready\\nversion=0.2\\n")
      #expect(done.code == EX_OK, "\(done.errors)")
      #expect(
        done.output
          == "writing version 0.2: 50 %\nversion 0.2 is on the card; it starts at the next start\n")
      let news = try await followed("state=ready\\nversion=0.2\\nwords=It mends the clock.\\n")
      #expect(news.output.hasSuffix("starts at the next start\nwhat is new: It mends the clock.\n"))
      let refused = try await followed("state=refused\\nwords=It is for another board.\\n")
      #expect(refused.code == EX_DATAERR && refused.errors.contains("It is for another board. Nothing was changed."))
      // Whoever comes while one is written is told so, and leaves no wish.
      try home.write("state=writing\nwish=1\nversion=0.2\npercent=40\n", to: told / "state")
      let second = try await Finished(
        [Built.layby, "update", "\(home.folder)/new.layby", "--run", "\(home.run)", "--told", "\(told)"], in: home)
      #expect(second.code == EX_TEMPFAIL && second.errors.contains("writing version 0.2: 40 %"), "\(second.errors)")
      #expect(home.names(in: home.run).contains("update") == false)
      try home.write("state=refused\nwish=1\n", to: told / "state")
      let later = try await Finished([Built.layby, "update", "--told", "\(told)", "--json"], in: home)
      #expect(later.code == EX_DATAERR && later.output.contains(#""state":"refused""#), "\(later.output)")
    }
  }
}

/// A file in the place of the partition layby-slots, as it is on a new card.
private struct MadeUpCard {
  let home: Home
  private let runs: String
  private var partition: FilePath { home.folder / "slots" }

  init(runs: String = "a") throws {
    (home, self.runs) = (try Home(), runs)
    var text = Array("lb_a=good\0lb_b=empty\0lb_first=a\0lb_n=1\0lb_why=none\0".utf8)
    text += [UInt8](repeating: 0, count: 508 - text.count)
    let sum = Checksum.crc32(text)
    var sector = (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    sector += text
    try AtomicFile.replace(partition, with: sector + [UInt8](repeating: 0, count: 1_048_576 - 512))
  }

  var bytes: [UInt8] { get throws { try AtomicFile.read(partition, limit: 1 << 21) } }

  /// Slot b was written by the version before, and runs for the first time.
  static func onTrial() async throws -> MadeUpCard {
    let card = try MadeUpCard(runs: "b")
    _ = try await ran(["set-state", "b", "bad"], card, words: "layby.slot=a")
    _ = try await ran(["set-primary", "b"], card, words: "layby.slot=a")
    return card
  }

  static func ran(
    _ words: [String], _ card: MadeUpCard, words kernel: String? = nil, before: [String] = []
  ) async throws -> Finished {
    let cmdline = card.home.folder / "cmdline"
    try card.home.write("quiet \(kernel ?? "layby.slot=\(card.runs)") layby.state=good\n", to: cmdline)
    let facts = ["--device", "\(card.partition)", "--words", "\(cmdline)"]
    return try await Finished(before + [Built.layby, "slots"] + words + facts, in: card.home)
  }

  func slots(_ words: String...) async throws -> String {
    let ran = try await Self.ran(words, self)
    #expect(ran.code == EX_OK, "\(words): \(ran.errors)")
    return ran.output
  }

  func code(_ words: String...) async throws -> Int32? { try await code(words) }
  func code(_ words: [String]) async throws -> Int32? { try await Self.ran(words, self).code }
}
