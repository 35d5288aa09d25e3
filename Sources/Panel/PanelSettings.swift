import Application
import Hardware
import Playback
import Runtime

/// What can be set of what people see, hear and do at the panel, and of what strangers may do at a kiosk.
package enum PanelSettings {
  package static let settings: [SettingEntry] =
    [
      SettingEntry(.longPress),
      SettingEntry(.doublePress),
      SettingEntry(.repeatsAfter),
      SettingEntry(.repeatsEvery),
    ] + Setting.buttonNames.map { SettingEntry(.gestures($0)) } + [
      SettingEntry(.givesWayByPausing),
      SettingEntry(.language),
      SettingEntry(.profile),
      SettingEntry(.panelDiagonal),
      SettingEntry(.colours),
      SettingEntry(.coverColours),
      SettingEntry(.daylight),
      SettingEntry(.panelBrightness),
      SettingEntry(.panelDimsAfter),
      SettingEntry(.speech),
      SettingEntry(.speechRate),
      SettingEntry(.speechVoice),
      SettingEntry(.cues),
      SettingEntry(.volumeStep),
      SettingEntry(.kioskAllows),
      SettingEntry(.kioskPIN),
      SettingEntry(.kioskHours),
      SettingEntry(.kioskMaxVolume),
      SettingEntry(.kioskAttractsAfter),
      SettingEntry(.kioskWelcome),
    ]
}

extension Setting<Duration> {
  package static var longPress: Self {
    Setting(
      .board, "gestures", "long", .duration(.milliseconds(200)...(.seconds(3))), .milliseconds(600),
      "How long a button is held for a long press.", example: "800ms")
  }

  package static var doublePress: Self {
    Setting(
      .board, "gestures", "double", .duration(.milliseconds(100)...(.seconds(1))), .milliseconds(300),
      "How soon a second press makes a double press. A button that has one waits so long before a single press counts.",
      example: "400ms")
  }

  package static var repeatsAfter: Self {
    Setting(
      .board, "gestures", "repeat_after", .duration(.milliseconds(150)...(.seconds(3))), .milliseconds(450),
      "How long louder or quieter is held before it repeats.", example: "600ms")
  }

  package static var repeatsEvery: Self {
    Setting(
      .board, "gestures", "repeat_every", .duration(.milliseconds(50)...(.seconds(2))), .milliseconds(120),
      "How often louder or quieter repeats while it is held.", example: "200ms")
  }
}

extension Setting<[HandGesture]> {
  package static func gestures(_ button: String) -> Self {
    Setting(
      .board, "gestures", button, .handGestures, button == "home" ? [.long("back")] : [],
      "What else counts as the button \"\(button)\": a long or double press of a button, or two buttons at once.",
      example: button == "mute" ? "next with previous" : button == "play" ? "double home" : "double play")
  }
}

extension Setting<Bool> {
  package static var givesWayByPausing: Self {
    Setting(
      .board, "lines", "give_way_by", .choice(["pausing": true, "softness": false]), false,
      "What the music does while the line give_way is active: it pauses, or it becomes soft.")
  }
}

extension Setting<PanelLanguage> {
  package static var language: Self {
    Setting(
      .owner, "panel", "language",
      .choice(["en": .english, "de": .german, "fr": .french, "es": .spanish, "ja": .japanese, "ar": .arabic]), .english,
      "What the panel's own words are in: English, German, French, Spanish, Japanese or Arabic.", appliesAtOnce: true)
  }
}

extension Setting<PanelProfile> {
  package static var profile: Self {
    Setting(
      .owner, "panel", "profile", .choice(["home": .home, "car": .car, "kiosk": .kiosk]), .home,
      "For whom the panel is drawn: a car's has large letters and few choices, a kiosk's only what strangers may do.",
      guards: true, appliesAtOnce: true)
  }
}

extension Setting<PanelDiagonal?> {
  package static var panelDiagonal: Self {
    Setting(
      .board, "panel", "diagonal", .diagonal, nil,
      "How large the panel is from corner to corner; with it, what is touched is at least 9 mm high and wide, in a car 12."
    )
  }
}

extension Setting<PanelColours> {
  package static var colours: Self {
    Setting(
      .owner, "panel", "colours", .choice(["night": .night, "day": .day, "auto": .auto]), .night,
      "Dark (night) or bright (day); auto goes by the car's lights, else by a light sensor, else by the time of day.",
      example: "auto", appliesAtOnce: true)
  }
}

extension Setting<Bool> {
  package static var coverColours: Self {
    Setting(
      .owner, "panel", "cover_colours", .yesOrNo, true,
      "Whether the screen of what plays takes its colours from the cover.", appliesAtOnce: true)
  }
}

extension Setting<DayHours?> {
  package static var daylight: Self {
    Setting(
      .owner, "panel", "daylight", .dayHours, DayHours(from: 7 * 60, to: 20 * 60),
      "The hours in which it is bright outside, for colours = auto; they count once the clock is right.",
      example: "6:30-21:00", appliesAtOnce: true)
  }
}

extension Setting<Int> {
  package static var panelBrightness: Self {
    Setting(
      .owner, "panel", "brightness", .whole(10...100, unit: "percent"), 100, "How bright the panel is.",
      example: "70")
  }
}

extension Setting<Duration> {
  package static var panelDimsAfter: Self {
    Setting(
      .owner, "panel", "dims_after", .duration(.zero...(.seconds(86_400))), .zero,
      "The panel dims when nobody has touched anything for this long; 0s is never.", example: "2m")
  }
}

extension Setting<Bool> {
  package static var speech: Self {
    Setting(
      .owner, "panel", "speech", .choice(["off": false, "on": true]), false,
      "Whether what is selected on the panel is read aloud over the music; espeak-ng must be installed.",
      appliesAtOnce: true)
  }
}

extension Setting<Int> {
  package static var speechRate: Self {
    Setting(
      .owner, "panel", "speech_rate", .whole(80...450, unit: "words a minute"), 175,
      "How fast the panel is read aloud.",
      example: "220", appliesAtOnce: true)
  }
}

extension Setting<String?> {
  package static var speechVoice: Self {
    Setting(
      .owner, "panel", "speech_voice", .voice, nil,
      "Which of espeak-ng's voices reads aloud; auto is one of the panel's language.", appliesAtOnce: true)
  }
}

extension Setting<Bool> {
  package static var cues: Self {
    Setting(
      .owner, "panel", "cues", .yesOrNo, false,
      "Whether short sounds tell of a detent, a press and the end of a list in menus and questions.",
      appliesAtOnce: true)
  }
}

extension Setting<Int> {
  package static var volumeStep: Self {
    Setting(
      .owner, "sound", "volume_step", .whole(1...20, unit: "percent"), 2,
      "How much one detent of the knob changes the volume.",
      example: "4", appliesAtOnce: true)
  }
}

extension Setting<Set<KioskRight>> {
  package static var kioskAllows: Self {
    Setting(
      .owner, "kiosk", "allows", .kioskRights, KioskRight.initial,
      "What strangers may do on the panel; enqueue adds to the queue, play changes what plays. All else needs the PIN.",
      example: "library, search, enqueue", guards: true, appliesAtOnce: true)
  }
}

extension Setting<String?> {
  package static var kioskPIN: Self {
    Setting(
      .owner, "kiosk", "pin", .pin, nil,
      "The number that opens the whole panel until it is left alone; with none, nothing does. Five wrong ones make it wait.",
      example: "2580", guards: true, appliesAtOnce: true)
  }
}

extension Setting<OpeningHours?> {
  package static var kioskHours: Self {
    Setting(
      .owner, "kiosk", "hours", .openingHours, nil,
      "When the kiosk plays; at other times the music rests and the panel says so. Without a right clock it plays.",
      example: "Mon-Fri 9:00-18:00, Sat 10:00-14:00", guards: true, appliesAtOnce: true)
  }
}

extension Setting<Int> {
  package static var kioskMaxVolume: Self {
    Setting(
      .owner, "kiosk", "max_volume", .whole(0...100, unit: "percent"), 100,
      "A kiosk never gets louder than this, nor than [sound] max_volume.", example: "60", guards: true, cautious: 50,
      appliesAtOnce: true)
  }
}

extension Setting<Duration> {
  package static var kioskAttractsAfter: Self {
    Setting(
      .owner, "kiosk", "attract_after", .duration(.zero...(.seconds(3_600))), .seconds(60),
      "The panel invites passers-by when nobody has touched anything for this long; 0s is never.", example: "5m",
      appliesAtOnce: true)
  }
}

extension Setting<String> {
  package static var kioskWelcome: Self {
    Setting(
      .owner, "kiosk", "welcome", .text, "",
      "The words with which the panel invites passers-by; when they are empty, it has its own.",
      example: "Choose the next song!", appliesAtOnce: true)
  }
}

extension Settings {
  package var isKiosk: Bool { self[.profile] == .kiosk }

  /// What no hand and no program goes beyond.
  package var loudest: Int { isKiosk ? min(self[.maxVolume], self[.kioskMaxVolume]) : self[.maxVolume] }
}
