import Runtime

/// What can be set of the sound device, and of how music sounds.
package enum AudioSettings {
  package static let settings: [SettingEntry] = [
    SettingEntry(.audioBuffer),
    SettingEntry(.audioMixer),
    SettingEntry(.equaliser),
    SettingEntry(.normaliser),
    SettingEntry(.normaliserPreamp),
  ]
}

extension Setting<Duration> {
  package static var audioBuffer: Self {
    Setting(
      .board, "audio", "buffer", .duration(.milliseconds(40)...(.seconds(2))), .seconds(2),
      "How much sound the device holds in advance. One that cannot be rewound holds 150 ms at most.",
      example: "500ms")
  }
}

extension Setting<MixerChoice> {
  package static var audioMixer: Self {
    Setting(
      .board, "audio", "mixer", .mixer, .auto,
      "The sound card's own volume control: its name, auto for the likeliest that says its decibels, or none.",
      example: "Master")
  }
}

extension Setting<String> {
  package static var equaliser: Self {
    Setting(
      .owner, "sound", "equaliser", .text, "off",
      "A preset (layby equaliser lists them), or bands: frequency, decibels, and width as /Q; off changes no bit.",
      example: "60:+3 8000:-2", appliesAtOnce: true, hasRowElsewhere: true)
  }
}

extension Setting<NormaliserMode> {
  package static var normaliser: Self {
    Setting(
      .owner, "sound", "normaliser",
      .choice(["off": .off, "track": .track, "album": .album, "automatic": .automatic]), .off,
      "Makes all music equally loud. Automatic goes by albums where one is played as a whole.",
      appliesAtOnce: true, hasRowElsewhere: true)
  }
}

extension Setting<Int> {
  package static var normaliserPreamp: Self {
    Setting(
      .owner, "sound", "normaliser_preamp", .whole(NormaliserMode.preamps, unit: "dB"), 0,
      "How much louder or softer than -18 LUFS the normaliser makes all music; above 0 the limiter has more to do.",
      example: "-3", appliesAtOnce: true)
  }
}
