import Runtime

/// What can be set of music that is fetched: from where, how much of it, and what that may cost.
package enum OfflineSettings {
  package static let settings: [SettingEntry] = [
    SettingEntry(.mediaPath),
    SettingEntry(.mediaVolumes),
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
    SettingEntry(.offlineSmartOnWired),
    SettingEntry(.sourceURL(SourceSection.example)),
    SettingEntry(.sourceKind(SourceSection.example)),
    SettingEntry(.sourcePin(SourceSection.example)),
    SettingEntry(.sourceBackupPin(SourceSection.example)),
    SettingEntry(.sourceTrust(SourceSection.example)),
  ]
}

extension Setting<FilePath?> {
  package static var mediaPath: Self {
    Setting(
      .board, "paths", "media", .device("/data/media"), nil,
      "The folder for fetched music, which the library reads; with none it is the folder media in the state folder.")
  }
}

extension Setting<[NamedFolder]> {
  package static var mediaVolumes: Self {
    Setting(
      .board, "paths", "volumes", .namedFolders, [],
      "Other disks to which layby offline move can bring all fetched music, each with a name and a folder that exists.",
      example: "ssd:/data/ssd/music")
  }
}

extension Setting<String?> {
  package static var probe: Self {
    Setting(
      .owner, "network", "probe", .address("http://probe.example/check"), nil,
      "The address that tells whether there is internet or only a login page; with none, every network counts.",
      isForFiles: true)
  }
}

extension Setting<String> {
  package static var probeAnswer: Self {
    Setting(
      .owner, "network", "probe_answer", .text, "204",
      "What the probe answers when the internet is there: a status such as 204, or the text with which it begins.",
      example: "success", isForFiles: true)
  }
}

extension Setting<Int> {
  package static var offlineLimit: Self {
    Setting(
      .owner, "offline", "limit", .whole(1...100_000, unit: "GB"), 10, "How much music is kept on the device at most.",
      example: "32")
  }

  package static var offlineReserve: Self {
    Setting(
      .owner, "offline", "reserve", .whole(50...1_000_000, unit: "MB"), 500,
      "How much of the disk stays free whatever is fetched.", example: "2000")
  }
}

extension Setting<String> {
  private static let qualities: KeyValuePairs = [
    "auto": "auto", "low": "low", "normal": "normal", "high": "high", "very-high": "very-high", "lossless": "lossless",
  ]

  package static var offlineQuality: Self {
    Setting(
      .owner, "offline", "quality", .choice(qualities), "lossless",
      "The quality of fetched music, unless a download names another: the best that the source has up to this.",
      example: "high")
  }

  package static var streamQuality: Self {
    Setting(
      .owner, "offline", "stream_quality", .choice(qualities), "auto",
      "The quality of music that is played while it loads; auto is as good as the network and the battery allow.",
      example: "normal")
  }
}

extension Setting<Int> {
  package static var offlineAtOnce: Self {
    Setting(
      .owner, "offline", "at_once", .whole(1...8, unit: "files"), 3, "How many files are fetched at once.", example: "1"
    )
  }

  package static var offlineBandwidth: Self {
    Setting(
      .owner, "offline", "bandwidth", .whole(0...1_000_000, unit: "KB a second"), 0,
      "How much of the line all downloads together may use; 0 is as much as there is.", example: "500")
  }
}

extension Setting<String?> {
  package static var offlineProxy: Self {
    Setting(
      .owner, "offline", "proxy",
      .address("http://proxy.example:3128", by: ["http", "https", "socks5h", "socks5"]), nil,
      "The proxy through which everything is fetched, the probe too; with none, every server is asked directly.",
      isForFiles: true)
  }
}

extension Setting<[String]> {
  package static var offlineDirect: Self {
    Setting(
      .owner, "offline", "direct", .names(longest: 253), [],
      "Hosts that are asked without the proxy, and all hosts below them: those in the local network.",
      example: "nas.example, 192.168.1.10", isForFiles: true)
  }
}

extension Setting<Bool> {
  package static var offlineOnMetered: Self {
    Setting(
      .owner, "offline", "on_metered", .yesOrNo, false,
      "Whether music is fetched over networks whose traffic costs money.")
  }

  package static var streamOnMetered: Self {
    Setting(
      .owner, "offline", "stream_on_metered", .yesOrNo, true,
      "Whether music that is not on the device is played where traffic costs money, loaded a minute ahead at most."
    )
  }

  package static var offlineNeedsInternet: Self {
    Setting(
      .owner, "offline", "needs_internet", .yesOrNo, true,
      "Whether downloads wait for the internet; no is for sources that are all in the local network.", isForFiles: true)
  }
}

extension Setting<DayHours?> {
  package static var offlineHours: Self {
    Setting(
      .owner, "offline", "hours", .dayHours, nil, "The time of day in which music is fetched; any is always.",
      example: "1:00-6:00")
  }
}

extension Setting<Duration> {
  package static var offlineSettling: Self {
    Setting(
      .owner, "offline", "settling", .duration(.zero...(.seconds(600))), .seconds(30),
      "When the network is back, downloads wait for a random time up to this, since all other devices have it back too.",
      example: "2m", isForFiles: true)
  }
}

extension Setting<Bool> {
  package static var offlineSmartOnWired: Self {
    Setting(
      .owner, "offline", "smart_on_wired", .yesOrNo, false,
      "Whether such music also comes over a wired network, not only over Wi-Fi; a telephone on a cable counts as wired.",
      appliesAtOnce: true)
  }
}

extension Setting<String?> {
  package static func sourceURL(_ name: String) -> Self {
    Setting(
      .owner, SourceSection.section(of: name), "url", .address("https://server.example/music/"), nil,
      "The address of the source; without it the section counts for nothing.")
  }
}

extension Setting<SourceKind> {
  package static func sourceKind(_ name: String) -> Self {
    Setting(
      .owner, SourceSection.section(of: name), "kind", .choice(["directory": .directory, "depot": .depot]), .directory,
      "What the source is: a web server's folder with an index in it, or a depot that somebody signs in to.")
  }
}

extension Setting<String?> {
  package static func sourcePin(_ name: String) -> Self {
    Setting(
      .owner, SourceSection.section(of: name), "pin", .keySum, nil,
      "The SHA-256 sum of the public key that the server must have, in addition to a valid certificate.",
      example: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
  }

  package static func sourceBackupPin(_ name: String) -> Self {
    Setting(
      .owner, SourceSection.section(of: name), "backup_pin", .keySum, nil,
      "The sum of a second key, which the server uses if it loses the first. A pin needs a backup_pin.",
      example: "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
  }
}

extension Setting<String?> {
  package static func sourceTrust(_ name: String) -> Self {
    Setting(
      .owner, SourceSection.section(of: name), "trust", .publicKey, nil,
      "The root key of a source whose music is sealed, as its depot prints it: it vouches for the source's licences.",
      example: "oh5fZ6wWs1w5DCZsCTyMT4SMFgSYhAEQmSI3NYlyPls=")
  }
}

/// What answers at the address.
package enum SourceKind: Equatable, Sendable {
  /// A folder of any web server, with the index that `layby index` writes.
  case directory
  /// A depot that answers: depot serve.
  case depot
}

extension Settings {
  /// The names of all sources that have an address.
  package var sources: [String] {
    sourceSections.filter { self[.sourceURL($0)] != nil }
  }
}
