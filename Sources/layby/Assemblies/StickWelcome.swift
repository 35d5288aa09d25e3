import Application
import Audio
import Hardware
import Library
import Playback
import Runtime

/// What becomes of the music of a stick that comes: it is taken into the library, its owner is asked first, or it is left
/// alone. When the stick goes, its questions and its music go with it. It lives on the main loop.
@MainLoop
final class StickWelcome {
  private let context: ProgramContext
  private let sticks: StickAssembly
  private let library: LibraryAssembly
  private let catalogue: Catalogue
  private let imports: ImportPart
  private let setups: SetupDesk?
  private let updates: UpdateDesk?
  /// By the places of the sticks they are about.
  private var questions: [FilePath: Int] = [:]
  /// About sticks that wait for a yes.
  private var waiting: [RefusedStick: Int] = [:]
  private let log = Log("sticks")

  init(
    _ context: ProgramContext, _ sticks: StickAssembly, _ library: LibraryAssembly,
    _ jobs: LibraryAssembly.LibraryJobs, _ setups: SetupDesk?,
    _ updates: UpdateDesk?
  ) {
    (self.context, self.sticks, self.library) = (context, sticks, library)
    (self.setups, self.updates) = (setups, updates)
    (catalogue, imports) = (jobs.catalogue, jobs.imports)
  }

  func take(_ event: StickEvent) async {
    switch event {
    case .came(let stick), .went(let stick): library.application.sticks?.changed(stick)
    case .refused, .refusalEnded: break
    }
    switch event {
    case .came(let stick):
      setups?.came(stick)
      updates?.came(stick)
    case .went(let stick):
      setups?.went(stick)
      updates?.went(stick)
    case .refused(let stick) where stick.reason == .waits: askToRead(stick)
    case .refused, .refusalEnded: break
    }
    withdrawForThoseThatWent()
    do throws(Fault) {
      switch event {
      case .came(let stick): try await welcome(stick)
      case .went(let stick): try await takeLeave(of: stick)
      case .refused, .refusalEnded: break
      }
    } catch { isNotNoted(error) }
  }

  private func welcome(_ stick: Stick) async throws(Fault) {
    let wish = stick.wish
    var known = try await catalogue.sources().first { $0.kind == .stick && $0.key == wish.key }
    if wish.isPassing, let last = known.take() {
      _ = try await catalogue.forget(source: last.id)
      library.changed()
    }
    if let known, known.isPresent, known.root != stick.root {
      // A copy of one that is in: what the one lacks is not gone from the other.
      context.notices.post(
        Notice(
          "H-714", "\(stick.shownName) is the twin of one that is in; only that one is looked through",
          names: stick.ownName))
      return
    }
    guard let known else { return try await receive(stick, as: nil) }
    let recognition = StickRecognition(try await catalogue.someFiles(of: known))
    // A stick that does not answer keeps this thread and nothing else.
    try NamedThread.start("stick") {
      let isKnown = recognition.recognises(stick.root)
      MainLoop.start {
        guard self.sticks.part.sticks.contains(stick) else { return }
        if !isKnown { self.log.notice("calls itself one that is known, and has other music", ["stick": stick.root]) }
        do throws(Fault) { try await self.receive(stick, as: isKnown ? known : nil) } catch { self.isNotNoted(error) }
      }
    }
  }

  private func isNotNoted(_ fault: Fault) {
    log.warning("the library does not know of a stick", ["reason": fault.message])
  }

  private func receive(_ stick: Stick, as known: Source?) async throws(Fault) {
    if let known {
      try await catalogue.setPresent(known.id, true)
      library.changed()
    }
    switch StickMusic(
      context.settings[.stickImport], isKnown: known != nil, isLeftAlone: sticks.memory.leavesAlone(stick),
      amongStrangers: context.settings.isKiosk)
    {
    case .isTakenIn where !context.outset.rights.allows(.importMusic):
      context.notices.post(
        Notice(
          LibraryAssembly.notLookedThrough,
          "\(stick.shownName) is not looked through in safe mode; layby import \(stick.root) does"))
    case .isTakenIn: imports.add(stick.wish)
    case .isAskedFor: try askIfItHasMusic(stick)
    case .isLeft: break
    }
  }

  /// A stick that waits is no stick yet: whoever answers is asked before its file system is read at all.
  private func askToRead(_ stick: RefusedStick) {
    guard waiting[stick] == nil else { return }
    waiting[stick] = context.questions.ask(stick.question) { answer in
      self.waiting[stick] = nil
      guard RefusedStick.ReadDecision(rawValue: answer) == .yes else { return }
      do throws(Fault) { try self.sticks.allow(stick) } catch {
        self.context.notices.post(Notice(error, instead: "put it in again to be asked again"))
      }
    }
  }

  private func withdrawForThoseThatWent() {
    for (stick, question) in waiting where !sticks.part.refused.contains(stick) {
      waiting[stick] = nil
      context.questions.withdraw(question)
    }
  }

  /// A stick with an update, or with somebody's papers, is no matter of music. One that does not answer keeps this thread
  /// and nothing else; what cannot be looked through is asked about, and whoever says yes is told why.
  private func askIfItHasMusic(_ stick: Stick) throws(Fault) {
    let (root, foreign) = (stick.root, ForeignHelp.isInstalled)
    try NamedThread.start("stick") {
      let hasNone: Bool
      do throws(Fault) { hasNone = try MusicFiles.at(root, most: 1, withForeign: foreign).isEmpty } catch {
        hasNone = false
      }
      MainLoop.start { if hasNone { self.tellThereIsNone(on: stick) } else { self.ask(about: stick) } }
    }
  }

  private func tellThereIsNone(on stick: Stick) {
    guard sticks.part.sticks.contains(stick) else { return }
    context.notices.post(Notice("H-716", "\(stick.shownName) has no music on it.", names: stick.ownName))
  }

  private func ask(about stick: Stick) {
    // It may have gone while it was looked at.
    guard sticks.part.sticks.contains(stick) else { return }
    questions[stick.root] = context.questions.ask(StickMusic.question(about: stick)) { answer in
      self.questions[stick.root] = nil
      switch StickMusic.ImportDecision(rawValue: answer) {
      case .yes: self.takeIn(stick)
      case .yesAndPlay:
        self.takeIn(stick)
        self.play(stick)
      case .never: self.leaveAlone(stick)
      case .notNow, nil: break
      }
    }
  }

  /// Once and for all: a power cut before its turn has come does not forget it.
  private func takeIn(_ stick: Stick) {
    MainLoop.start {
      do throws(Fault) { try await self.imports.add(folder: stick.root) } catch {
        self.context.notices.post(Notice(error, instead: "the next time it is asked again"))
      }
    }
  }

  /// While it is taken in: the first few as soon as they are found, behind them what else the same walk finds. A stick
  /// that does not answer keeps this thread and nothing else.
  private func play(_ stick: Stick) {
    let root = stick.root
    let foreign = ForeignHelp.isInstalled
    do throws(Fault) {
      try NamedThread.start("stick") {
        do throws(Fault) {
          var files = try MusicFiles(at: root, withForeign: foreign)
          let few = try files.next(Self.few)
          MainLoop.start { await self.play(few, of: stick) }
          let rest = try files.next(PlayQueue.limit - Self.few)
          MainLoop.start { await self.add(rest, of: stick) }
        } catch {
          MainLoop.start { self.context.notices.post(Notice(error, instead: Self.later)) }
        }
      }
    } catch { context.notices.post(Notice(error, instead: Self.later)) }
  }

  nonisolated private static let few = 20
  private static let later = "its music can be played when it has been taken in"

  private func play(_ few: [FilePath], of stick: Stick) async {
    guard sticks.part.sticks.contains(stick) else { return }
    guard !few.isEmpty else { return tellThereIsNone(on: stick) }
    do throws(Fault) {
      try await library.application.playing.perform(.playAtOnce(few, from: stick.origin))
    } catch {
      notSaved(error)
    }
  }

  private func add(_ rest: [FilePath], of stick: Stick) async {
    guard !rest.isEmpty, sticks.part.sticks.contains(stick) else { return }
    do throws(Fault) {
      try await library.application.playing.perform(.add(rest, from: stick.origin))
    } catch {
      notSaved(error)
    }
  }

  private func notSaved(_ fault: Fault) {
    log.warning("the music of a stick is played, and its place in the queue not saved", ["reason": fault.message])
  }

  private func leaveAlone(_ stick: Stick) {
    sticks.leaveAlone(stick)
    context.notices.post(
      Notice(
        "H-715", "\(stick.shownName) is left alone from now on; layby import \(stick.root) takes it in",
        names: stick.ownName))
  }

  private func takeLeave(of stick: Stick) async throws(Fault) {
    if let question = questions.removeValue(forKey: stick.root) { context.questions.withdraw(question) }
    let wish = stick.wish
    let known = try await catalogue.sources().first { $0.kind == .stick && $0.key == wish.key }
    if let known, known.root == stick.root {
      defer { library.changed() }
      imports.forgetWish(key: wish.key)
      try await catalogue.setPresent(known.id, false)
      guard wish.isPassing else { return }
      await imports.end(kind: .stick, key: wish.key)
      _ = try await catalogue.forget(source: known.id)
    }
  }
}

extension Stick {
  /// What the history calls it.
  var origin: Origin { Origin(.stick, label.isEmpty ? nil : label) }
}
