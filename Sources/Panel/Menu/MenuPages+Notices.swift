import Runtime

/// What people are told: the list of it, and all that is to be known of one.
extension MenuPages {
  /// What is told of time: how old something is, and the time of day where the clock is right.
  struct Clock {
    var now: Moment
    var timeOfDay: TimeOfDay?
  }

  /// In letters: as much as the panel shows in two or three lines of a list, whose letters are larger than those of a text.
  private var longestLine: Int { min(80, max(52, manner.screen.textColumns / 2)) }

  /// Of a long one the beginning. States that hold come first, and lead to what there is to know of them.
  func notices(_ told: [NoticeBoard.Told], _ states: [PanelState] = [], at clock: Clock) -> [MenuRow] {
    let held = states.filter { $0.isWarning || $0.isQuiet }
    let holding = held.map { state in MenuRow(state.title, .open(.state(state.kind))) }
    let rows = told.filter { one in !held.contains { NoticeWords.says($0, one.notice) } }.map { one -> MenuRow in
      // What has several lines stands in one here.
      let said = words.said(one.notice).split(whereSeparator: \.isNewline).joined(separator: " ")
      let title = said.count > longestLine ? "\(beginning(of: said)) …" : said
      return MenuRow(title, .open(.notice(one.notice))) {
        $0.detail = when(one, clock)
        $0.value = times(one)
      }
    }
    let canBeCleared = told.contains { !$0.stands }
    return holding + rows + (canBeCleared ? [row(.clearNotices, .perform(.clearNotices)) { $0.isBeside = true }] : [])
  }

  /// All that it says, what can be done about it, when it was, and what whoever helps wants to hear.
  func notice(_ notice: Notice, _ told: NoticeBoard.Told?, at clock: Clock) -> [MenuRow] {
    let said = words.said(notice)
    let way = NoticeWords.place(behind: notice).map { MenuRow($0.title(words), .open($0)) }
    // No larger than what it says, and quieter.
    let time = told.map { one in
      MenuRow(when(one, clock)) { ($0.value, $0.isText, $0.isDim) = (times(one), true, true) }
    }
    // In English a path was shortened; in another language the code says the rest.
    let isSaid = said == notice.message || !words.isEnglish
    let raw = isSaid ? notice.code : "\(notice.code): \(notice.message)"
    // The code is for whoever helps, and news is no trouble that needs help.
    return text(said) + [way, time].compactMap(\.self) + (notice.isProblem ? text(raw) : [])
  }

  /// What happened, what happens now, what can be done and may help, and what whoever helps wants to hear.
  func state(_ state: PanelState) -> [MenuRow] {
    let action: MenuRow? =
      switch state.action {
      case .open(let place): MenuRow(state.offer, .open(place))
      case .playLibrary, nil: nil
      }
    let texts = [state.help, state.raw].compactMap(\.self)
    return state.sentences.flatMap { text($0) } + [action].compactMap(\.self) + texts.flatMap { text($0) }
  }

  /// A text in as many rows as it needs.
  func text(_ text: String) -> [MenuRow] {
    TextPieces.of(text, longest: manner.screen.textColumns).map { piece in MenuRow(piece) { $0.isText = true } }
  }

  private func beginning(of text: String) -> String {
    TextPieces.of(text, longest: longestLine).first ?? ""
  }

  private func when(_ told: NoticeBoard.Told, _ clock: Clock) -> String {
    words.ago(clock.now - told.at, at: clock.timeOfDay)
  }

  private func times(_ told: NoticeBoard.Told) -> String { told.times > 1 ? "\(told.times)\u{D7}" : "" }
}
