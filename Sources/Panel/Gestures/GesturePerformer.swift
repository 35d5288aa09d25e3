import Application
import Hardware
import Playback
import Runtime

/// Does what gestures mean: a move in the menu, an answer to a question, or something with the music. Both a person's
/// gestures and those that the control socket asks for come here, and a kiosk's rights judge both.
@MainLoop
package final class GesturePerformer: PanelPort {
  private let panel: PanelPart?
  private let application: Application
  private let questions: QuestionBoard
  private let kiosk: Kiosk?
  private let speech: SpeechDesk?
  private let program: any ProgramStopping
  private let map: GestureMap
  private let log = Log("hands")
  /// Somebody in front of the panel writes in the menu. False when the control socket does.
  private var isWrittenByHand = false

  /// Without `panel` gestures mean the music, or a question.
  package init(
    _ panel: PanelPart?, _ application: Application, _ questions: QuestionBoard, kiosk: Kiosk?, speech: SpeechDesk?,
    _ program: any ProgramStopping
  ) {
    (self.panel, self.application, self.questions) = (panel, application, questions)
    (self.kiosk, self.speech, self.program) = (kiosk, speech, program)
    map = GestureMap(application.preferences.settings)
  }

  // MARK: From afar

  package func turn(by steps: Int) async throws(Fault) { try await perform(.turn(steps), isRemote: true) }

  package func press(_ button: String) async throws(Fault) {
    #if DEBUG
      // For the tests of the watchdogs: a main loop that never comes back.
      if button == "hang" { while true {} }
    #endif
    guard let gesture = Gesture(words: button) else {
      let names = Button.allCases.map(\.name).joined(separator: ", ")
      throw Fault(
        .malformed, "X-133",
        "there is no button \"\(shownPlain(button))\"; there are \(names), and long and double before each")
    }
    try await perform(gesture, isRemote: true)
  }

  /// Refused while somebody in front of the panel writes a PIN or a password.
  package func picture() throws(Fault) -> PanelPicture {
    guard let panel else { throw Fault(.missing, "N-101", "there is no panel: its letters could not be opened") }
    if isWrittenByHand && writesSecret {
      throw Fault(.busy, "N-128", "a PIN or a password is being written at the panel; what it shows is told afterwards")
    }
    let (png, words) = try panel.picture()
    return PanelPicture(png: png, words: words)
  }

  private var writesSecret: Bool {
    guard case .wheel(let wheel)? = panel?.menu?.shown?.content else { return false }
    return wheel.writing?.isSecret == true
  }

  // MARK: By hand

  /// What means something now, so that the meaning of a press is known as early as it can be.
  package var bindings: Bindings { controls.bindings(holder) }

  /// A remote gesture that only wakes the kiosk's panel means nothing else. Of a person's gesture that is known before.
  package func perform(_ gesture: Gesture, isRemote: Bool = false) async throws(Fault) {
    if isRemote, kiosk?.touch() == true { return }
    if case .other(.touch(let touch)) = gesture {
      for meaning in panel?.meanings(of: touch) ?? [] { try await perform(meaning, isRemote) }
      return
    }
    var controls = controls
    if case .turn(_, .some) = gesture { controls.listIsLong = panel?.menu?.shown?.isLong ?? false }
    let elapsed = application.playing.status.place.elapsed
    guard let meaning = controls.meaning(of: gesture, elapsed: elapsed, holder) else {
      speech?.touch()
      return log.debug("a gesture without a meaning here")
    }
    try await perform(meaning, isRemote)
  }

  private var controls: Controls {
    let settings = application.preferences.settings
    var controls = Controls(
      volumeStep: settings[.volumeStep], givesWay: settings[.givesWayByPausing] ? .pause : .duck,
      hasMenu: panel?.menu != nil)
    controls.map = map
    controls.rowsHaveMore = panel?.menu?.rowsHaveMore ?? false
    controls.rowOpensAtOnce = panel?.menu?.rowOpensAtOnce ?? false
    // Who may not pause finds the menu by a press.
    controls.pressOpensMenu = kiosk?.rights.allows(Player.Command.toggle) == false
    controls.maySkip = kiosk?.rights.allows(Controls.Meaning.playNext) ?? true
    return controls
  }

  private var holder: Controls.Holder {
    guard let panel else { return questions.current == nil ? .music : .question }
    return switch panel.front {
    case .question: .question
    case .menu: .menu
    case .music, .invitation: .music
    }
  }

  private func perform(_ meaning: Controls.Meaning, _ isRemote: Bool) async throws(Fault) {
    if let kiosk, !kiosk.rights.allows(meaning) { return log.debug("not allowed to passers-by") }
    speech?.touch()
    switch meaning {
    case .command(let command):
      if command == .toggle || command == .play, try await doOffered(isRemote) { return }
      try await perform(command, isRemote)
    case .playNext:
      if try await doOffered(isRemote) { return }
      try await step(by: 1)
      // The first of both presses has paused what played.
      if application.playing.status.wish != .playing { try await perform(.play, isRemote) }
    case .choose(let steps):
      let chosen = questions.current?.chosen
      questions.turn(by: steps)
      speech?.cue(.ofChoosing(before: chosen, after: questions.current?.chosen))
    case .confirm:
      questions.press()
      speech?.cue(.press)
    case .menu(let move):
      let shown = panel?.menu?.shown
      // What a hand has begun stays its own, whoever turns along.
      if !isRemote || !writesSecret { isWrittenByHand = !isRemote }
      panel?.menu?.move(move)
      speech?.cue(.of(move, before: shown, after: panel?.menu?.shown))
      // The next picture that is asked for shows what came of it.
      if isRemote { await panel?.menu?.settled() }
    case .help: panel?.showHelp(DeskKeys.brief)
    case .quit: program.wantStop(because: "the desk asked for it")
    }
  }

  private func perform(_ command: Player.Command, _ isRemote: Bool) async throws(Fault) {
    let playing = application.playing
    switch command {
    case .next: try await step(by: 1)
    case .skip(let steps): try await step(by: steps)
    case .previous: try await playing.stepBack()
    default: try await playing.perform(isRemote ? command.fromAfar : command)
    }
  }

  /// By chapters or tracks. A hand that would go beyond the last one feels the end, and the music goes on.
  private func step(by steps: Int) async throws(Fault) {
    guard try await !application.playing.step(by: steps), steps > 0, !application.playing.queue.isEmpty else { return }
    speech?.cue(.edge)
    panel?.sayLast()
  }

  /// A press on play with an empty queue does what the panel offers: plays the library, or opens a page. False if it
  /// offers nothing.
  private func doOffered(_ isRemote: Bool) async throws(Fault) -> Bool {
    guard application.playing.queue.isEmpty else { return false }
    switch panel?.offered {
    case .playLibrary: try await application.playing.play(.tracks(.music))
    case .open(let place):
      panel?.menu?.move(PanelState.Action.move(to: place))
      if isRemote { await panel?.menu?.settled() }
    case nil: return false
    }
    return true
  }
}
