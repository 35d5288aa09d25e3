import Runtime

/// The player's part of setting up a board from a stick: it reads the stick's file, asks the owner, hands the settings to
/// the system and reports the result. It hands over what it has shown, even if the file was changed meanwhile.
@MainLoop
package final class SetupDesk {
  package struct Means: Sendable {
    package typealias Found = @MainLoop @Sendable (Result<StickSetup?, Fault>) -> Void

    /// Off the main loop: a stick may take its time.
    package var read: @MainLoop @Sendable (FilePath, @escaping Found) -> Void
    /// Writes the wish to where the system looks for it.
    package var wish: @MainLoop @Sendable (StickSetup) async throws(Fault) -> Void
    /// Whether the system has taken the wish, which it then deletes.
    package var isTaken: @MainLoop @Sendable () -> Bool
    package var takeBack: @MainLoop @Sendable () async -> Void
    package var outcome: @MainLoop @Sendable () -> SetupOutcome?
    package var known: @MainLoop @Sendable () -> StickMemory
    package var remember: @MainLoop @Sendable (StickSetup) -> Void
    /// Asks the system to forget the network.
    package var forget: @MainLoop @Sendable () async throws(Fault) -> Void

    package init(
      read: @escaping @MainLoop @Sendable (FilePath, @escaping Found) -> Void,
      wish: @escaping @MainLoop @Sendable (StickSetup) async throws(Fault) -> Void,
      isTaken: @escaping @MainLoop @Sendable () -> Bool, takeBack: @escaping @MainLoop @Sendable () async -> Void,
      outcome: @escaping @MainLoop @Sendable () -> SetupOutcome?,
      known: @escaping @MainLoop @Sendable () -> StickMemory,
      remember: @escaping @MainLoop @Sendable (StickSetup) -> Void,
      forget: @escaping @MainLoop @Sendable () async throws(Fault) -> Void = {}
    ) {
      self.read = read
      self.wish = wish
      self.isTaken = isTaken
      self.takeBack = takeBack
      self.outcome = outcome
      self.known = known
      self.remember = remember
      self.forget = forget
    }
  }

  /// How long the system may take to begin, and then to join the network.
  static let patience: Duration = .seconds(120)
  static let pause: Duration = .milliseconds(500)

  private let means: Means
  private let notices: NoticeBoard
  private let questions: QuestionBoard
  /// Sticks whose files are being read or asked about; the question's number once there is one.
  private var pending: [FilePath: Int?] = [:]
  private let confirmed = Mailbox<Confirmed>(limit: 8)
  private var isAtWork = false
  private let log = Log("setup")

  package init(_ means: Means, _ notices: NoticeBoard, _ questions: QuestionBoard) {
    self.means = means
    self.notices = notices
    self.questions = questions
  }

  package func came(_ stick: Stick) {
    pending[stick.root] = .some(nil)
    means.read(stick.root) { result in
      // Pulled while it was read.
      guard self.pending[stick.root] != nil else { return }
      self.pending[stick.root] = nil
      do throws(Fault) {
        if let setup = try result.get() { self.ask(setup, of: stick) }
      } catch {
        self.notices.post(Notice(error, instead: "nothing of it is used (\(stick.nameInQuestions))"))
      }
    }
  }

  package func went(_ stick: Stick) {
    if let question = pending.removeValue(forKey: stick.root) ?? nil { questions.withdraw(question) }
  }

  private func ask(_ setup: StickSetup, of stick: Stick) {
    guard !means.known().has(setup) else {
      return log.info("a stick asks for what is so already", ["setup": setup])
    }
    let number = questions.ask(Self.question(setup, of: stick)) { answer in
      self.pending[stick.root] = nil
      self.log.notice("the owner was asked", ["setup": setup, "answer": answer == Self.yes ? "yes" : "no"])
      if answer == Self.yes { self.confirm(setup) }
    }
    if let number { pending[stick.root] = .some(number) }
  }

  static let yes = 1

  /// All that will be done, except for the password.
  package static func question(_ setup: StickSetup, of stick: Stick) -> OwnersQuestion {
    var details: [String] = []
    if let network = setup.network {
      details.append("Wi-Fi: \(network.ssid)" + (network.password == nil ? ", open to all" : ""))
      if let country = network.country { details.append("Country: \(country)") }
    }
    if let name = setup.boardName { details.append("Name: \(name)") }
    return OwnersQuestion(
      "H-720", "Set up this board as \(stick.nameInQuestions) says?",
      about: stick.label.isEmpty ? nil : stick.nameInQuestions, details: details, answers: ["No", "Yes"])
  }

  /// What was asked of the system last, by a stick or on the panel.
  package private(set) var last: StickSetup?
  /// What has become of it, or of what was asked before this start.
  package var outcome: SetupOutcome? { means.isTaken() ? means.outcome() : last == nil ? nil : .joining }

  /// The network is left for good. Whoever asked for it sees that it is gone.
  package func forget() {
    last = nil
    MainLoop.start {
      do throws(Fault) { try await self.means.forget() } catch {
        self.notices.post(Notice(error, instead: "the network is still known"))
      }
    }
  }

  private struct Confirmed: Sendable {
    let setup: StickSetup
    let then: @MainLoop @Sendable (SetupOutcome) -> Void
  }

  /// One after the other: there is one place for a wish. `then` hears what has become of it.
  package func confirm(_ setup: StickSetup, then: @escaping @MainLoop @Sendable (SetupOutcome) -> Void = { _ in }) {
    confirmed.send(Confirmed(setup: setup, then: then))
    guard !isAtWork else { return }
    isAtWork = true
    MainLoop.start {
      while let next = self.confirmed.tryReceive() { next.then(await self.apply(next.setup)) }
      self.isAtWork = false
    }
  }

  private func apply(_ setup: StickSetup) async -> SetupOutcome {
    last = setup
    do throws(Fault) { try await means.wish(setup) } catch {
      notices.post(Notice(error, instead: "the board is not set up"))
      return .refused
    }
    guard await wait(until: { self.means.isTaken() }) else {
      await means.takeBack()
      notices.post(Notice("H-725", "Nothing on this board takes what was confirmed; it is not set up"))
      return .refused
    }
    var outcome: SetupOutcome?
    _ = await wait {
      outcome = self.means.outcome()
      return outcome?.isFinal ?? false
    }
    let known = outcome ?? .failed
    if known.isInForce { means.remember(setup) }
    // One that is still looking after so long has not found it.
    let told = known == .joining ? .unseen : known
    notices.post(told.notice(of: setup))
    return told
  }

  /// Looked at twice a second, and only after a yes: a minute of that costs nothing.
  private func wait(until isSo: @MainLoop () -> Bool) async -> Bool {
    let end = MainLoop.loop.now + Self.patience
    while !isSo() {
      guard MainLoop.loop.now < end, await MainLoop.loop.sleep(for: Self.pause) else { return false }
    }
    return true
  }
}
