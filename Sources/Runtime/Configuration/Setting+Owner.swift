// layby.conf: what the owner wants.

extension Setting<StartVolume> {
  package static var startVolume: Self {
    Setting(
      .owner, "sound", "start_volume", .startVolume, .last,
      "How loud the music is after a start; last is as loud as before.",
      example: "30", guards: true)
  }
}

extension Setting<Int> {
  package static var maxVolume: Self {
    Setting(
      .owner, "sound", "max_volume", .whole(0...100, unit: "percent"), 100,
      "The music never gets louder than this, whoever asks.", example: "80", guards: true, cautious: 50,
      appliesAtOnce: true)
  }

  package static var normaliserPreamp: Self {
    Setting(
      .owner, "sound", "normaliser_preamp", .whole(NormaliserMode.preamps, unit: "dB"), 0,
      "How much louder or softer than -18 LUFS the normaliser makes all music; above 0 the limiter has more to do.",
      example: "-3", appliesAtOnce: true)
  }

  package static var volumeStep: Self {
    Setting(
      .owner, "sound", "volume_step", .whole(1...20, unit: "percent"), 2,
      "How much one detent of the knob changes the volume.",
      example: "4", appliesAtOnce: true)
  }

  package static var unplayableLimit: Self {
    Setting(
      .owner, "playback", "unplayable_limit", .whole(1...100, unit: "tracks"), 5,
      "How many unplayable tracks in a row are skipped before the music stops and says why.", example: "10")
  }
}

extension Setting<Bool> {
  package static var readyCue: Self {
    Setting(
      .owner, "sound", "ready_cue", .yesOrNo, false,
      "Whether a short sound tells after a start that music can be played now.")
  }

  package static var resume: Self {
    Setting(
      .owner, "playback", "resume", .yesOrNo, true,
      "Whether the music goes on by itself after a start, if it was playing before.")
  }
}

extension Setting<Duration> {
  package static var previousRestartsAfter: Self {
    Setting(
      .owner, "playback", "previous_restarts_after", .duration(.zero...(.seconds(60))), .seconds(3),
      "Later than this in a track, \"previous\" goes to its beginning instead of the track before.", example: "5s")
  }
}

extension Setting<Duration> {
  package static var bookmarksAfter: Self {
    Setting(
      .owner, "playback", "bookmarks_after", .duration(.seconds(60)...(.seconds(36_000))), .seconds(900),
      "Tracks at least this long go on where they were left, and so do podcasts and audiobooks of any length.",
      example: "30m")
  }
}

extension Setting<Log.Level> {
  package static var logLevel: Self {
    Setting(
      .owner, "log", "level",
      .choice(["error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug]), .info,
      "How much is written to the log.", example: "debug", appliesAtOnce: true)
  }
}

extension Setting<StickImport> {
  package static var stickImport: Self {
    Setting(
      .owner, "sticks", "import", .choice(["ask": .ask, "always": .always, "never": .never]), .ask,
      "Whether the music on a stick that is put in is taken into the library.")
  }
}

// How it sounds.

extension Setting<String> {
  package static var equaliser: Self {
    Setting(
      .owner, "sound", "equaliser", .text, "off",
      "A preset (layby equaliser lists them), or bands: frequency, decibels, and width as /Q; off changes no bit.",
      example: "60:+3 8000:-2", appliesAtOnce: true)
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

extension Setting<PanelColours> {
  package static var colours: Self {
    Setting(
      .owner, "panel", "colours", .choice(["night": .night, "day": .day, "auto": .auto]), .night,
      "Dark (night) or bright (day); auto goes by the car's lights, else by a light sensor, else by the time of day.",
      example: "auto", appliesAtOnce: true)
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

extension Setting<NormaliserMode> {
  package static var normaliser: Self {
    Setting(
      .owner, "sound", "normaliser",
      .choice(["off": .off, "track": .track, "album": .album, "automatic": .automatic]), .off,
      "Whether all music is made equally loud: each track, each album, or each album when it is played as one.",
      appliesAtOnce: true)
  }
}

extension Setting<Duration> {
  package static var crossfade: Self {
    Setting(
      .owner, "sound", "crossfade", .duration(.zero...(.seconds(12))), .zero,
      "How long one track fades into the next; never inside an album that is played in its order.", example: "5s",
      appliesAtOnce: true)
  }
}

extension Setting<Bool> {
  package static var crossfadeInAlbums: Self {
    Setting(
      .owner, "sound", "crossfade_in_albums", .yesOrNo, false, "Whether tracks of one album fade into each other too.",
      appliesAtOnce: true)
  }
}

// For a hand that does not look.

extension Setting<Bool> {
  package static var speech: Self {
    Setting(
      .owner, "panel", "speech", .choice(["off": false, "on": true]), false,
      "Whether what is selected on the panel is read aloud over the music; espeak-ng must be installed.",
      appliesAtOnce: true)
  }

  package static var coverColours: Self {
    Setting(
      .owner, "panel", "cover_colours", .yesOrNo, true,
      "Whether the screen of what plays takes its colours from the cover.", appliesAtOnce: true)
  }

  package static var cues: Self {
    Setting(
      .owner, "panel", "cues", .yesOrNo, false,
      "Whether short sounds tell of a detent, a press and the end of a list in menus and questions.",
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

// When the ignition is off or the battery runs out, and how the panel shines.

extension Setting<Duration> {
  package static var offAfter: Self {
    Setting(
      .owner, "power", "off_after", .duration(.zero...(.seconds(86_400))), .seconds(60),
      "How long the board rests after the ignition went off before it switches itself off.", example: "10m")
  }

  package static var panelDimsAfter: Self {
    Setting(
      .owner, "panel", "dims_after", .duration(.zero...(.seconds(86_400))), .zero,
      "The panel dims when nobody has touched anything for this long; 0s is never.", example: "2m")
  }
}

extension Setting<Int> {
  package static var writeUntil: Self {
    Setting(
      .owner, "power", "write_until", .whole(0...50, unit: "percent"), 5,
      "With the battery at this level or below, imports, downloads and copies wait; 0 is never.", example: "10")
  }

  package static var offBelow: Self {
    Setting(
      .owner, "power", "off_below", .whole(0...50, unit: "percent"), 2,
      "With the battery at this level or below for half a minute, the board switches itself off; 0 is never.",
      example: "5")
  }

  package static var panelBrightness: Self {
    Setting(
      .owner, "panel", "brightness", .whole(10...100, unit: "percent"), 100, "How bright the panel is.",
      example: "70")
  }
}

// What the network costs.

extension Setting<Bool> {
  package static var mobileIsMetered: Self {
    Setting(
      .owner, "network", "mobile_is_metered", .yesOrNo, true,
      "Whether traffic over a modem or a telephone costs money, so that the rules for metered networks hold.")
  }
}

extension Setting<[String]> {
  package static var meteredNetworks: Self {
    Setting(
      .owner, "network", "metered", .names, [],
      "Wi-Fi networks whose traffic costs money or is limited, such as the one of a telephone.",
      example: "telephone, train")
  }

  package static var unmeteredNetworks: Self {
    Setting(
      .owner, "network", "unmetered", .names, [],
      "Wi-Fi networks whose traffic costs nothing, whatever else says that it does.", example: "home, garage")
  }
}
