import Runtime

/// What the settings need from the machine.
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

/// Compares a machine with what the settings need, for `layby doctor`. A value.
package struct Survey: Sendable {
  let machine: Machine
  let wishes: SurveyWishes

  package init(of machine: Machine, for wishes: SurveyWishes) {
    self.machine = machine
    self.wishes = wishes
  }

  /// The most important first.
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

extension Survey {
  /// Below this the caches of covers and the library soon fill it.
  static let littleSpace: Int64 = 500_000_000
  /// Below this not even the queue is saved with certainty.
  static let noSpace: Int64 = 1_000_000

  var stateFolder: Finding {
    let path = wishes.state.description
    func finding(_ verdict: Finding.Verdict, _ seen: String, _ advice: String? = nil) -> Finding {
      Finding("state folder", verdict, seen, advice: advice, isNeeded: true)
    }
    switch machine.state {
    case .usable: return finding(.works, "\(path) can be written")
    case .canBeMade: return finding(.works, "\(path) is not there yet and will be made")
    case .isNoFolder:
      return finding(.missing, "\(path) is not a folder", "move it away, or name another: --state FOLDER")
    case .closed(let at):
      return finding(
        .forbidden, at == path ? "\(path) cannot be written" : "\(path) cannot be made: \(at) cannot be written",
        "give it to this user: sudo install -d -o \(machine.userName) \(path); or name another: --state FOLDER")
    }
  }

  var freeSpace: Finding {
    guard let free = machine.freeBytes else {
      return Finding("free space", .limited, "how much is free for \(wishes.state) cannot be seen")
    }
    let seen = "\(Self.size(free)) free for \(wishes.state)"
    guard free < Self.littleSpace else { return Finding("free space", .works, seen) }
    return Finding(
      "free space", free < Self.noSpace ? .missing : .limited, seen,
      advice: "delete something there, or use a larger card: below \(Self.size(Self.littleSpace)) covers and library "
        + "run out of room, at nothing the queue is no longer saved")
  }

  var fonts: Finding {
    let readable = machine.fonts.filter(\.isReadable)
    let others = machine.fonts.filter { !$0.isReadable }.map(\.path)
    let advice = "install them: sudo apt install fonts-dejavu-core; or name others under [panel] in the board's file"
    if readable.isEmpty {
      return Finding("letters", .missing, "no font for the panel: \(Self.list(others))", advice: advice)
    }
    guard others.isEmpty else {
      return Finding("letters", .limited, "not there: \(Self.list(others))", advice: advice)
    }
    return Finding("letters", .works, Self.list(readable.map(\.path)))
  }
}

extension Survey {
  /// The lines that the board's file gives to knob and buttons; nil when it gives none.
  var plannedLines: Finding? {
    let plan = wishes.lines
    guard !plan.isEmpty else { return nil }
    let name = plan.hasHands ? "knob and buttons" : "lines"
    var faults: [Fault] = []
    var open: [String] = []
    for wire in plan.wires {
      do throws(Fault) {
        try check(wire)
        open.append(wire.name.description)
      } catch {
        if !faults.contains(error) { faults.append(error) }
      }
    }
    guard let worst = faults.first(where: { $0.kind == .denied }) ?? faults.first else {
      return Finding(name, .works, "lines \(Self.list(open, most: plan.wires.count))")
    }
    var seen = faults.prefix(4).map(\.message)
    if faults.count > seen.count { seen.append("and \(faults.count - seen.count) more") }
    if !open.isEmpty { seen.append("lines \(Self.list(open)) can be used") }
    let verdict: Finding.Verdict = !open.isEmpty ? .limited : worst.kind == .denied ? .forbidden : .missing
    return Finding(name, verdict, seen.joined(separator: "; "), advice: advice(for: worst))
  }

  private func check(_ wire: LinePlan.Wire) throws(Fault) {
    let place = try machine.lines.find(wire.name)
    // A player that runs has them already.
    guard let holder = machine.lines[place]?.holder, holder != LinePlan.consumer else { return }
    throw .taken(wire, by: holder)
  }

  private func advice(for fault: Fault) -> String {
    switch fault.kind {
    case .denied:
      let closed = machine.gpioChips.first { !$0.isUsable }
      return closed.map(permission) ?? "add this user to the group that may use /dev/gpiochip*"
    case .busy:
      return "another program or a driver of the kernel uses it: stop that, or wire the button to another line"
    default:
      return "compare [encoder], [buttons] and [power] in the board's file with what gpioinfo (package gpiod) shows"
    }
  }
}

extension Survey {
  var terminal: Finding {
    guard let screen = machine.screen else {
      return Finding(
        "terminal", .missing, "standard output is not a terminal",
        advice: "to see the panel and use keys as knobs, start it in a terminal")
    }
    let size = "\(screen.columns) x \(screen.rows) characters"
    guard screen.hasAllColours else {
      return Finding(
        "terminal", .limited, "\(size), 256 colours",
        advice: "if it can show 24-bit colour, say so: export COLORTERM=truecolor")
    }
    return Finding("terminal", .works, "\(size), 24-bit colour")
  }

  var framebuffer: Finding {
    guard let screen = machine.framebuffer else {
      return Finding(
        "framebuffer", .missing, "no /dev/fb0",
        advice: "a panel of its own needs a display and its driver (overlay); the terminal shows the panel too")
    }
    let seen = "\(screen.device.path): \(screen.width) x \(screen.height), \(screen.bitsPerPixel) bits a pixel"
    guard screen.device.isUsable else {
      return Finding("framebuffer", .forbidden, seen, advice: permission(for: screen.device))
    }
    guard screen.width > 0, screen.height > 0, [1, 16, 24, 32].contains(screen.bitsPerPixel) else {
      return Finding(
        "framebuffer", .limited, seen,
        advice: "set the display to 1, 16, 24 or 32 bits a pixel, for instance with fbset; 8 bits are greys at most")
    }
    return Finding("framebuffer", .works, seen)
  }

  var graphics: Finding {
    kind("graphics card", machine.graphicsCards, none: "no /dev/dri/card*", missing: nil)
  }

  var gpio: Finding {
    kind(
      "GPIO lines", machine.gpioChips, none: "no /dev/gpiochip*",
      missing: "knobs and buttons on wires need a board that has GPIO lines; elsewhere a USB knob or the keys of the "
        + "terminal do")
  }

  var inputs: Finding {
    kind(
      "input devices", machine.inputs, none: "no /dev/input/event*",
      missing: "plug in a USB knob, a remote control's receiver or a keyboard, if there shall be one")
  }

  /// Devices of one kind: all usable, some, none, or none there.
  private func kind(_ name: String, _ devices: [Machine.Device], none: String, missing: String?) -> Finding {
    guard let first = devices.first else { return Finding(name, .missing, none, advice: missing) }
    func seen(_ devices: [Machine.Device]) -> String {
      Self.list(devices.map { $0.label.isEmpty ? $0.path : "\($0.path) (\($0.label))" })
    }
    let closed = devices.filter { !$0.isUsable }
    guard let example = closed.first else { return Finding(name, .works, seen(devices)) }
    if closed.count == devices.count {
      return Finding(name, .forbidden, "this user may not use \(seen(devices))", advice: permission(for: first))
    }
    let open = devices.filter(\.isUsable)
    return Finding(
      name, .limited, "\(seen(open)); this user may not use \(seen(closed))", advice: permission(for: example))
  }
}

extension Survey {
  var sound: Finding {
    let wish: String
    switch wishes.sound {
    case .alsa(let device): return card(for: device)
    case .file(let path): wish = "the board's file sends the sound to the file \(path), not to a device"
    case .null, .nullFast: wish = "the board's file sends the sound nowhere (null)"
    }
    return needed(.missing, wish, "to hear it, write output = alsa:default under [audio] in the board's file")
  }

  private func needed(_ verdict: Finding.Verdict, _ seen: String, _ advice: String? = nil) -> Finding {
    Finding("sound", verdict, seen, advice: advice, isNeeded: true)
  }

  private func card(for device: String) -> Finding {
    let audible = machine.soundCards.filter { !$0.isSilent && !$0.outputs.isEmpty }
    guard let first = audible.first else {
      let others = machine.soundCards.map { "card \($0.number) \($0.name)" }
      let seen = others.isEmpty ? "no sound card" : "nothing that can be heard: \(Self.list(others))"
      return needed(
        .missing, seen,
        "plug in a USB sound card, or wire a DAC and name its overlay in the boot configuration; until then "
          + "output = null under [audio] plays silently in real time")
    }
    switch Self.wantedCard(in: device) {
    // A name of ALSA's own configuration; it may lead to any card.
    case nil where device != "default": return verdict(on: audible)
    case nil:
      // Without a configuration of its own, ALSA's default is card 0.
      if first.number == 0 || machine.soundCards.first?.number != 0 { return verdict(on: [first]) }
      let finding = verdict(on: [first])
      guard finding.verdict == .works else { return finding }
      return needed(
        .limited, "\(finding.seen); but ALSA's default is card 0, which cannot be heard", Self.writing(first))
    case .some(let wanted):
      guard let card = audible.first(where: { $0.id == wanted || "\($0.number)" == wanted }) else {
        let there = Self.list(audible.map { "card \($0.number) (\($0.id))" })
        return needed(.missing, "alsa:\(device) is asked for; what is there: \(there)", Self.writing(first))
      }
      return verdict(on: [card])
    }
  }

  private static func writing(_ card: Machine.SoundCard) -> String {
    "write output = alsa:hw:CARD=\(card.id) under [audio] in the board's file"
  }

  private func verdict(on cards: [Machine.SoundCard]) -> Finding {
    if let card = cards.first(where: { $0.outputs.contains { $0.isUsable } }) {
      return needed(.works, "card \(card.number) (\(card.id)): \(card.name)")
    }
    guard let card = cards.first, let output = card.outputs.first else { return needed(.missing, "no sound card") }
    return needed(
      .forbidden, "card \(card.number) (\(card.id)): \(card.name); this user may not use \(output.path)",
      permission(for: output))
  }

  /// The card that ALSA's name for a device speaks of: `hw:1,0`, `plughw:CARD=DAC,DEV=0`. Nil when it names none.
  private static func wantedCard(in device: String) -> String? {
    guard let colon = device.firstIndex(of: ":") else { return nil }
    let arguments = device[device.index(after: colon)...].split(separator: ",")
    let named = arguments.first { $0.hasPrefix("CARD=") }?.dropFirst(5) ?? arguments.first
    return named.map { String($0) }
  }
}
