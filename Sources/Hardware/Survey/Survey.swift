import Runtime

/// What the settings ask of the machine.
package struct SurveyWishes: Sendable {
  package var sound: SoundOutput
  package var fonts: [FilePath]
  package var state: FilePath
  package var lines: LinePlan
  /// Files that hold a PIN or a password, or may.
  package var secrets: [FilePath]

  package init(
    sound: SoundOutput, fonts: [FilePath], state: FilePath, lines: LinePlan = LinePlan(), secrets: [FilePath] = []
  ) {
    self.sound = sound
    self.fonts = fonts
    self.state = state
    self.lines = lines
    self.secrets = secrets
  }

  package init(_ settings: Settings) {
    self.init(
      sound: settings[.audioOutput], fonts: settings[.panelFont] + settings[.panelBoldFont],
      state: settings[.statePath], lines: LinePlan(settings))
  }
}

/// Judges a machine by what is wished of it: a value from values. Each group of findings has a file of its own.
package struct Survey: Sendable {
  let machine: Machine
  let wishes: SurveyWishes

  package init(of machine: Machine, for wishes: SurveyWishes) {
    self.machine = machine
    self.wishes = wishes
  }

  /// Most needed first.
  package var findings: [Finding] {
    [
      sound, stateFolder, freeSpace, secrets, realTime, memory, fonts, terminal, framebuffer, graphics, gpio,
      plannedLines, inputs, power, watchdog, date, wireless, network, service,
    ].compactMap { $0 }
  }

  /// Music can be played and heard.
  package var isHeard: Bool { !findings.contains { $0.stopsTheMusic } }

  /// How a user who may not use `device` comes to be allowed to.
  func permission(for device: Machine.Device) -> String {
    if let group = device.openTo {
      return "add this user to the group \(group): sudo usermod -aG \(group) \(machine.userName), then log in again"
    }
    return "only root may use it: give \(device.path) to a group by a udev rule, or start Layby by its service"
  }

  /// "3 gigabytes" as people say it: 3.2 GB, 480 MB.
  static func size(_ bytes: Int64) -> String {
    let megabytes = bytes / 1_000_000
    return megabytes < 1000 ? "\(megabytes) MB" : "\(megabytes / 1000).\(megabytes % 1000 / 100) GB"
  }

  static func list(_ words: [String], most: Int = 4) -> String {
    let shown = words.prefix(most).joined(separator: ", ")
    return words.count > most ? "\(shown) and \(words.count - most) more" : shown
  }

  static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
}
