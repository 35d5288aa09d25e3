import Runtime

/// Buttons that are looked at while the program starts, before anything that was saved is read. Their lines are opened for
/// that alone.
package struct HeldButtons {
  private let lines: [any OpenedLines]

  /// Gives nil when the plan names no line for one of the buttons, or the line cannot be opened.
  package init?(_ buttons: [Button], _ plan: LinePlan, _ source: any LineSource) {
    let directory = source.directory()
    var lines: [any OpenedLines] = []
    for button in buttons {
      guard let wire = plan.wires.first(where: { $0.role == .button(button) }) else { return nil }
      do throws(Fault) {
        let place = try directory.find(wire.name)
        lines.append(
          try source.open(
            LineWish(
              chip: place.chip, offsets: [place.offset], debounce: [.zero], bias: plan.bias, activeLow: plan.activeLow)
          ))
      } catch { return nil }  // it is told when the line is opened for good
    }
    self.lines = lines
  }

  package var areDown: Bool {
    !lines.isEmpty
      && lines.allSatisfy { line in
        do throws(Fault) { return try line.levels().allSatisfy(\.self) } catch { return false }
      }
  }

  /// Whether they stay down all the time, which is looked at this often. `pause` waits for so long.
  package func stayDown(for time: Duration, looking each: Duration, _ pause: (Duration) -> Void) -> Bool {
    guard areDown else { return false }
    var waited = Duration.zero
    while waited < time {
      pause(each)
      waited += each
      guard areDown else { return false }
    }
    return true
  }
}

extension SettingType<[Button]> {
  static var heldButtons: Self {
    SettingType(
      expected: "two or three buttons such as back, mute, or none", choices: ["none"],
      form: ["type": "names", "maximum": 3],
      parse: { text in
        if text == "none" { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        let buttons = names.compactMap { Button(rawValue: String(trimmed($0))) }
        return buttons.count == names.count && 2...3 ~= Set(buttons).count ? buttons : nil
      },
      format: { $0.isEmpty ? "none" : $0.map(\.name).joined(separator: ", ") })
  }
}

extension Setting<[Button]> {
  package static var eraseButtons: Self {
    Setting(
      .board, "board", "erase_buttons", .heldButtons, [],
      "Buttons on lines that erase all but the music when they are held together for ten seconds while the board starts.",
      example: "back, mute")
  }
}
