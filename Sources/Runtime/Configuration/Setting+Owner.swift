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

extension Setting<Log.Level> {
  package static var logLevel: Self {
    Setting(
      .owner, "log", "level",
      .choice(["error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug]), .info,
      "How much is written to the log.")
  }
}
