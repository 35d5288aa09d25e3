import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("The counters of a card's two slots")
struct BootSlotsTests {
  /// As `make_slots` in image/lib/card.sh writes it on a new card.
  static let fresh = sector("lb_a=good", "lb_b=empty", "lb_first=a", "lb_n=1", "lb_why=none")
  static let nothing = [UInt8](repeating: 0, count: 512)

  static func sector(_ facts: String...) -> [UInt8] { sector(facts) }

  static func sector(_ facts: [String]) -> [UInt8] {
    var text: [UInt8] = []
    for fact in facts {
      text += fact.utf8
      text.append(0)
    }
    text += [UInt8](repeating: 0, count: 508 - text.count)
    let sum = Checksum.crc32(text)
    let sector = (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    return sector + text
  }

  @Test("a new card: slot a is good and first, slot b is empty, and the second sector is written next")
  func newCard() {
    let (slots, second) = BootSlots.read(Self.fresh, Self.nothing)
    #expect(second == false && slots.number == 1 && slots.first == .a)
    #expect(slots[.a] == .good && slots[.b] == .empty && slots.abandoned == nil)
  }

  @Test("U-Boot's words are read as it writes them, and written as it reads them, sorted by name")
  func words() {
    let theirs = Self.sector("lb_a=0", "lb_b=1", "lb_first=b", "lb_n=a", "lb_why=a:load")
    let (slots, _) = BootSlots.read(Self.nothing, theirs)
    #expect(slots.number == 10 && slots[.a] == .tries(0) && slots[.b] == .tries(1) && slots.first == .b)
    #expect(slots.abandoned?.slot == .a && slots.abandoned?.reason == .load)
    let expected = Self.sector("lb_a=0", "lb_b=1", "lb_first=b", "lb_n=b", "lb_why=a:load")
    #expect(slots.next().sector == expected)
  }

  @Test("of two right sectors the one with the higher number counts; without any, slot a is taken for good")
  func which() {
    let (old, new) = (Self.fresh, Self.sector("lb_a=good", "lb_b=3", "lb_first=b", "lb_n=2", "lb_why=none"))
    #expect(BootSlots.read(old, new).second == true)
    #expect(BootSlots.read(new, old).second == false)
    #expect(BootSlots.read(new, old).slots.first == .b)
    let (slots, second) = BootSlots.read([], Self.nothing)
    #expect(second == nil && slots == BootSlots() && slots.first == .a)
  }

  @Test("any byte that is flipped costs its sector alone, and the other one counts")
  func flips() {
    let good = BootSlots.read(Self.fresh, Self.nothing).slots
    let newer = good.marked(bad: .b).next()
    for place in 0..<512 {
      for bit in [UInt8(1), 0x80, 0xFF] {
        var broken = newer.sector
        broken[place] ^= bit
        #expect(BootSlots.read(Self.fresh, broken).slots == good, "byte \(place)")
        var older = Self.fresh
        older[place] ^= bit
        #expect(BootSlots.read(older, newer.sector).slots == newer.slots, "byte \(place)")
      }
    }
  }

  @Test("a write that a cut ends after any byte leaves the counters before or the ones after")
  func cuts() {
    var sectors = [Self.fresh, Self.nothing]
    var slots = BootSlots.read(sectors[0], sectors[1]).slots
    for round in 0..<6 {
      let changed = round % 2 == 0 ? slots.marked(bad: .b) : slots.choosing(.b) ?? slots
      let (old, second) = BootSlots.read(sectors[0], sectors[1])
      let place = second == false ? 1 : 0
      let (new, sector) = changed.next()
      for count in 0...512 {
        var torn = sectors
        torn[place] = Array(sector[..<count] + sectors[place][count...])
        let found = BootSlots.read(torn[0], torn[1]).slots
        #expect(found == old || found == new)
        if count == 512 { sectors = torn }
      }
      slots = new
      #expect(BootSlots.read(sectors[0], sectors[1]).slots == new)
    }
    #expect(slots.number == 7)
  }

  @Test("what no slot can be does not count, whatever its sum says")
  func nonsense() {
    let bad = [
      Self.sector("lb_a=good", "lb_b=good", "lb_first=c", "lb_n=9"),
      Self.sector("lb_a=4", "lb_b=good", "lb_first=a", "lb_n=9"),
      Self.sector("lb_a=good", "lb_b=good", "lb_first=a", "lb_n=x"), Self.sector("lb_first=a", "lb_n=9"), [],
    ]
    for one in bad { #expect(BootSlots.read(Self.fresh, one).slots.number == 1) }
  }

  @Test("an update: bad while it is written, then first with three tries, then good")
  func update() throws {
    let before = BootSlots.read(Self.fresh, Self.nothing).slots
    #expect(before.choosing(.b) == nil)
    let writing = before.marked(bad: .b)
    #expect(writing.first == .a && writing[.b] == .tries(0) && writing[.a] == .good)
    let tried = try #require(writing.choosing(.b))
    #expect(tried.first == .b && tried[.b] == .allTries && tried[.a] == .good)
    let good = tried.marked(good: .b)
    #expect(good.first == .b && good[.b] == .good && good.marked(good: .b) == good)
    // Back again, without a try being counted.
    #expect(good.choosing(.a)?[.a] == .good)
  }

  @Test("a second update over one that was never started: the slot that runs is first while it is written")
  func twice() throws {
    let tried = try #require(BootSlots().marked(bad: .b).choosing(.b))
    let writing = tried.marked(bad: .b)
    #expect(writing.first == .a && writing.abandoned == nil)
    // With no other that starts, nothing is gained by it.
    #expect(BootSlots().marked(bad: .a).first == .a)
  }

  @Test("a slot that ran although none was left is first again")
  func last() {
    let none = Self.sector("lb_a=0", "lb_b=0", "lb_first=b", "lb_n=9", "lb_why=a:tries")
    #expect(BootSlots.read(none, Self.nothing).slots.marked(good: .a).first == .a)
  }
}

@Suite("What U-Boot tells the kernel of the slots")
struct KernelSlotTests {
  @Test("which slot runs, and why the other one does not; without a slot, neither")
  func words() {
    let kernel = KernelSlot(words: "quiet layby.slot=a layby.state=good layby.why=b:tries\n")
    #expect(kernel.running == .a && kernel.abandoned?.slot == .b && kernel.abandoned?.reason == .tries)
    for words in ["", "quiet", "layby.slot=c layby.why=a:load", "layby.why=a:load", "layby.slot"] {
      let none = KernelSlot(words: words)
      #expect(none.running == nil && none.abandoned == nil, "\(words)")
    }
    #expect(KernelSlot(words: "layby.slot=b layby.why=none").abandoned == nil)
  }

  @Test("what is told of a version that was left, with its number where that is known")
  func told() {
    let table = [
      ("b:tries", "0.3", "R-176", "Version 0.3 did not start three times. The one before it runs."),
      ("b:load", "0.3", "R-176", "Version 0.3 cannot be read from this card. The other one runs."),
      ("a:tries", nil, "R-175", "The new version did not start three times. The one before it runs."),
      ("a:load", nil, "R-175", "The other version on this card cannot be read. This one runs."),
    ]
    for (why, version, code, words) in table {
      let notice = KernelSlot(words: "layby.slot=a layby.why=\(why)").abandoned?.notice(version: version)
      #expect(notice?.code == code && notice?.message == words && notice?.names == (version.map { [$0] } ?? []))
    }
  }
}

@Suite("When a slot that is tried is good")
struct SlotTrialTests {
  private func part(_ name: String, _ isRunning: Bool = true, _ restarts: Int64 = 0) -> SlotTrial.Part {
    SlotTrial.Part(name, isRunning: isRunning, restarts: restarts)
  }

  fileprivate func seconds(_ count: Int64) -> Moment { Moment(nanoseconds: count * 1_000_000_000) }

  /// The second at which it is good, asked once a second.
  fileprivate func good(_ answer: (Int64) -> [SlotTrial.Part]?) -> Int64? {
    var trial = SlotTrial()
    return (Int64(0)...100).first { trial.take(answer($0), at: seconds($0)) }
  }

  @Test("sound and panel run for thirty seconds; a board without a panel needs none")
  func whole() {
    #expect(good { _ in [part("sound"), part("panel"), part("network", false)] } == 30)
    #expect(good { _ in [part("sound")] } == 30)
  }

  @Test("no answer, no sound, or a panel that stands still: never")
  func never() {
    #expect(good { _ in nil } == nil)
    #expect(good { _ in [part("panel")] } == nil)
    #expect(good { _ in [part("sound", false), part("panel")] } == nil)
    #expect(good { _ in [part("sound"), part("panel", false)] } == nil)
  }

  @Test("each break, and each restart of a part, begins the thirty seconds anew")
  func breaks() {
    #expect(good { $0 == 29 ? nil : [part("sound")] } == 60)
    #expect(good { $0 % 20 == 0 ? nil : [part("sound")] } == nil)
    #expect(good { [part("sound"), part("panel", true, $0 < 10 ? 0 : 1)] } == 40)
    #expect(good { [part("sound"), part("panel", true, $0 / 5)] } == nil)
  }
}

extension SlotTrialTests {
  private func sound(_ device: SlotTrial.Device, _ played: Int64? = nil) -> SlotTrial.Part {
    SlotTrial.Part("sound", isRunning: true, restarts: 0, device: device, played: played)
  }

  @Test("a sound card or screen that is not there, or that another program has, is no hindrance; a fault of one is")
  func devices() {
    let words: [(String?, SlotTrial.Device)] = [
      ("works", .works), ("missing", .absent), ("busy", .absent), (nil, .untried), ("denied", .fails),
      ("malformed", .fails), ("unsupported", .fails), ("passing", .fails), ("full", .fails), ("damaged", .fails),
    ]
    for (word, device) in words {
      #expect(SlotTrial.Device(word: word) == device)
      let panel = SlotTrial.Part("panel", isRunning: true, restarts: 0, device: device)
      let isFine = [.works, .absent].contains(device)
      #expect((good { _ in [sound(device)] } == 30) == isFine, "sound \(word ?? "")")
      #expect((good { _ in [sound(.works), panel] } == 30) == isFine, "panel \(word ?? "")")
    }
    // What works only sometimes begins anew each time.
    #expect(good { [sound($0 % 20 == 0 ? .fails : .works)] } == nil)
    #expect(good { [sound($0 < 5 ? .untried : .works)] } == 35)
    // Pulled out and plugged in again on the way.
    #expect(good { [sound($0 % 7 == 0 ? .absent : .works)] } == 30)
  }

  @Test("a device that takes nothing of the music that is to be heard is one that does not work; silence may be silent")
  func played() {
    #expect(good { _ in [sound(.works, 500)] } == nil)
    #expect(good { [sound(.works, $0 * 44_100)] } == 30)
    // It takes a lot at once, and then nothing for long.
    #expect(good { [sound(.works, $0 < 20 ? 500 : 900_000)] } == 30)
    // Paused, or waiting for a stream: nothing is asked of the device.
    #expect(good { [sound(.works, $0 < 20 ? 500 : nil)] } == 30)
    #expect(good { [sound(.works, $0 < 20 ? nil : 500)] } == 30)
    // It begins to play in the end.
    #expect(good { [sound(.works, $0 < 40 ? 0 : $0 * 44_100)] } == 60)
  }

  @Test("a sound card that is plugged in and that the kernel has no driver for is not a missing one")
  func idleCard() throws {
    var trial = SlotTrial()
    for second in Int64(0)...40 {
      let isGood = trial.take([sound(.absent)], hasIdleSoundCard: true, at: seconds(second))
      #expect(!isGood)
    }
    #expect(trial.hindrance?.contains("no driver") == true)
    // Another one is used: nobody needs that one.
    let now = trial.take([sound(.works)], hasIdleSoundCard: true, at: seconds(41))
    let later = trial.take([sound(.works)], hasIdleSoundCard: true, at: seconds(71))
    #expect(!now && later)
  }

  @Test("of USB's interfaces those are sound cards that say so; one with a driver is not idle")
  func interfaces() throws {
    let folder = TempFolder()
    func interface(_ name: String, _ kind: String, _ subclass: String, driver: Bool) throws {
      let place = folder.path / name
      try Folder.make(place)
      try AtomicFile.replace(place / "bInterfaceClass", with: Array("\(kind)\n".utf8))
      try AtomicFile.replace(place / "bInterfaceSubClass", with: Array("\(subclass)\n".utf8))
      if driver { try Folder.make(place / "driver") }
    }
    #expect(!IdleSoundCards.areThere(in: folder.path / "none"))
    try Folder.make(folder.path / "usb1")
    try interface("1-1:1.0", "08", "06", driver: false)
    try interface("1-2:1.0", "01", "01", driver: true)
    try interface("1-3:1.0", "01", "03", driver: false)
    #expect(!IdleSoundCards.areThere(in: folder.path))
    try interface("1-4:1.0", "01", "01", driver: false)
    #expect(IdleSoundCards.areThere(in: folder.path))
  }
}

@Suite("How an update stands")
struct UpdateProgressTests {
  @Test("each state is read from its lines; what is none is none")
  func lines() {
    let writing = UpdateProgress("state=writing\nwish=7\npercent=40\nversion=0.2\n")
    #expect(writing?.state == .writing && writing?.percent == 40 && writing?.wish == "7" && writing?.version == "0.2")
    let refused = UpdateProgress("wish=7\nstate=refused\nwords=It is for a=b.\n")
    #expect(refused?.state == .refused && refused?.words == "It is for a=b." && refused?.isOver == true)
    #expect(UpdateProgress("state=writing\nwish=\npercent=900")?.percent == 100)
    #expect(UpdateProgress("state=refused\nwish=7\nreason=older")?.reason == .older)
    for text in ["", "state=other\nwish=1", "state=ready"] { #expect(UpdateProgress(text) == nil) }
  }

  @Test("a wish has its name, the version that somebody wants, and the file's own bytes")
  func wish() {
    let wish = UpdateProgress.Wish("12", to: .check, FilePath("/a b/c=d.layby"))
    #expect(String(decoding: wish.bytes, as: UTF8.self) == "wish=12\ndo=check\nversion=\nfile=/a b/c=d.layby\n")
    let known = UpdateProgress.Wish("13", to: .write, FilePath("/a"), version: "0.2")
    #expect(String(decoding: known.bytes, as: UTF8.self) == "wish=13\ndo=write\nversion=0.2\nfile=/a\n")
  }
}
