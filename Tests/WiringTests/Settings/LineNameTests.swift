import Canvas
import Hardware
import Runtime
import Supervisor
import TestSupport
import Testing

@testable import layby

@Suite("Names of GPIO lines")
struct LineNameTests {
  @Test(
    "a line is named, or told by its chip and place",
    arguments: [
      ("ENC_A", LineName.named("ENC_A")), ("PIN-17.b", .named("PIN-17.b")),
      ("gpiochip0:17", .at(chip: "gpiochip0", offset: 17)), ("dash:0", .at(chip: "dash", offset: 0)),
      ("pinctrl-bcm2711:65535", .at(chip: "pinctrl-bcm2711", offset: 65_535)),
    ])
  func read(_ text: String, _ expected: LineName) {
    #expect(LineName(text) == expected)
    #expect(expected.description == text)
  }

  @Test(
    "what cannot be a line is refused",
    arguments: [
      "", "none", "two words", "a,b", "gpiochip0:", ":3", "a:b:3", "gpiochip0:-1", "gpiochip0:65536", "gpiochip0:x",
      "/dev/gpiochip0:3", "../x", "ENC_\u{E4}", String(repeating: "x", count: 32),
    ])
  func refuse(_ text: String) { #expect(LineName(text) == nil) }

  @Test("board.conf names knob, buttons and devices, and says what is wrong with them")
  func inTheFile() throws {
    let text = """
      [encoder]
      lines = ENC_A, gpiochip1:4
      [buttons]
      play = BTN_PLAY
      [lines]
      bias = none
      active = high
      [panel]
      device = /dev/fb0
      """
    let settings = try SettingsTable.all.read(board: Array(text.utf8), owner: nil, lastGood: { _ in nil }).settings
    #expect(settings[.knobLines] == KnobLines(.named("ENC_A"), .at(chip: "gpiochip1", offset: 4)))
    #expect(settings[.button("play")] == .named("BTN_PLAY"))
    #expect(settings[.button("next")] == nil)
    #expect(settings[.linesBias] == LineBias.none)
    #expect(!settings[.linesActiveLow])
    #expect(settings[.panelDevice] == .device(FilePath("/dev/fb0")))
    #expect(settings[.watchdogDevice] == nil)

    for (line, words) in [
      ("[encoder]\nlines = ENC_A", "expected two lines such as ENC_A, ENC_B, or none"),
      ("[encoder]\nlines = ENC_A, ENC_A", "expected two lines"),
      ("[buttons]\npley = X", "did you mean \"play\"?"),
      ("[buttons]\nplay = a b", "expected a line's name such as ENC_A"),
      ("[panel]\ndevice = fb0", "expected a path from the root, such as /dev/fb0, or none, or auto"),
      ("[panel]\nrotate = 45", "expected one of 0, 90, 180, 270"),
    ] {
      let fault = try faultOf {
        try SettingsTable.all.read(board: Array(line.utf8), owner: nil, lastGood: { _ in nil })
      }
      #expect(fault.message.contains(words), "\(line)")
    }
  }
}
