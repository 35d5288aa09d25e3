import Application
import Hardware
import Library
import Offline
import Playback
import Runtime

/// Answers the verbs of the control socket: each is handed to the use case that performs it, and the result is written
/// as JSON. It lives on the main loop.
@MainLoop
package final class PlayerService: ControlService {
  let application: Application
  private let panel: any PanelPort
  private let questions: QuestionBoard
  var keeping: Keeping { application.keeping }
  var playing: Playing { application.playing }

  package init(
    _ application: Application, panel: any PanelPort, questions: QuestionBoard = QuestionBoard()
  ) {
    (self.application, self.panel, self.questions) = (application, panel, questions)
  }

  package func answer(_ request: Request) async -> JSON {
    do throws(Fault) {
      return try await perform(request)
    } catch {
      return Response.refused(error)
    }
  }

  package func follow(_ events: Mailbox<JSON>) {
    let box = Mailbox<PlayerEvent>(limit: 256)
    playing.follow(box)
    let downloads = Mailbox<OfflineEvent>(limit: 256)
    keeping.follow(downloads)
    events.whenClosed {
      box.close()
      downloads.close()
    }
    questions.follow(events)
    MainLoop.start { while let event = await box.receive() { events.send(event.json) } }
    MainLoop.start {
      while let event = await downloads.receive() {
        if let json = event.json(at: MainLoop.loop.now) { events.send(json) }
      }
    }
  }

  private func perform(_ request: Request) async throws(Fault) -> JSON {
    guard let verb = Verb.named(request.verb) else { throw Verb.unknown(request.verb, code: "X-131") }
    guard let name = VerbName(rawValue: verb.name) else { throw Self.notHere(verb) }
    let arguments = request.arguments
    try verb.check(arguments)
    let text = arguments.first.flatMap(\.word)
    switch name {
    case .play: return await done(.play)
    case .pause: return await done(.pause)
    case .toggle: return await done(.toggle)
    case .stop: return await done(.stop)
    case .next: return await done(arguments.isEmpty ? .next : .skip(by: try steps(arguments, verb)))
    case .previous: return await done(arguments.isEmpty ? .previous : .skip(by: -(try steps(arguments, verb))))
    case .seek where text == "chapter": return await done(.seek(to: try chapter(arguments, verb)))
    case .chapters: return Response.done([("chapters", chaptersJSON), ("status", playing.status.json)])
    case .seek:
      guard let text, let target = SeekTarget(text) else { throw verb.wrong("\"\(text ?? "")\" is no time") }
      switch target {
      case .to(let place): return await done(.seek(to: place))
      case .by(let way): return await done(.seek(to: playing.status.place.elapsed + way))
      }
    case .volume:
      guard let text else { return told }
      guard let target = VolumeTarget(text) else { throw verb.wrong("\"\(text)\" is no volume") }
      return await done(.setVolume(target.percent(from: playing.status.volume)))
    case .mute:
      if arguments.isEmpty { return await done(.toggleMute) }
      return await done(.mute(try isOn(text, verb)))
    case .shuffle where arguments.isEmpty, .sleep where arguments.isEmpty, .repeat where arguments.isEmpty:
      return told
    case .shuffle: return await done(.shuffle(try isOn(text, verb)))
    case .sleep: return await done(.sleep(try sleep(text, verb)))
    case .equaliser: return try equaliser(arguments, verb)
    case .normaliser: return try normaliser(arguments, verb)
    case .crossfade: return try crossfade(arguments, verb)
    case .giveway: return try await giveWay(arguments, verb)
    case .turn:
      guard let text, let steps = Int(text), (-1_000...1_000).contains(steps) else {
        throw verb.wrong("\"\(text ?? "")\" is no turn")
      }
      try await panel.turn(by: steps)
      return Response.done([("status", playing.status.json)])
    case .press:
      let words = arguments.compactMap(\.word)
      guard !words.isEmpty, words.count == arguments.count else { throw verb.wrong("no button was named") }
      try await panel.press(words.joined(separator: " "))
      return Response.done([("status", playing.status.json)])
    case .repeat:
      guard let text, let mode = PlayQueue.Repeat(rawValue: text) else {
        throw verb.wrong("\"\(text ?? "")\" is no way to repeat")
      }
      return await done(.repeats(mode))
    case .queue: return try await queue(arguments, verb)
    case .playnext:
      let named = try paths(arguments, verb)
      return added(await playing.playNext(named.paths), refused: named.refused)
    case .remove: return await done(.remove(try entry(arguments.first, arguments.count == 1, verb)))
    case .move: return try await move(arguments, verb)
    case .history:
      if text == "all" { return try await wholeHistory(Array(arguments.dropFirst()), verb) }
      return try await history(arguments, verb)
    case .bookmarks: return try await bookmarks(arguments, verb)
    case .status:
      let health = application.health
      return Response.done([
        ("status", playing.status.json), ("board", JSON(health.boardName)), ("network", health.networkJSON),
        ("power", health.powerJSON),
      ])
    case .screen:
      let picture = try panel.picture()
      return Response.done([("png", JSON(Base64.encode(picture.png))), ("words", JSON(picture.words))])
    case .health:
      let health = application.health
      return Response.done([
        ("health", health.partsJSON), ("saving", health.savingJSON),
        ("offline", await KeepingVerbs(keeping: keeping).health()), ("flags", health.flags.json),
        ("power", health.powerJSON),
      ])
    case .erase:
      guard let extent = text.flatMap({ EraseExtent(rawValue: $0) }) else {
        throw verb.wrong("it does not say how much goes")
      }
      try await application.preferences.erase(extent)
      return Response.done([("erased", JSON(extent.rawValue))])
    case .wifi: return try await wifi(arguments, verb)
    case .sticks:
      let (there, refused) = (application.sticks?.there ?? [], application.sticks?.refused ?? [])
      return Response.done([("sticks", .list(there.map(\.json))), ("refused", .list(refused.map(\.json)))])
    case .questions: return Response.done([("questions", .list(questions.asked.map(\.json)))])
    case .answer: return try answerQuestion(arguments, verb)
    case .log: return Response.done([("lines", .list(LogBook.shared.lines.map { JSON($0) }))])
    case .search: return try await browsingVerbs.search(arguments, verb)
    case .letters: return try await browsingVerbs.letters(arguments, verb)
    case .browse: return try await browsingVerbs.browse(arguments, verb)
    case .import: return try await libraryVerbs.startImport(arguments, verb)
    case .copy: return try await libraryVerbs.copy(arguments, verb)
    case .library: return try await libraryVerbs.survey(arguments, verb)
    case .playlist:
      guard let playlists = application.playlists, let browsing = application.browsing else { throw .noLibrary }
      let verbs = PlaylistVerbs(playlists: playlists, playing: playing, browsing: browsing)
      return try await verbs.answer(verb, arguments)
    case .offline:
      return try await KeepingVerbs(keeping: keeping).answer(try OfflineRequest(arguments, verb), by: self)
    case .rights: return try await RightsVerbs(licences: application.licences).answer(verb, arguments)
    case .signin: return try await SignInVerbs(licences: application.licences).signIn(arguments)
    case .signout: return try await SignInVerbs(licences: application.licences).signOut(arguments)
    // The connection itself answers `events`.
    case .events: throw Self.notHere(verb)
    }
  }

  private var browsingVerbs: BrowsingVerbs {
    get throws(Fault) {
      guard let browsing = application.browsing else { throw .noLibrary }
      return BrowsingVerbs(browsing: browsing)
    }
  }

  private var libraryVerbs: LibraryVerbs {
    get throws(Fault) {
      guard let browsing = application.browsing, let importing = application.importing else { throw .noLibrary }
      return LibraryVerbs(browsing: browsing, importing: importing)
    }
  }

  private static func notHere(_ verb: Verb) -> Fault {
    Fault(.unsupported, "X-132", "\"\(verb.name)\" is not for this socket")
  }

  /// `answer QUESTION ANSWER`, both by number. So the answer is for the question that the person has read, even if
  /// another one has come up since.
  private func answerQuestion(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> JSON {
    let numbers = arguments.compactMap(\.number)
    guard numbers.count == 2, arguments.count == 2 else { throw verb.wrong("two numbers are needed") }
    guard let asked = questions.asked.first(where: { $0.number == numbers[0] }) else {
      throw Fault(.missing, "X-135", "there is no question \(numbers[0]); layby questions lists those that wait")
    }
    guard asked.question.answers.indices.contains(numbers[1] &- 1), questions.answer(numbers[0], with: numbers[1] &- 1)
    else {
      throw verb.wrong("question \(numbers[0]) has the answers 1 to \(asked.question.answers.count)")
    }
    return Response.done([("number", JSON(numbers[0])), ("answer", JSON(numbers[1]))])
  }

  // MARK: What a word means

  private func sleep(_ text: String?, _ verb: Verb) throws(Fault) -> SleepTimer.Until? {
    switch text {
    case "off": return nil
    case "chapter": return .chapter
    case "track": return .track
    case "queue": return .queue
    default:
      guard let text, let time = SleepTimer.duration(text) else { throw verb.wrong("\"\(text ?? "")\" is no time") }
      return .time(time)
    }
  }

  private func isOn(_ text: String?, _ verb: Verb) throws(Fault) -> Bool {
    switch text {
    case "on": true
    case "off": false
    default: throw verb.wrong("\"\(text ?? "")\" is neither on nor off")
    }
  }

  private func steps(_ arguments: [JSON], _ verb: Verb) throws(Fault) -> Int {
    guard arguments.count == 1, let count = arguments[0].number, (1...PlayQueue.limit).contains(count) else {
      throw verb.wrong("expected how many, 1 to \(PlayQueue.limit)")
    }
    return count
  }

  // MARK: Answers

  /// The answer with the player's status, for a verb that changes nothing.
  var told: JSON { Response.done([("status", playing.status.json)]) }

  /// Performs the command. If the result could not be saved the answer is still `ok`, with `saved: false`: a caller
  /// that tried again would do it twice.
  func done(_ command: Player.Command) async -> JSON {
    do throws(Fault) { try await playing.perform(command) } catch { return Response.done(answered(unsaved: error)) }
    return Response.done(answered(unsaved: nil))
  }

  /// What an answer says of a change that was made: the status after it and, if it could not be saved, why.
  func answered(unsaved: Fault?) -> [(String, JSON)] {
    let status = [("status", playing.status.json)]
    guard let unsaved else { return status }
    return status + [("saved", false), ("code", JSON(unsaved.code)), ("message", JSON(unsaved.message))]
  }
}
