import Hardware
import Playback
import Runtime

/// What a gesture means: while a question stands the knob is its, in a menu the knob goes through it, and else it is the
/// volume's. Buttons that are named for the music mean the music everywhere. Pure.
package struct Controls: Equatable, Sendable {
  package enum Meaning: Equatable, Sendable {
    case command(Player.Command)
    /// To the next chapter or track, which plays.
    case playNext
    /// Another answer of the question that stands.
    case choose(by: Int)
    /// The chosen one is the answer.
    case confirm
    case menu(MenuMove)
    case help
    case quit
  }

  package enum MenuMove: Equatable, Sendable {
    case open, close, back, press
    /// Soon after a press that was told already.
    case pressAgain
    /// What else can be done with the row.
    case more
    case turn(Int)
    /// So many rows further down, or up; of a number it is the other way round.
    case down(Int)
    case leap(Int)
    /// Spun in a long list, so many detents; a list without letters goes by so many rows.
    case spin(Int, rows: Int)
    /// To so much of the whole, from 0 to 1: of the music on the page Go to, of the letters in a list that has some.
    case slide(Double)
    /// The page on which the knob is a place in what plays.
    case goTo
    /// A page, from wherever one is.
    case at(MenuPlace)
  }

  /// Who has the knob.
  package enum Holder: Equatable, Sendable { case music, menu, question }

  /// Per cent a detent.
  package var volumeStep: Int
  package var seekStep: Duration = .seconds(10)
  /// What the music does while the board's line says that something else sounds.
  package var givesWay: GiveWay.Manner
  /// False where there is no panel to show a menu on.
  package var hasMenu: Bool
  /// The menu shows a list so long that whoever spins the knob wants to be elsewhere in it.
  package var listIsLong = false
  /// A row of the menu that is shown means something else when it is pressed twice.
  package var rowsHaveMore = false
  /// A press on the row that is looked at opens a page at once, and a second one soon after means something else.
  package var rowOpensAtOnce = false
  /// The person at the panel may skip to other tracks.
  package var maySkip = true
  /// A press of the knob has nothing else to do.
  package var pressOpensMenu = false
  /// What the board's file binds beside presses.
  package var map = GestureMap()

  package init(volumeStep: Int, givesWay: GiveWay.Manner = .duck, hasMenu: Bool = true) {
    self.volumeStep = volumeStep
    self.givesWay = givesWay
    self.hasMenu = hasMenu
  }

  /// What means something, so that nothing else is waited for.
  package func bindings(_ holder: Holder) -> Bindings {
    Bindings {
      $0.repeating = [.louder, .quieter, .up, .down, .pageUp, .pageDown]
      guard holder != .question else { return }
      map.add(to: &$0, withKnob: holder == .music)
      if hasMenu { $0.long.insert(.knob) }
      // Held it leads one step back, and held on to the music.
      if holder == .menu { $0.longAgain = [.knob] }
      if holder == .menu, rowsHaveMore { $0.double.insert(.knob) }
      if holder == .menu, rowOpensAtOnce { $0.doubleAfterPress = [.knob] }
      // The first press pauses at once; a second one shortly afterwards skips to the next track.
      if holder == .music, maySkip { $0.doubleAfterPress = [.knob] }
      $0.turned = [.knob]
    }
  }

  /// Nil when it means nothing here.
  package func meaning(of gesture: Gesture, elapsed: Duration, _ holder: Holder = .music) -> Meaning? {
    switch holder {
    case .question:
      switch gesture {
      case .turn(let steps, _): return .choose(by: steps)
      case .press(.knob): return .confirm
      case .press(let button) where button.rowsDown != nil: return button.rowsDown.map { .choose(by: $0) }
      default: break
      }
    case .menu: if let move = menuMove(gesture) { return .menu(move) }
    case .music:
      switch gesture {
      // However quickly it is turned: a detent is a step, and nobody's ears are taken by surprise.
      case .turn(let steps, _):
        return .command(.turn(by: steps.multipliedReportingOverflow(by: volumeStep).partialValue))
      case .turnPressed(.knob, let steps): return .command(.skip(by: steps))
      case .press(let button) where button.rowsDown != nil:
        return button.rowsDown.map { .command(.turn(by: -$0 * volumeStep)) }
      case .press(.knob): return pressOpensMenu && hasMenu ? .menu(.open) : .command(.toggle)
      case .long(.knob) where hasMenu, .press(.home) where hasMenu: return .menu(.open)
      default: break
      }
    }
    if let meaning = music(gesture, elapsed) { return meaning }
    guard holder != .question else { return nil }
    guard let button = map.button(for: gesture) else {
      if holder == .music, gesture == .double(.knob) || gesture == .pressAgain(.knob) { return .playNext }
      return hasMenu && (gesture == .long(.forward) || gesture == .long(.rewind)) ? .menu(.goTo) : nil
    }
    return meaning(of: .press(button), elapsed: elapsed, holder)
  }

  private func menuMove(_ gesture: Gesture) -> MenuMove? {
    switch gesture {
    case .turn(let steps, let far?) where listIsLong: .spin(steps, rows: far)
    case .turn(let steps, _): .turn(steps)
    case .turnPressed(.knob, let steps): .leap(steps)
    case .press(.knob): .press
    case .double(.knob): .more
    case .pressAgain(.knob): .pressAgain
    case .long(.knob), .press(.back): .back
    case .longAgain(.knob), .press(.home): .close
    case .press(let button): button.rowsDown.map { .down($0) }
    default: nil
    }
  }

  private func music(_ gesture: Gesture, _ elapsed: Duration) -> Meaning? {
    switch gesture {
    case .press(.play): .command(.toggle)
    case .press(.next): .command(.next)
    case .press(.previous): .command(.previous)
    case .press(.forward): .command(.seek(to: elapsed + seekStep))
    case .press(.rewind): .command(.seek(to: elapsed - seekStep))
    case .press(.louder): .command(.turn(by: volumeStep))
    case .press(.quieter): .command(.turn(by: -volumeStep))
    case .press(.mute): .command(.toggleMute)
    case .press(.help): .help
    case .other(.otherSound(let sounds)): .command(.giveWay(to: "the board", sounds ? givesWay : nil))
    case .other(.quit): .quit
    default: nil
    }
  }
}

extension Button {
  /// For those that point somewhere.
  fileprivate var rowsDown: Int? {
    switch self {
    case .up: -1
    case .down: 1
    case .pageUp: -KeyMeaning.far
    case .pageDown: KeyMeaning.far
    default: nil
    }
  }
}
