/// All keys, in the order in which they are explained.
package enum SettingsTable {
  package static let entries: [SettingEntry] =
    ofKnob + ofButtons + ofGestures + ofKeys + others + ofFlags + ofSource

  private static let ofKnob = [
    SettingEntry(.boardName), SettingEntry(.knobLines), SettingEntry(.knobEdges), SettingEntry(.knobRests),
    SettingEntry(.knobReversed), SettingEntry(.knobHaste),
  ]
  private static let ofButtons = Setting.buttonNames.map { SettingEntry(.button($0)) }
  private static let ofGestures =
    [
      SettingEntry(.longPress), SettingEntry(.doublePress), SettingEntry(.repeatsAfter), SettingEntry(.repeatsEvery),
    ] + Setting.buttonNames.map { SettingEntry(.gestures($0)) }
  private static let ofKeys = Setting.keyMeanings.map { SettingEntry(.keys($0)) }
  private static let others = [
    SettingEntry(.linesBias),
    SettingEntry(.linesActiveLow),
    SettingEntry(.linesDebounce),
    SettingEntry(.giveWayLine),
    SettingEntry(.givesWayByPausing),
    SettingEntry(.eventKeys),
    SettingEntry(.touchRotation),
    SettingEntry(.panelDevice),
    SettingEntry(.panelSize),
    SettingEntry(.panelRotation),
    SettingEntry(.panelFont),
    SettingEntry(.panelBoldFont),
    SettingEntry(.panelBacklight),
    SettingEntry(.ambientSensor),
    SettingEntry(.powerLight),
    SettingEntry(.pwmFrequency),
    SettingEntry(.pwmInverted),
    SettingEntry(.headlightsLine),
    SettingEntry(.ignitionLine),
    SettingEntry(.ignitionActiveLow),
    SettingEntry(.ignitionBias),
    SettingEntry(.ignitionDebounce),
    SettingEntry(.audioOutput),
    SettingEntry(.audioBuffer),
    SettingEntry(.audioMixer),
    SettingEntry(.statePath),
    SettingEntry(.runPath),
    SettingEntry(.firstMusic),
    SettingEntry(.musicPath),
    SettingEntry(.mediaPath),
    SettingEntry(.mediaVolumes),
    SettingEntry(.watchdogDevice),
    SettingEntry(.watchdogTimeout),
    SettingEntry(.allowsSetup),
    SettingEntry(.stickMounting),
    SettingEntry(.language),
    SettingEntry(.profile),
    SettingEntry(.colours),
    SettingEntry(.daylight),
    SettingEntry(.panelBrightness),
    SettingEntry(.panelDimsAfter),
    SettingEntry(.speech),
    SettingEntry(.speechRate),
    SettingEntry(.speechVoice),
    SettingEntry(.cues),
    SettingEntry(.offAfter),
    SettingEntry(.writeUntil),
    SettingEntry(.offBelow),
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
    SettingEntry(.kioskAllows),
    SettingEntry(.kioskPIN),
    SettingEntry(.kioskHours),
    SettingEntry(.kioskMaxVolume),
    SettingEntry(.kioskAttractsAfter),
    SettingEntry(.kioskWelcome),
    SettingEntry(.logLevel),
    SettingEntry(.mobileIsMetered),
    SettingEntry(.meteredNetworks),
    SettingEntry(.unmeteredNetworks),
    SettingEntry(.probe),
    SettingEntry(.probeAnswer),
    SettingEntry(.offlineLimit),
    SettingEntry(.offlineReserve),
    SettingEntry(.offlineQuality),
    SettingEntry(.streamQuality),
    SettingEntry(.offlineAtOnce),
    SettingEntry(.offlineBandwidth),
    SettingEntry(.offlineProxy),
    SettingEntry(.offlineDirect),
    SettingEntry(.offlineOnMetered),
    SettingEntry(.streamOnMetered),
    SettingEntry(.offlineNeedsInternet),
    SettingEntry(.offlineHours),
    SettingEntry(.offlineSettling),
    SettingEntry(.offlineSmart),
    SettingEntry(.offlineSmartOnWired),
  ]
  package static let ofFlags = Flag.allCases.map { SettingEntry(.flag($0)) }

  /// One section stands for those of all sources.
  package static let ofSource = [
    SettingEntry(.sourceURL(SourceSection.example)),
    SettingEntry(.sourceKind(SourceSection.example)),
    SettingEntry(.sourcePin(SourceSection.example)),
    SettingEntry(.sourceBackupPin(SourceSection.example)),
  ]

  package static func sections(of file: SettingsFile) -> [String] {
    var sections: [String] = []
    for entry in entries where entry.file == file && sections.last != entry.name.section {
      sections.append(entry.name.section)
    }
    return sections
  }

  package static func entries(of file: SettingsFile, section: String) -> [SettingEntry] {
    let described = SourceSection.name(in: section) == nil ? section : SourceSection.section(of: SourceSection.example)
    return entries.filter { $0.file == file && $0.name.section == described }
  }
}
