import Runtime

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
