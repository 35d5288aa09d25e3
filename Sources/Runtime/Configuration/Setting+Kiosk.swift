// layby.conf: a panel that anybody may touch. All of it counts with [panel] profile = kiosk.

extension Setting<Set<KioskRight>> {
  package static var kioskAllows: Self {
    Setting(
      .owner, "kiosk", "allows", .kioskRights, KioskRight.initial,
      "What people who pass by may do; all else is behind the PIN, and without one only here.")
  }
}

extension Setting<String?> {
  package static var kioskPIN: Self {
    Setting(
      .owner, "kiosk", "pin", .pin, nil,
      "What opens all of the panel to its keeper, until it is left alone; after five wrong ones it takes its time.")
  }
}

extension Setting<OpeningHours?> {
  package static var kioskHours: Self {
    Setting(
      .owner, "kiosk", "hours", .openingHours, nil,
      "When it plays; outside of that the music rests and the panel says so. Without a right clock it plays.")
  }
}

extension Setting<Int> {
  package static var kioskMaxVolume: Self {
    Setting(
      .owner, "kiosk", "max_volume", .whole(0...100, unit: "percent"), 100,
      "A kiosk never gets louder than this, nor than [sound] max_volume.")
  }
}

extension Setting<Duration> {
  package static var kioskAttractsAfter: Self {
    Setting(
      .owner, "kiosk", "attract_after", .duration(.zero...(.seconds(3_600))), .seconds(60),
      "When nobody has touched anything for so long, the panel invites whoever passes by; 0s is never.")
  }
}

extension Setting<String> {
  package static var kioskWelcome: Self {
    Setting(
      .owner, "kiosk", "welcome", .text, "",
      "With which words it does so; its own unless given.")
  }
}

extension Settings {
  package var isKiosk: Bool { self[.profile] == .kiosk }

  /// What no hand and no program goes beyond.
  package var loudest: Int { isKiosk ? min(self[.maxVolume], self[.kioskMaxVolume]) : self[.maxVolume] }

  /// Those that somebody in front of it could gain by losing.
  static let guarding: [SettingName] = [
    Setting<Int>.maxVolume.name, Setting<StartVolume>.startVolume.name, Setting<PanelProfile>.profile.name,
    Setting<Set<KioskRight>>.kioskAllows.name, Setting<String?>.kioskPIN.name, Setting<OpeningHours?>.kioskHours.name,
    Setting<Int>.kioskMaxVolume.name,
  ]

  /// What counts where the owner's file says it wrongly and nobody knows what it was before: as loud as a first start.
  static let cautious: [SettingName: String] = [
    Setting<Int>.maxVolume.name: "50", Setting<Int>.kioskMaxVolume.name: "50",
  ]
}
