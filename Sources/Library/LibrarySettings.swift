import Runtime

/// What can be set of where music lies.
package enum LibrarySettings {
  package static let settings: [SettingEntry] = [
    SettingEntry(.firstMusic),
    SettingEntry(.musicPath),
  ]
}

extension Setting<FilePath?> {
  package static var firstMusic: Self {
    Setting(
      .board, "paths", "first_music", .device("/data/music"), nil,
      "The folder whose music is played at a start as long as nothing was ever queued.")
  }

  package static var musicPath: Self {
    Setting(
      .board, "paths", "music", .device("/data/music"), nil,
      "The folder for copied music, which the library reads; with none it is the folder music in the state folder.",
      example: "/data/copied")
  }
}
