// layby.conf: what the owner wants.

extension Setting<StartVolume> {
  package static var startVolume: Self {
    Setting(.owner, "sound", "start_volume", .startVolume, .last, "How loud it is after a start; last is as it was.")
  }
}

extension Setting<Int> {
  package static var maxVolume: Self {
    Setting(
      .owner, "sound", "max_volume", .whole(0...100, unit: "percent"), 100,
      "It never gets louder than this, whoever asks.")
  }

  package static var normaliserPreamp: Self {
    Setting(
      .owner, "sound", "normaliser_preamp", .whole(NormaliserMode.preamps, unit: "dB"), 0,
      "How much louder or softer the normaliser makes all music than its own -18 LUFS; louder needs the limiter more.")
  }

  package static var volumeStep: Self {
    Setting(
      .owner, "sound", "volume_step", .whole(1...20, unit: "percent"), 2, "How much one detent of the knob changes.")
  }

  package static var unplayableLimit: Self {
    Setting(
      .owner, "playback", "unplayable_limit", .whole(1...100, unit: "tracks"), 5,
      "So many unplayable tracks in a row are skipped before the music stops and says why.")
  }
}

extension Setting<Bool> {
  package static var readyCue: Self {
    Setting(
      .owner, "sound", "ready_cue", .yesOrNo, false,
      "Whether a short sound tells that it can play, as soon as it really can.")
  }

  package static var resume: Self {
    Setting(
      .owner, "playback", "resume", .yesOrNo, true,
      "Whether the music goes on by itself after a start, when it was playing.")
  }
}

extension Setting<Duration> {
  package static var previousRestartsAfter: Self {
    Setting(
      .owner, "playback", "previous_restarts_after", .duration(.zero...(.seconds(60))), .seconds(3),
      "Later than this in a track, \"previous\" goes to its beginning instead of the track before.")
  }
}

extension Setting<Duration> {
  package static var bookmarksAfter: Self {
    Setting(
      .owner, "playback", "bookmarks_after", .duration(.seconds(60)...(.seconds(36_000))), .seconds(900),
      "Tracks at least this long go on where they were left, and so do podcasts and audiobooks of any length.")
  }
}

extension Setting<Log.Level> {
  package static var logLevel: Self {
    Setting(
      .owner, "log", "level",
      .choice(["error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug]), .info,
      "How much is written to the log.")
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
      "A preset's name, or bands such as 60:+3 250:-2/1.4 8000:+4; off leaves every bit as it is.")
  }
}

extension Setting<PanelLanguage> {
  package static var language: Self {
    Setting(
      .owner, "panel", "language",
      .choice(["en": .english, "de": .german, "fr": .french, "es": .spanish, "ja": .japanese, "ar": .arabic]), .english,
      "What the panel's own words are in: English, German, French, Spanish, Japanese or Arabic.")
  }
}

extension Setting<PanelProfile> {
  package static var profile: Self {
    Setting(
      .owner, "panel", "profile", .choice(["home": .home, "car": .car, "kiosk": .kiosk]), .home,
      "For whom it is drawn: a car's has large letters and few choices, a kiosk's only what passers-by may.")
  }
}

extension Setting<PanelColours> {
  package static var colours: Self {
    Setting(
      .owner, "panel", "colours", .choice(["night": .night, "day": .day, "auto": .auto]), .night,
      "Dark or bright; auto goes by the car's lights, or else by a light sensor, or else by the time of day.")
  }
}

extension Setting<DayHours?> {
  package static var daylight: Self {
    Setting(
      .owner, "panel", "daylight", .dayHours, DayHours(from: 7 * 60, to: 20 * 60),
      "When it is bright outside, for colours = auto; it counts once the clock is right.")
  }
}

extension Setting<NormaliserMode> {
  package static var normaliser: Self {
    Setting(
      .owner, "sound", "normaliser",
      .choice(["off": .off, "track": .track, "album": .album, "automatic": .automatic]), .off,
      "Whether all music is made equally loud: each track, each album, or each album when it is played as one.")
  }
}

extension Setting<Duration> {
  package static var crossfade: Self {
    Setting(
      .owner, "sound", "crossfade", .duration(.zero...(.seconds(12))), .zero,
      "How long one track fades into the next; never inside an album that is played in its order.")
  }
}

extension Setting<Bool> {
  package static var crossfadeInAlbums: Self {
    Setting(
      .owner, "sound", "crossfade_in_albums", .yesOrNo, false, "Whether tracks of one album fade into each other too.")
  }
}

// For a hand that does not look.

extension Setting<Bool> {
  package static var speech: Self {
    Setting(
      .owner, "panel", "speech", .choice(["off": false, "on": true]), false,
      "Whether what is looked at on the panel is read aloud over the music, by espeak-ng if that is installed.")
  }

  package static var cues: Self {
    Setting(
      .owner, "panel", "cues", .yesOrNo, false,
      "Whether short sounds tell of a detent, a press and the end of a list in menus and questions.")
  }
}

extension Setting<Int> {
  package static var speechRate: Self {
    Setting(
      .owner, "panel", "speech_rate", .whole(80...450, unit: "words a minute"), 175, "How fast it is read aloud.")
  }
}

extension Setting<String?> {
  package static var speechVoice: Self {
    Setting(
      .owner, "panel", "speech_voice", .voice, nil,
      "Whose voice reads aloud, such as de+f3; auto is one of the panel's language.")
  }
}

// When the ignition is off or the battery runs out, and how the panel shines.

extension Setting<Duration> {
  package static var offAfter: Self {
    Setting(
      .owner, "power", "off_after", .duration(.zero...(.seconds(86_400))), .seconds(60),
      "How long the board rests after the ignition went off before it switches itself off.")
  }

  package static var panelDimsAfter: Self {
    Setting(
      .owner, "panel", "dims_after", .duration(.zero...(.seconds(86_400))), .zero,
      "The panel dims when nobody has touched anything for so long; 0s is never.")
  }
}

extension Setting<Int> {
  package static var writeUntil: Self {
    Setting(
      .owner, "power", "write_until", .whole(0...50, unit: "percent"), 5,
      "With the battery at this level or below, imports, downloads and copies wait; 0 is never.")
  }

  package static var offBelow: Self {
    Setting(
      .owner, "power", "off_below", .whole(0...50, unit: "percent"), 2,
      "With the battery at this level or below for half a minute, the board switches itself off; 0 is never.")
  }

  package static var panelBrightness: Self {
    Setting(
      .owner, "panel", "brightness", .whole(10...100, unit: "percent"), 100, "How bright the panel seems.")
  }
}

// What the network costs.

extension Setting<Bool> {
  package static var mobileIsMetered: Self {
    Setting(
      .owner, "network", "mobile_is_metered", .yesOrNo, true,
      "Whether traffic over a modem or a telephone costs money, so that only what is allowed there is fetched.")
  }
}

extension Setting<[String]> {
  package static var meteredNetworks: Self {
    Setting(
      .owner, "network", "metered", .names, [],
      "Wi-Fi networks whose traffic costs money or is limited, such as the one of a telephone.")
  }

  package static var unmeteredNetworks: Self {
    Setting(
      .owner, "network", "unmetered", .names, [],
      "Wi-Fi networks over which as much may be fetched as is wanted, whatever else is said.")
  }
}
