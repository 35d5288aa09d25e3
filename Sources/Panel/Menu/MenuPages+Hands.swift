import Application
import Hardware
import Runtime

/// What keys and buttons mean, and how another is taught.
extension MenuPages {
  /// `settings`: may bind a double press of the knob to something else.
  func keys(_ rows: [KeyMap.Row], knob: InputLearning.Knob, settings: Settings) -> [MenuRow] {
    let all = rows.map { row in
      MenuRow(words.name(of: row.meaning), .open(.keysOf(row.meaning))) { shown in
        shown.detail = words.joined(row.keys.prefix(3).map { words.name(of: $0.name) }, by: words[.comma])
        if row.keys.count > 3 { shown.value = "\(row.keys.count)" }
      }
    }
    let none = rows.isEmpty ? [MenuRow(words[.noKeys])] : []
    let turned = knob == .none ? [] : [row(.knob, .open(.knob))]
    // A knob that turns the wrong way is no way to take that back.
    let question = Question(words.labelled(.knob, words[.forgetKey]), .forgetKnob, yes: .forgetKey)
    let forgotten = row(.forgetKey, .open(.sure(question))) { $0.detail = words[.knob] }
    // A key may stand for the knob.
    let isPressed = knob != .none || rows.contains { $0.meaning == .button(.knob) }
    let twice = GestureMap(settings).button(for: .double(.knob)) ?? .next
    let presses = [
      words.labelled(.pressKnob, words[.playOrPause]),
      words.labelled(.knobTwice, words.name(of: KeyMeaning.button(twice))), words[.holdForMenu],
      words[.holdInMenu],
    ]
    let help = isPressed ? presses.flatMap { text($0) } : []
    return turned + (knob == .learned ? [forgotten] : []) + help + all + none
  }

  func keys(of meaning: KeyMeaning, _ rows: [KeyMap.Row]) -> [MenuRow] {
    let keys = rows.first { $0.meaning == meaning }?.keys ?? []
    return [row(.teachKey, .open(.learning(meaning)))]
      + keys.map { key in
        MenuRow(words.name(of: key.name), .open(.key(key.name, meaning))) {
          if key.from == .learned { $0.sign = .current }
        }
      }
  }

  func key(_ name: KeyName, _ meaning: KeyMeaning, _ rows: [KeyMap.Row]) -> [MenuRow] {
    let isLearned = rows.contains { $0.keys.contains { $0.name == name && $0.from == .learned } }
    var all: [MenuRow] = []
    if isLearned { all.append(row(.forgetKey, .perform(.forgetKey(name)))) }
    if meaning != .nothing { all.append(row(.unbindKey, .perform(.unbind(name)))) }
    return all + [row(.back, .back)]
  }
}

extension PanelWords {
  func name(of meaning: KeyMeaning) -> String { self[Self.word(for: meaning)] }

  private static func word(for meaning: KeyMeaning) -> Word {
    switch meaning {
    case .nothing: .empty
    case .turn(let steps):
      switch steps {
      case 1...: steps > 1 ? .turnFarRight : .turnRight
      default: steps < -1 ? .turnFarLeft : .turnLeft
      }
    case .button(let button):
      switch button {
      case .knob: .pressKnob
      case .play: .playOrPause
      case .next: .nextTrack
      case .previous: .previousTrack
      case .forward: .forward
      case .rewind: .rewind
      case .up: .rowUp
      case .down: .rowDown
      case .pageUp: .pageUp
      case .pageDown: .pageDown
      case .back: .back
      case .home: .menu
      case .louder: .louder
      case .quieter: .quieter
      case .mute: .mute
      case .help: .help
      case .power: .power
      }
    }
  }
}
