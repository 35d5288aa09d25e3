import Hardware
import Testing

@testable import Panel

@Suite("What keys are called")
struct KeyLabelsTests {
  static let names: [(String, String)] = [
    ("KEY_KPENTER", "Keypad Enter"), ("KEY_KP7", "Keypad 7"), ("KEY_KPPLUS", "Keypad +"), ("KEY_ENTER", "Enter"),
    ("KEY_NEXTSONG", "Next track"), ("KEY_VOLUMEUP", "Vol +"), ("KEY_PAGEDOWN", "Page Down"), ("KEY_F5", "F5"),
    ("KEY_A", "A"), ("KEY_SPACE", "Space"), ("KEY_NUMERIC_3", "3"), ("KEY_CONTEXT_MENU", "Context menu"),
    ("BTN_TL2", "L2"), ("KEY_LEFT", "\u{2190}"), ("code:240", "Unknown"), ("code:700", "Key 700"),
  ]

  @Test("a key has the name that people read on it", arguments: names)
  func printed(name: String, label: String) throws {
    #expect(PanelWords.english.name(of: try #require(KeyName(name))) == label)
  }

  @Test("no name is one that only the kernel knows, in any language", arguments: PanelLanguage.allCases)
  func all(language: PanelLanguage) {
    let words = PanelWords.of(language)
    for name in KeyName.codes.keys {
      guard let key = KeyName(name) else { continue }
      let label = words.name(of: key)
      #expect(!label.isEmpty && !label.contains("_") && !label.hasPrefix("Kp"), "\(name): \(label)")
    }
    #expect(Set(KeyLabels.printed.keys).subtracting(KeyName.codes.keys.map { String($0.dropFirst(4)) }).isEmpty)
  }
}
