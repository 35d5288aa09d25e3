import Runtime

/// What can be set of how loud the music is, and of how it goes on.
package enum PlaybackSettings {
  package static let settings: [SettingEntry] = [
    SettingEntry(.startVolume),
    SettingEntry(.maxVolume),
    SettingEntry(.readyCue),
    SettingEntry(.crossfade),
    SettingEntry(.crossfadeInAlbums),
    SettingEntry(.resume),
    SettingEntry(.previousRestartsAfter),
    SettingEntry(.unplayableLimit),
    SettingEntry(.bookmarksAfter),
  ]
}

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
}

extension Setting<Bool> {
  package static var readyCue: Self {
    Setting(
      .owner, "sound", "ready_cue", .yesOrNo, false,
      "Whether a short sound tells after a start that music can be played now.")
  }
}

extension Setting<Duration> {
  package static var crossfade: Self {
    Setting(
      .owner, "sound", "crossfade", .duration(.zero...(.seconds(12))), .zero,
      "How long one track fades into the next; never inside an album that is played in its order.", example: "5s",
      appliesAtOnce: true, hasRowElsewhere: true)
  }
}

extension Setting<Bool> {
  package static var crossfadeInAlbums: Self {
    Setting(
      .owner, "sound", "crossfade_in_albums", .yesOrNo, false, "Whether tracks of one album fade into each other too.",
      appliesAtOnce: true)
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

extension Setting<Int> {
  package static var unplayableLimit: Self {
    Setting(
      .owner, "playback", "unplayable_limit", .whole(1...100, unit: "tracks"), 5,
      "How many unplayable tracks in a row are skipped before the music stops and says why.", example: "10",
      isForFiles: true)
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
