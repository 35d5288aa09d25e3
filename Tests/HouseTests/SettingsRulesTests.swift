import Testing

@Suite("Settings are declared by the room that obeys them")
struct SettingsRulesTests {
  @Test("each setting is declared once, listed by its room, and joined in the program's table")
  func settings() {
    #expect(SettingsRules.complaints(House.sources) == [])
    #expect(House.sources.contains { $0.path == SettingsRules.joined })
  }

  private static let audio = """
    package enum AudioSettings {
      package static let settings: [SettingEntry] = [SettingEntry(.buffer)] + names.map { SettingEntry(.band($0)) }
    }

    extension Setting<Duration> {
      package static var buffer: Self {
        Setting(
          .board, "audio", "buffer", .duration(.zero...(.seconds(2))), .zero, "How much sound is held.")
      }

      package static func band(_ name: String) -> Self { Setting(.owner, "bands", name, .text, "", "A band.") }
    }
    """
  private static let table = "  static let all = SettingsTable(RuntimeSettings.settings + AudioSettings.settings)"

  private static func files(
    _ audio: String = audio, _ table: String = table, others: [SourceFile] = []
  ) -> [SourceFile] {
    [
      SourceFile(path: "Sources/Audio/AudioSettings.swift", text: audio),
      SourceFile(path: SettingsRules.joined, text: table),
    ] + others
  }

  @Test("a room that keeps the rules is not told")
  func good() { #expect(SettingsRules.complaints(Self.files()) == []) }

  @Test("a key that two rooms declare is told, also under two names")
  func twice() {
    let text = """
      package enum PanelSettings {
        package static let settings: [SettingEntry] = [SettingEntry(.other)]
      }

      extension Setting<Bool> {
        package static var other: Self { Setting(.board, "audio", "buffer", .yesOrNo, false, "Another.") }
      }
      """
    let panel = SourceFile(path: "Sources/Panel/PanelSettings.swift", text: text)
    let table = Self.table.replacing("AudioSettings.settings", with: "AudioSettings.settings + PanelSettings.settings")
    #expect(
      SettingsRules.complaints(Self.files(Self.audio, table, others: [panel]))
        == ["[audio] buffer of the board's file is declared by Audio and Panel"])
  }

  @Test("a setting outside of its room's list is told, wherever it is declared, and so is one that is listed twice")
  func outside() {
    let unlisted = Self.audio.replacing("[SettingEntry(.buffer)] + ", with: "")
    #expect(SettingsRules.complaints(Self.files(unlisted)) == ["buffer of Audio is in no list of it"])
    let family = Self.audio.replacing(" + names.map { SettingEntry(.band($0)) }", with: "")
    #expect(SettingsRules.complaints(Self.files(family)) == ["band of Audio is in no list of it"])
    let doubled = Self.audio.replacing(
      "[SettingEntry(.buffer)]", with: "[SettingEntry(.buffer), SettingEntry(.buffer)]")
    #expect(SettingsRules.complaints(Self.files(doubled)) == ["buffer is listed twice by Audio"])
    let stray = SourceFile(
      path: "Sources/Canvas/Stray.swift",
      text: "extension Setting<Int> {\n  package static var stray: Self {\n    Setting()\n  }\n}\n")
    #expect(SettingsRules.complaints(Self.files(others: [stray])) == ["stray of Canvas is in no list of it"])
  }

  @Test("a room that lists what another declares is told")
  func foreign() {
    let list =
      "package enum PanelSettings {\n  package static let settings: [SettingEntry] = [SettingEntry(.buffer)]\n}\n"
    let panel = SourceFile(path: "Sources/Panel/PanelSettings.swift", text: list)
    #expect(
      SettingsRules.complaints(Self.files(Self.audio, Self.table + " + PanelSettings.settings", others: [panel]))
        == ["buffer is listed by Panel, which does not declare it"])
  }

  @Test("a room whose list is not joined is told")
  func unjoined() {
    #expect(
      SettingsRules.complaints(Self.files(Self.audio, "SettingsTable(RuntimeSettings.settings)"))
        == ["AudioSettings.settings is not joined in \(SettingsRules.joined)"])
  }
}
