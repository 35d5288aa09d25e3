import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("What was decided about sticks")
struct StickMemoryTests {
  private static func stick(_ uuid: String?, _ label: String = "BLUE 2") -> Stick {
    Stick(
      uuid: uuid, label: label, root: FilePath("/run/layby-sticks/\(uuid ?? "unnamed-sda1")"), fileSystem: "vfat",
      bytes: nil, device: DeviceNumber(major: 8, minor: 1))
  }

  @Test("a stick that is left alone is known again from the file; one without an identity never is")
  func kept() {
    var memory = StickMemory()
    #expect(!memory.leavesAlone(Self.stick("AB-12")))
    for uuid in ["AB-12", "CD-34", "AB-12", nil] { memory.leaveAlone(Self.stick(uuid)) }
    let again = StickMemory(parsing: memory.bytes)
    #expect(again == memory && String(decoding: again.bytes, as: UTF8.self) == "leave AB-12\nleave CD-34\n")
    #expect(again.leavesAlone(Self.stick("CD-34")) && !again.leavesAlone(Self.stick(nil)))
  }

  @Test("what cannot be understood in the file is left out, and it never grows without end")
  func nonsense() {
    let text = "leave AB-12\nleave ../x\nleave\nleave a b\nburn CD-34\n\u{0}\nleave EF-56"
    let understood = StickMemory(parsing: Array(text.utf8)).bytes
    #expect(String(decoding: understood, as: UTF8.self) == "leave AB-12\nleave EF-56\n")
    var memory = StickMemory()
    for number in 0..<2_000 { memory.leaveAlone(Self.stick("S-\(number)")) }
    #expect(memory.leavesAlone(Self.stick("S-1999")) && !memory.leavesAlone(Self.stick("S-0")))
    #expect(memory.bytes.count < StickMemory.limit)
    var dice = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &dice) }
      let memory = StickMemory(parsing: bytes)
      #expect(StickMemory(parsing: memory.bytes) == memory)
    }
  }

  @Test("what was set up is known again, without its password")
  func setup() throws {
    func setup(_ text: String) throws -> StickSetup { try StickSetup(parsing: Array(text.utf8)) }
    let home = try setup("[network]\nssid = Home\npassword = secret77\n[board]\nname = Küche 2\n")
    var memory = StickMemory()
    #expect(!memory.has(home))
    memory.remember(home)
    let text = String(decoding: memory.bytes, as: UTF8.self)
    #expect(text.contains("name Küche 2\n") && !text.contains("secret77") && !text.contains("Home"))
    let again = StickMemory(parsing: memory.bytes)
    #expect(again == memory && again.has(home) && again.boardName == "Küche 2")
    let others = [
      "[board]\nname = Car\n", "[network]\nssid = Home\npassword = secret78\n", "[network]\nssid = Home\n",
    ]
    #expect(again.has(try setup("[board]\nname = Küche 2\n")))
    for other in others { #expect(!again.has(try setup(other))) }
  }

  @Test("what becomes of the music on a stick: the owner's word, what is known, and what was decided")
  func music() {
    let table: [(StickImport, known: Bool, alone: Bool, StickMusic)] = [
      (.ask, false, false, .isAskedFor), (.ask, true, false, .isTakenIn), (.ask, false, true, .isLeft),
      // Somebody took it in after all.
      (.ask, true, true, .isTakenIn), (.always, false, false, .isTakenIn), (.always, false, true, .isTakenIn),
      (.never, true, false, .isLeft), (.never, false, false, .isLeft),
    ]
    for (setting, known, alone, music) in table {
      #expect(StickMusic(setting, isKnown: known, isLeftAlone: alone, amongStrangers: false) == music)
      // Whoever copies a known stick's identity, or one that was left alone, gets a question and nothing else.
      let kiosk = StickMusic(setting, isKnown: known, isLeftAlone: alone, amongStrangers: true)
      #expect(kiosk == (setting == .ask ? .isAskedFor : music))
    }
  }

  @Test("the question names the stick, and the safest of its answers does nothing")
  func question() {
    let question = StickMusic.question(about: Self.stick("AB-12"))
    #expect(question.text == "Take in the music of \"BLUE 2\"?" && question.answers.count == 4)
    #expect(StickMusic.ImportDecision(rawValue: OwnersQuestion.safest) == .notNow)
    let meant: [StickMusic.ImportDecision] = [.notNow, .yes, .yesAndPlay, .never]
    let words = ["Not now", "Yes, each time it is in", "Yes, and play it now", "Never from this stick"]
    for (answer, text) in zip(meant, words) { #expect(question.answers[answer.rawValue] == text) }
    #expect(StickMusic.question(about: Self.stick(nil, "")).text == "Take in the music of this stick?")
    #expect(StickMusic.question(about: Self.stick(nil)).answers == Array(words.prefix(3)))
  }
}
