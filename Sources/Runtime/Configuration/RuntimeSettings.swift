/// The settings that Runtime obeys, and those that several rooms above it obey: it is the lowest that they use.
package enum RuntimeSettings {
  package static let settings: [SettingEntry] =
    [
      SettingEntry(.audioOutput),
      SettingEntry(.statePath),
      SettingEntry(.runPath),
      SettingEntry(.logLevel),
      SettingEntry(.offlineSmart),
    ] + Flag.allCases.map { SettingEntry(.flag($0)) }
}

extension Setting<SoundOutput> {
  package static var audioOutput: Self {
    Setting(
      .board, "audio", "output", .soundOutput, .alsa(device: "default"),
      "Where the sound goes: an ALSA device, a WAV file, or nowhere (null at a device's pace, null:fast at once).",
      example: "alsa:hw:0,0")
  }
}

extension Setting<FilePath> {
  package static var statePath: Self {
    Setting(
      .board, "paths", "state", .path, FilePath("/var/lib/layby"),
      "The folder for what must survive a restart: queue, position, volume, library.", example: "/data/state")
  }

  package static var runPath: Self {
    Setting(
      .board, "paths", "run", .path, FilePath("/run/layby"),
      "The folder for what is needed only while the player runs: the control socket.", example: "/run/user/1000/layby")
  }
}

extension Setting<Log.Level> {
  package static var logLevel: Self {
    Setting(
      .owner, "log", "level",
      .choice(["error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug]), .info,
      "How much is written to the log.", example: "debug", isForFiles: true)
  }
}

extension Setting<Bool> {
  package static var offlineSmart: Self {
    Setting(
      .owner, "offline", "smart", .yesOrNo, false,
      "Music that you may like is fetched unasked, 1 GB at most. Nobody is told what you listen to.",
      appliesAtOnce: true)
  }
}

extension Setting<Bool> {
  package static func flag(_ flag: Flag) -> Self {
    Setting(
      .owner, "flags", flag.rawValue, .choice(["on": true, "off": false]), flag.beginsOn, flag.help, isForFiles: true)
  }
}
