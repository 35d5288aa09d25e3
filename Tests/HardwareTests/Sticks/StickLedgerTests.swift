import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("The ledger of sticks")
struct StickLedgerTests {
  private static func mount(_ id: Int, at name: String) -> Mount {
    Mount(
      id: id, device: DeviceNumber(major: 8, minor: id), place: FilePath("/run/layby-sticks/\(name)"),
      options: ["ro", "nosuid", "nodev", "noexec"], fileSystem: "vfat")
  }

  private static func stick(_ mount: Mount) -> Stick {
    Stick(uuid: "A", label: "", root: mount.place, fileSystem: "vfat", bytes: nil, device: mount.device)
  }

  @Test("one that is put in again between two looks goes and comes")
  func again() {
    var ledger = StickLedger()
    let (first, second) = (Self.mount(1, at: "a"), Self.mount(2, at: "a"))
    #expect(ledger.update([first], refused: [], describe: Self.stick) == [.came(Self.stick(first))])
    #expect(ledger.update([first], refused: [], describe: Self.stick) == [])
    #expect(
      ledger.update([second], refused: [], describe: Self.stick) == [
        .went(Self.stick(first)), .came(Self.stick(second)),
      ])
    #expect(ledger.update([], refused: [], describe: Self.stick) == [.went(Self.stick(second))])
  }

  @Test("what it said of one when it came it says when it goes")
  func same() {
    var ledger = StickLedger()
    let mount = Self.mount(1, at: "a")
    _ = ledger.update([mount], refused: []) { mount in
      Stick(uuid: "A", label: "Blue", root: mount.place, fileSystem: "vfat", bytes: 7, device: mount.device)
    }
    let gone = ledger.update([], refused: [], describe: Self.stick)
    guard case .went(let stick) = gone.first else { return #expect(gone.isEmpty, "expected it to go") }
    #expect(stick.label == "Blue" && stick.bytes == 7)
  }

  @Test("one that cannot be read is told of once, and once more that it is gone, until it comes again")
  func refused() {
    var ledger = StickLedger()
    let one = RefusedStick(label: "", reason: .broken, fileSystem: "vfat", device: "sda1")
    let asked = [[one], [one], [], [one]].map { ledger.update([], refused: $0, describe: Self.stick) }
    #expect(asked == [[.refused(one)], [], [.refusalEnded(one)], [.refused(one)]])
  }

  @Test("whatever comes and goes, each stick comes once and goes once, and those that came and did not go are there")
  func walk() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    var ledger = StickLedger()
    var there: [Mount] = []
    var known: [FilePath] = []
    var counter = 0
    for _ in 0..<2_000 {
      for _ in 0..<Int.random(in: 0...3, using: &dice) {
        let name = "stick\(Int.random(in: 0..<5, using: &dice))"
        there.removeAll { $0.place.name == FilePath(name) }
        guard Bool.random(using: &dice) else { continue }
        counter += 1
        there.append(Self.mount(counter, at: name))
      }
      for event in ledger.update(there.shuffled(using: &dice), refused: [], describe: Self.stick) {
        switch event {
        case .came(let stick):
          #expect(!known.contains(stick.root), "seed \(seed)")
          known.append(stick.root)
        case .went(let stick):
          #expect(known.contains(stick.root), "seed \(seed)")
          known.removeAll { $0 == stick.root }
        case .refused, .refusalEnded: Issue.record("nothing was refused, seed \(seed)")
        }
      }
      #expect(Set(known) == Set(there.map(\.place)) && Set(ledger.sticks.map(\.root)) == Set(known), "seed \(seed)")
    }
  }

  @Test("more sticks than anybody has are not taken")
  func bound() {
    var ledger = StickLedger()
    let events = ledger.update((1...200).map { Self.mount($0, at: "s\($0)") }, refused: [], describe: Self.stick)
    #expect(events.count == StickLedger.most)
  }
}
