import Runtime

/// The player's part of an update from a stick: it has the system check the file, asks on the panel, has it written, and
/// tells how that goes. It never reads the file itself.
@MainLoop
package final class UpdateDesk {
  package struct Means: Sendable {
    /// The newest file for this board on a stick, by its name; off the main loop, since a stick may take its time.
    package var find: @MainLoop @Sendable (FilePath, @escaping @MainLoop @Sendable (FilePath?) -> Void) -> Void
    /// Leaves the wish where the system looks for it.
    package var wish: @MainLoop @Sendable (UpdateProgress.Wish) throws(Fault) -> Void
    package var progress: @MainLoop @Sendable () -> UpdateProgress?

    package init(
      find: @escaping @MainLoop @Sendable (FilePath, @escaping @MainLoop @Sendable (FilePath?) -> Void) -> Void,
      wish: @escaping @MainLoop @Sendable (UpdateProgress.Wish) throws(Fault) -> Void,
      progress: @escaping @MainLoop @Sendable () -> UpdateProgress?
    ) {
      (self.find, self.wish, self.progress) = (find, wish, progress)
    }
  }

  /// How long the system may take to begin, and then to get any further.
  static let patience = Duration.seconds(60)
  static let stillness = Duration.seconds(600)
  static let pause = Duration.milliseconds(500)

  private let means: Means
  private let notices: NoticeBoard
  private let questions: QuestionBoard
  /// Those that are in, with their question once there is one.
  private var there: [FilePath: Int?] = [:]
  /// There is one place for a wish, so a second file is left alone meanwhile.
  private var isAtWork = false
  private var count = 0
  private let log = Log("update")

  package init(_ means: Means, _ notices: NoticeBoard, _ questions: QuestionBoard) {
    (self.means, self.notices, self.questions) = (means, notices, questions)
  }

  package func came(_ stick: Stick) {
    there[stick.root] = .some(nil)
    means.find(stick.root) { file in
      guard let file, self.there[stick.root] != nil else { return }
      self.perform(.check, file) { checked in self.offer(file, checked, of: stick) }
    }
  }

  package func went(_ stick: Stick) {
    if let question = there.removeValue(forKey: stick.root) ?? nil { questions.withdraw(question) }
  }

  private func offer(_ file: FilePath, _ checked: UpdateProgress, of stick: Stick) {
    guard checked.state == .offered else { return tell(checked) }
    guard there[stick.root] != nil else { return }
    let number = questions.ask(Self.question(checked)) { answer in
      if self.there[stick.root] != nil { self.there[stick.root] = .some(nil) }
      guard answer == 1 else { return }
      self.perform(.write, file, checked.version) { written in self.tell(written) }
    }
    if let number { there[stick.root] = .some(number) }
  }

  package static func question(_ checked: UpdateProgress) -> OwnersQuestion {
    OwnersQuestion(
      "H-750", "Put version \(checked.version) on this board?", about: checked.version,
      details: checked.words.isEmpty ? [] : [checked.words], answers: ["No", "Yes"])
  }

  private func perform(
    _ deed: UpdateProgress.Deed, _ file: FilePath, _ version: String = "",
    then: @escaping @MainLoop (UpdateProgress) -> Void
  ) {
    guard !isAtWork else {
      log.warning("an update is under way; another file is left alone", ["file": file])
      guard deed == .write else { return }
      let fault = Fault(.busy, "X-266", "an update is under way already")
      return notices.post(Notice(fault, instead: "the other file is left alone"))
    }
    isAtWork = true
    count += 1
    let wish = "\(MainLoop.loop.now.nanoseconds)\(count)"
    MainLoop.start {
      defer { self.isAtWork = false }
      do throws(Fault) { try self.means.wish(.init(wish, to: deed, file, version: version)) } catch {
        return self.notices.post(Notice(error, instead: "nothing is updated"))
      }
      var patience = MainLoop.loop.now + Self.patience
      var told = -1
      var last: UpdateProgress?
      while true {
        let now = self.means.progress()
        if let now, now.wish == wish, now != last { (last, patience) = (now, MainLoop.loop.now + Self.stillness) }
        // Somebody else's comes first, such as one by the command line.
        if let now, now.wish != wish, !now.isOver { patience = MainLoop.loop.now + Self.patience }
        if let now, now.wish == wish {
          if now.isOver {
            self.isAtWork = false
            return then(now)
          }
          // Each quarter: more often nobody wants to read it.
          if now.state == .writing, now.percent / 25 > told {
            told = now.percent / 25
            self.notices.post(Self.notice(of: now))
          }
        }
        if MainLoop.loop.now > patience {
          self.log.warning(last == nil ? "nobody takes updates" : "the update does not go on", ["file": file])
          guard deed == .write else { return }
          return self.notices.post(
            Notice("H-759", "The update does not go on. The version that runs stays.").asProblem)
        }
        guard await MainLoop.loop.sleep(until: MainLoop.loop.now + Self.pause) else { return }
      }
    }
  }

  private func tell(_ ended: UpdateProgress) {
    // A stick that stays in offers what runs already at each start.
    guard ended.reason != .same else {
      return log.info("the version on a stick runs already", ["version": ended.version])
    }
    notices.post(Self.notice(of: ended))
  }

  package static func notice(of progress: UpdateProgress) -> Notice {
    let names = [progress.version]
    switch progress.state {
    case .checking, .offered, .writing:
      let message = "Version \(progress.version) is being written: \(progress.percent) %"
      return Notice("H-751", message, names: names + ["\(progress.percent) %"])
    case .ready:
      return Notice("H-752", "Version \(progress.version) is ready. It starts at the next start.", names: names)
    case .failed: return Notice("H-759", "\(progress.words) The version that runs stays.").asProblem
    case .refused: break
    }
    let code =
      switch progress.reason {
      case .board: "H-753"
      case .older: "H-754"
      case .key: "H-755"
      case .damaged: "H-756"
      case .room: "H-757"
      case .battery: "H-758"
      case .slots, .same, nil: "H-759"
      }
    return Notice(code, "\(progress.words) Nothing was changed.").asProblem
  }
}
