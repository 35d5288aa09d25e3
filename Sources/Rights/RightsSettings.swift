import Runtime

/// What can be set of the keys for sealed music.
package enum RightsSettings {
  package static let settings: [SettingEntry] = [
    SettingEntry(.boundTo), SettingEntry(.keysBroker), SettingEntry(.tpm),
  ]

  /// For a program that obeys only these.
  package static let table = SettingsTable(settings, sections: [section])
  package static let section = SettingsSection(.board, name, "Sealed music, and who keeps its keys.")

  fileprivate static let name = "rights"
}

extension Setting<[FilePath]> {
  package static var boundTo: Self {
    Setting(
      .board, RightsSettings.name, "bound_to", .paths,
      [FilePath("/sys/firmware/devicetree/base/serial-number"), FilePath("/sys/block/mmcblk0/device/cid")],
      "Files in which the board says its own numbers: with them the keys for sealed music are of no use on another board.",
      example: "/sys/block/mmcblk1/device/cid")
  }
}

extension Setting<FilePath?> {
  package static var keysBroker: Self {
    Setting(
      .board, RightsSettings.name, "broker", .device("/run/layby-keys/socket"), nil,
      "The socket of layby-keys, which keeps the keys away from the player; with none the player keeps them itself.",
      example: "/run/layby-keys/socket")
  }
}

extension Setting<String> {
  package static var tpm: Self {
    Setting(
      .board, RightsSettings.name, "tpm", .text, "none",
      "The TPM 2.0 that seals what the keys come from, in the words of tpm2-tss, such as device:/dev/tpmrm0; or none.",
      example: "device:/dev/tpmrm0")
  }
}

extension Settings {
  /// Nil with none.
  package var tpmAddress: String? {
    let text = self[.tpm]
    return text.isEmpty || ExactText(text) == "none" ? nil : text
  }
}
