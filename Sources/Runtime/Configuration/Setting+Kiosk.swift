// layby.conf: a panel that anybody may touch. All of it counts with [panel] profile = kiosk.

extension Setting<Set<KioskRight>> {
  package static var kioskAllows: Self {
    Setting(
      .owner, "kiosk", "allows", .kioskRights, KioskRight.initial,
      "What strangers may do on the panel; enqueue adds to the queue, play changes what plays. All else needs the PIN.",
      example: "library, search, enqueue", guards: true, appliesAtOnce: true)
  }
}

extension Setting<String?> {
  package static var kioskPIN: Self {
    Setting(
      .owner, "kiosk", "pin", .pin, nil,
      "The number that opens the whole panel until it is left alone; with none, nothing does. Five wrong ones make it wait.",
      example: "2580", guards: true, appliesAtOnce: true)
  }
}

extension Setting<OpeningHours?> {
  package static var kioskHours: Self {
    Setting(
      .owner, "kiosk", "hours", .openingHours, nil,
      "When the kiosk plays; at other times the music rests and the panel says so. Without a right clock it plays.",
      example: "Mon-Fri 9:00-18:00, Sat 10:00-14:00", guards: true, appliesAtOnce: true)
  }
}

extension Setting<Int> {
  package static var kioskMaxVolume: Self {
    Setting(
      .owner, "kiosk", "max_volume", .whole(0...100, unit: "percent"), 100,
      "A kiosk never gets louder than this, nor than [sound] max_volume.", example: "60", guards: true, cautious: 50,
      appliesAtOnce: true)
  }
}

extension Setting<Duration> {
  package static var kioskAttractsAfter: Self {
    Setting(
      .owner, "kiosk", "attract_after", .duration(.zero...(.seconds(3_600))), .seconds(60),
      "The panel invites passers-by when nobody has touched anything for this long; 0s is never.", example: "5m",
      appliesAtOnce: true)
  }
}

extension Setting<String> {
  package static var kioskWelcome: Self {
    Setting(
      .owner, "kiosk", "welcome", .text, "",
      "The words with which the panel invites passers-by; when they are empty, it has its own.",
      example: "Choose the next song!", appliesAtOnce: true)
  }
}

extension Settings {
  package var isKiosk: Bool { self[.profile] == .kiosk }

  /// What no hand and no program goes beyond.
  package var loudest: Int { isKiosk ? min(self[.maxVolume], self[.kioskMaxVolume]) : self[.maxVolume] }
}
