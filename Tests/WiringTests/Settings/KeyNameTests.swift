import Hardware
import Runtime
import TestSupport
import Testing

@testable import layby

@Suite("Names of keys")
struct KeyNameTests {
  @Test("every name is one of the kernel's header, with its number")
  func header() throws {
    let bytes = try AtomicFile.read(FilePath("/usr/include/linux/input-event-codes.h"), limit: 200_000)
    var numbers: [String: Int] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.count >= 3, words[0] == "#define" else { continue }
      numbers[String(words[1])] = words[2].hasPrefix("0x") ? Int(words[2].dropFirst(2), radix: 16) : Int(words[2])
    }
    try #require(numbers["KEY_PLAYPAUSE"] == 164)
    for (name, code) in KeyName.codes { #expect(numbers[name] == Int(code), "\(name)") }
    #expect(KeyName.codes.count > 350)
    #expect(Set(KeyName.codes.values).count == KeyName.codes.count)
  }

  @Test("a name and its number are one key, written by its name", arguments: KeyName.codes.keys.sorted())
  func named(_ name: String) throws {
    let key = try #require(KeyName(name))
    #expect(key.description == name)
    #expect(KeyName(code: Int(key.code)) == key && KeyName("code:\(key.code)") == key)
    #expect(KeyName(name.lowercased()) == key)
  }

  @Test("a number without a name is a key too, and KEY_ may be left out")
  func others() {
    #expect(KeyName("code:240")?.description == "KEY_UNKNOWN")
    #expect(KeyName("code:767")?.description == "code:767")
    #expect(KeyName("playpause")?.code == 164)
    #expect(KeyName("1")?.code == 2, "the key, and not the number")
  }

  @Test(
    "what is no key is refused",
    arguments: [
      "", "KEY_", "code:", "code:0", "code:768", "code:-1", "code:+3", "code:1.5", "code:99999999999999999999",
      "KEY_PLYA",
      "KEY PLAY", "KEY_KEY_PLAY", "BTN_LEFT", "code:\u{664}", String(repeating: "K", count: 1_000),
    ])
  func refuse(_ text: String) { #expect(KeyName(text) == nil) }

  @Test("a mouse's buttons and what tells of pens and fingers are not for fingers")
  func forFingers() {
    for code in [0x110, 0x117, 0x140, 0x145, 0x14A, 0x14D] { #expect(KeyName(code: code)?.isForFingers == false) }
    for code in [1, 164, 0x100, 0x120, 0x130, 0x160, 767] { #expect(KeyName(code: code)?.isForFingers == true) }
  }

  private func board(_ text: String) throws(Fault) -> Settings {
    try SettingsTable.all.read(board: Array(text.utf8), owner: nil, lastGood: { _ in nil }).settings
  }

  @Test("board.conf says what keys mean")
  func inTheFile() throws {
    let settings = try board("[keys]\nplay = KEY_F1, code:190\nturn_right = KEY_W\nnothing = KEY_SPACE\nnext =\n")
    #expect(settings[.keys("play")].map(\.code) == [59, 190])
    #expect(settings[.keys("turn_right")].map(\.description) == ["KEY_W"])
    #expect(settings[.keys("nothing")].map(\.description) == ["KEY_SPACE"])
    #expect(settings[.keys("next")] == [] && settings[.keys("back")] == [])
  }

  static let expected = "expected names of keys such as KEY_PLAYPAUSE, or code:240, each once, with commas between them"

  @Test(
    "a mistake names line, key, what was expected, and the name that was probably meant",
    arguments: [
      ("[keys]\nplay = KEY_PLAYPAUS", "board.conf:2: [keys] play = KEY_PLAYPAUS", "; did you mean \"KEY_PLAYPAUSE\"?"),
      (
        "[keys]\n\nnext = KEY_F1, NETXSONG", "board.conf:3: [keys] next = KEY_F1, NETXSONG",
        "; did you mean \"KEY_NEXTSONG\"?"
      ),
      ("[keys]\nback = BTN_STRAT", "board.conf:2: [keys] back = BTN_STRAT", "; did you mean \"BTN_START\"?"),
      ("[keys]\nback = code:800", "board.conf:2: [keys] back = code:800", ""),
      ("[keys]\nback = KEY_A, KEY_A", "board.conf:2: [keys] back = KEY_A, KEY_A", ""),
      ("[keys]\nback = KEY_A,, KEY_B", "board.conf:2: [keys] back = KEY_A,, KEY_B", ""),
    ])
  func mistakes(_ text: String, _ place: String, _ advice: String) throws {
    #expect(try faultOf { try board(text) }.message == "\(place): \(Self.expected)\(advice)")
  }

  @Test("an action that there is not is told with the one that was meant")
  func noSuchAction() throws {
    let message = try faultOf { try board("[keys]\nturn_rihgt = KEY_A") }.message
    #expect(message.contains("board.conf:2") && message.contains("did you mean \"turn_right\"?"), "\(message)")
  }

  @Test("a file of keys says nothing else")
  func alone() throws {
    func read(_ text: String) throws(Fault) -> Settings {
      try SettingsTable.all.learned("keys", from: Array(text.utf8), shownAs: "state/keys")
    }
    #expect(try read("") == Settings())
    #expect(try read("# nothing\n[keys]\nplay =\n")[.keys("play")] == [])
    #expect(try read("[keys]\nmute = code:190")[.keys("mute")].map(\.code) == [190])
    for wrong in ["[board]\nname = x", "[keys]\nplay = KEY_PLYA", "[keys", "\u{0}", "play = KEY_A"] {
      let fault = try faultOf { try read(wrong) }
      #expect(fault.code == "C-105" && fault.message.contains("state/keys"), "\(wrong)")
    }
  }
}
