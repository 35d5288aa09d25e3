/// All keys, in the order in which they are explained.
package enum SettingsTable {
  package static let entries: [SettingEntry] =
    [
      SettingEntry(.boardName),
      SettingEntry(.knobLines),
      SettingEntry(.knobReversed),
    ] + Setting.buttonNames.map { SettingEntry(.button($0)) } + [
      SettingEntry(.linesBias),
      SettingEntry(.linesActiveLow),
      SettingEntry(.linesDebounce),
      SettingEntry(.giveWayLine),
      SettingEntry(.givesWayByPausing),
      SettingEntry(.eventKeys),
      SettingEntry(.panelDevice),
      SettingEntry(.panelSize),
      SettingEntry(.panelFont),
      SettingEntry(.panelBoldFont),
      SettingEntry(.audioOutput),
      SettingEntry(.audioBuffer),
      SettingEntry(.audioMixer),
      SettingEntry(.statePath),
      SettingEntry(.runPath),
      SettingEntry(.firstMusic),
      SettingEntry(.musicPath),
      SettingEntry(.watchdogDevice),
      SettingEntry(.watchdogTimeout),
      SettingEntry(.allowsSetup),
      SettingEntry(.startVolume),
      SettingEntry(.maxVolume),
      SettingEntry(.volumeStep),
      SettingEntry(.readyCue),
      SettingEntry(.equaliser),
      SettingEntry(.normaliser),
      SettingEntry(.normaliserPreamp),
      SettingEntry(.crossfade),
      SettingEntry(.crossfadeInAlbums),
      SettingEntry(.resume),
      SettingEntry(.previousRestartsAfter),
      SettingEntry(.unplayableLimit),
      SettingEntry(.bookmarksAfter),
      SettingEntry(.stickImport),
      SettingEntry(.mobileIsMetered),
      SettingEntry(.meteredNetworks),
      SettingEntry(.unmeteredNetworks),
      SettingEntry(.logLevel),
    ]

  package static func sections(of file: SettingsFile) -> [String] {
    var sections: [String] = []
    for entry in entries where entry.file == file && sections.last != entry.name.section {
      sections.append(entry.name.section)
    }
    return sections
  }

  package static func entries(of file: SettingsFile, section: String) -> [SettingEntry] {
    entries.filter { $0.file == file && $0.name.section == section }
  }
}
