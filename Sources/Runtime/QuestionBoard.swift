/// The questions of this run: whoever asks is told the answer once, or never when the question is withdrawn.
@MainLoop
package final class QuestionBoard {
  package enum Giver: String, Sendable {
    /// The knob.
    case hand
    /// The control socket.
    case socket
    /// Time.
    case nobody
  }

  private var queue = QuestionQueue()
  private var receivers: [Int: @MainLoop (Int) -> Void] = [:]
  private var listeners: [@MainLoop () -> Void] = []
  private var followers: [Mailbox<JSON>] = []
  private var timer: Task<Void, Never>?
  private let log = Log("question")

  nonisolated package init() {}

  /// The first stands, the others wait.
  package var asked: [QuestionQueue.Asked] { queue.asked }
  package var current: QuestionQueue.Asked? { queue.current }

  /// By the number it can be withdrawn; nil when too many wait, which is as if nobody had answered.
  @discardableResult
  package func ask(_ question: OwnersQuestion, then: @escaping @MainLoop (Int) -> Void) -> Int? {
    guard let number = queue.ask(question, at: MainLoop.loop.now) else {
      log.warning("too many questions wait", ["code": question.code, "question": question.text])
      MainLoop.start { then(OwnersQuestion.safest) }
      return nil
    }
    receivers[number] = then
    log.notice("asked", ["number": number, "code": question.code, "question": question.text])
    if let asked = queue.asked.last { tell(["event": "question", "question": asked.json]) }
    changed()
    return number
  }

  package func withdraw(_ number: Int) {
    guard let gone = queue.withdraw(number, at: MainLoop.loop.now) else { return }
    receivers[number] = nil
    log.notice("withdrawn", ["number": number, "code": gone.question.code])
    tell(["event": "question withdrawn", "number": JSON(number)])
    changed()
  }

  /// The knob, while a question stands.
  package func turn(by steps: Int) {
    queue.turn(by: steps, at: MainLoop.loop.now)
    changed()
  }

  package func press() {
    guard let answered = queue.press(at: MainLoop.loop.now) else { return }
    end([answered], by: .hand)
    changed()
  }

  /// From elsewhere: `answer` counts from 0. False when there is no such question, or no such answer to it.
  package func answer(_ number: Int, with answer: Int) -> Bool {
    guard let answered = queue.answer(number, with: answer, at: MainLoop.loop.now) else { return false }
    end([answered], by: .socket)
    changed()
    return true
  }

  /// Told whenever another picture is to be shown.
  package func listen(_ listener: @escaping @MainLoop () -> Void) { listeners.append(listener) }

  /// Hears of each question and each answer, until the box is closed.
  package func follow(_ box: Mailbox<JSON>) {
    followers.removeAll(where: \.isClosed)
    followers.append(box)
  }

  private func end(_ answered: [QuestionQueue.Answered], by giver: Giver) {
    for one in answered {
      log.notice("answered", ["number": one.number, "answer": one.question.answers[one.answer], "by": giver.rawValue])
      tell([
        "event": "answer", "number": JSON(one.number), "answer": JSON(one.answer + 1),
        "text": JSON(one.question.answers[one.answer]), "by": JSON(giver.rawValue),
      ])
      receivers.removeValue(forKey: one.number)?(one.answer)
    }
  }

  private func changed() {
    timer?.cancel()
    timer = nil
    if let next = queue.nextChange {
      timer = MainLoop.start {
        guard await MainLoop.loop.sleep(until: next) else { return }
        self.end(self.queue.pass(to: MainLoop.loop.now), by: .nobody)
        self.changed()
      }
    }
    for listener in listeners { listener() }
  }

  private func tell(_ event: JSON) {
    followers.removeAll(where: \.isClosed)
    for box in followers { box.send(event) }
  }
}

extension QuestionQueue.Asked {
  package var json: JSON {
    [
      "number": JSON(number), "code": JSON(question.code), "text": JSON(question.text),
      "details": .list(question.details.map { JSON($0) }), "answers": .list(question.answers.map { JSON($0) }),
      "chosen": JSON(chosen + 1),
    ]
  }
}
