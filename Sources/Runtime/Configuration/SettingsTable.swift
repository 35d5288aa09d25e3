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
    SettingEntry(.coverColours),
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

  /// What the settings of a section have in common, for its heading.
  package static func help(ofSection section: String, of file: SettingsFile) -> String {
    let words = section.hasPrefix("\(SourceSection.word) ") ? SourceSection.word : section
    return (file == .board ? ofBoard : ofOwner)[words] ?? ""
  }

  private static let ofBoard = [
    "board": "The board as a whole.",
    "encoder": "The knob that is turned, when it is wired to two GPIO lines.",
    "buttons": "Which GPIO line each button is wired to.",
    "gestures": "How long a long press is, and what buttons do beside a plain press.",
    "keys": "What the keys of keyboards, remotes and steering wheels do.",
    "lines": "How knob and buttons are wired to their GPIO lines.",
    "inputs": "Keyboards, remotes and touch screens.",
    "panel": "The screen.",
    "lights": "Lamps, and the car's lights.",
    "power": "The car's ignition.",
    "audio": "The sound device.",
    "paths": "Folders.",
    "watchdog": "The hardware watchdog, which resets a board that hangs.",
    "sticks": "USB sticks.",
  ]

  private static let ofOwner = [
    "panel": "How the screen looks, and whether it speaks.",
    "power": "When the board switches itself off, and what waits when the battery is low.",
    "sound": "How loud the music is, and how it sounds.",
    "playback": "How the music goes on.",
    "sticks": "USB sticks.",
    "kiosk": "A panel that strangers use. All of it counts only with `profile = kiosk` in `[panel]`.",
    "log": "The log, which `layby log` shows.",
    "network": "Which networks cost money, and how the player finds out whether the internet is there.",
    "offline": "Music that is fetched from a source and kept on the device.",
    "flags": "What is new and may turn out to be a mistake; off gives the behaviour before it.",
    "source": """
    Where music is fetched from. Each source has a section of its own, with a name of letters and digits in the place \
    of NAME: `[source home]`. A source keeps its name for as long as it is the same, because its music is known by it.
    """,
  ]

  // MARK: On a command line

  /// The settings and sections that `layby config` can be asked for.
  package static let words: [String] = {
    var seen: Set<String> = []
    return entries.flatMap { [section(of: $0.name.word), $0.name.word] }.filter { seen.insert($0).inserted }
  }()

  package static func entries(named word: String) -> [SettingEntry] {
    entries.filter { $0.name.word == word || section(of: $0.name.word) == word }
  }

  private static func section(of word: String) -> String { String(word.prefix { $0 != "." }) }

  package static func entries(of file: SettingsFile, section: String) -> [SettingEntry] {
    let described = SourceSection.name(in: section) == nil ? section : SourceSection.section(of: SourceSection.example)
    return entries.filter { $0.file == file && $0.name.section == described }
  }
}
