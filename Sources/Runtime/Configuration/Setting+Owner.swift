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

// When the ignition is off or the battery runs out, and how the panel shines.

extension Setting<Duration> {
  package static var offAfter: Self {
    Setting(
      .owner, "power", "off_after", .duration(.zero...(.seconds(86_400))), .seconds(60),
      "How long the board rests after the ignition went off before it switches itself off.", example: "10m")
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
