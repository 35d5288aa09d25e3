import Audio
import Runtime

extension CueSound {
  /// What a hand hears of its move in the menus; `before` and `after` are what was shown, nil while it is the music.
  package static func of(_ move: Controls.MenuMove, before: ShownMenu?, after: ShownMenu?) -> CueSound {
    switch move {
    case .open, .more, .goTo, .at: .press
    case .close, .back: .back
    // Where the hand leaps to may have to be looked up first.
    case .leap, .spin, .slide: .detent
    case .turn(let steps), .down(let steps): before == after && before?.goesOn(steps) != true ? .edge : .detent
    case .press, .pressAgain: before == after && before?.isDeadEnd == true ? .edge : .press
    }
  }

  /// And what of a question: the answers do not go round.
  package static func ofChoosing(before: Int?, after: Int?) -> CueSound { before == after ? .edge : .detent }
}

extension ShownMenu {
  /// There is more that way, which may still be on its way.
  fileprivate func goesOn(_ steps: Int) -> Bool {
    guard case .rows(_, _, let goesOn, let goesBack) = content else { return false }
    return steps > 0 ? goesOn : goesBack
  }

  /// What is looked at only says something.
  fileprivate var isDeadEnd: Bool {
    guard case .rows(let rows, let focus, _, _) = content, rows.indices.contains(focus) else { return false }
    return rows[focus].action == .none
  }
}
