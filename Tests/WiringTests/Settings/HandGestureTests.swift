import Panel
import Runtime
import Testing

@testable import layby

@Suite("Gestures in board.conf")
struct HandGestureTests {
  @Test(
    "are named as they are said, in any letters, and written the one way there is",
    arguments: [
      ("long back", "long back"), ("Double Play", "double play"), ("previous with next", "next with previous"),
      ("next  with previous", "next with previous"),
    ])
  func named(text: String, written: String) throws {
    let gesture = try #require(HandGesture(text))
    #expect(gesture.description == written)
    #expect(HandGesture(written) == gesture)
  }

  @Test(
    "what no hand does is none",
    arguments: [
      "", "long", "long nob", "back", "double", "next with next", "next and previous", "long back now", "triple play",
    ])
  func none(text: String) { #expect(HandGesture(text) == nil) }

  @Test("a button has as many as it likes, each once; what is wrong is told with its line")
  func lists() throws {
    func read(_ text: String) throws -> Settings {
      try SettingsTable.all.read(board: Array("[gestures]\n\(text)\n".utf8), owner: nil, lastGood: { _ in nil })
        .settings
    }
    #expect(try read("next = double play, next with previous")[.gestures("next")].count == 2)
    #expect(try read("home =")[.gestures("home")] == [])
    #expect(Settings()[.gestures("home")] == [.long("back")])
    for wrong in ["next = double play, double play", "next = double", "next = double play,", "nob = long back"] {
      let fault = #expect(throws: Fault.self) { try read(wrong) }
      #expect(fault?.code == "C-102" && fault?.message.contains(":2:") == true, "\(wrong)")
    }
  }

  @Test("times have their ranges")
  func times() throws {
    let rows: [(String, Bool)] = [
      ("long = 600ms", true), ("long = 199ms", false), ("long = 4s", false), ("double = 100ms", true),
      ("double = 0s", false), ("repeat_after = 1s", true), ("repeat_every = 50ms", true), ("repeat_every = 1ms", false),
    ]
    for (text, isFit) in rows {
      let bytes = Array("[gestures]\n\(text)\n".utf8)
      let isRead: Bool
      do throws(Fault) {
        _ = try SettingsTable.all.read(board: bytes, owner: nil, lastGood: { _ in nil })
        isRead = true
      } catch { isRead = false }
      #expect(isRead == isFit, "\(text)")
    }
  }
}
