import Pictures
import Runtime
import Synchronization

/// The pictures of the music, ready to be drawn: in memory, on the disk behind it, and made anew behind that. It may be
/// asked from any thread and never waits; files are read and decoded on a thread that comes after the music, the panel
/// and the hands, and that is there only while there is something to do.
package final class ArtShelf: Sendable {
  package struct Budgets: Sendable {
    /// A cover of 240 x 240 is 230 KB in memory, and 173 KB on the disk.
    package var memory = 4 << 20
    package var disk = 64 << 20
    package var limits = PictureLimits()
    /// How long a process that decodes is kept after the last picture: whoever scrolls through a list asks again soon.
    package var lingering: Duration = .seconds(10)

    package init() {}
  }

  package enum Decoding: Sendable {
    /// In a process of its own, started by these words: pictures are foreign bytes.
    case process([String])
    /// On the worker's thread, for tests and tools.
    case here
  }

  /// One wish, for as long as somebody holds it.
  package struct Ticket: Hashable, Sendable { fileprivate let number: UInt64 }

  package typealias Completion = @Sendable (Picture?) -> Void
  private typealias Wishes = ArtWishes<Ticket>

  private struct State {
    var wishes = Wishes()
    var answers: [Ticket: Completion] = [:]
    var memory: ArtMemory
    /// What a file's picture was last: enough to draw at once what was drawn before.
    var known: [FilePath: ArtIdentity] = [:]
    var isWorking = false
    var lastNumber: UInt64 = 0
  }

  private let state: Mutex<State>
  /// Lent to the thread that works, of which there is one at a time.
  private let studio: Mutex<ArtStudio>
  private let isGivenUp = Atomic<Bool>(false)
  private let lingering: Int32
  /// Rung when there is something to do again; without it the thread does not wait for that.
  private let bell = try? Bell()  // a shelf without works as well, and starts its process more often

  /// Nothing is stored without a folder, and none is made before there is a picture.
  package init(storing folder: FilePath?, decoding: Decoding, budgets: Budgets = Budgets()) {
    state = Mutex(State(memory: ArtMemory(budget: budgets.memory)))
    lingering = Int32(clamping: budgets.lingering.milliseconds)
    studio = Mutex(
      ArtStudio(storing: folder, budget: budgets.disk, limits: budgets.limits, decoding: decoding))
  }

  /// What is in memory; nil says nothing of what there may be.
  package func picture(of music: FilePath, as frame: PictureFrame) -> Picture? {
    state.withLock { state in
      guard let identity = state.known[music] else { return nil }
      return state.memory.picture(ArtKey(identity: identity, frame: frame))
    }
  }

  /// `answer` is called once, on the worker's thread: with nothing when there is no picture that can be shown. It is not
  /// called when the wish was cancelled before.
  package func ask(_ music: FilePath, as frame: PictureFrame, _ answer: @escaping Completion) -> Ticket {
    let (ticket, dropped, mustStart) = state.withLock { state -> (Ticket, [Completion], Bool) in
      state.lastNumber += 1
      let ticket = Ticket(number: state.lastNumber)
      state.answers[ticket] = answer
      let dropped = state.wishes.add(ticket, Wishes.Request(music: music, frame: frame))
      if state.wishes.isWanted { isGivenUp.store(false, ordering: .releasing) }
      defer { state.isWorking = true }
      return (ticket, dropped.compactMap { state.answers.removeValue(forKey: $0) }, !state.isWorking)
    }
    for answer in dropped { answer(nil) }
    if mustStart { startWorking() } else { bell?.ring() }
    return ticket
  }

  package func cancel(_ ticket: Ticket) {
    state.withLock { state in
      state.answers[ticket] = nil
      if state.wishes.cancel(ticket) { isGivenUp.store(true, ordering: .releasing) }
    }
  }

  /// How often a decoder was asked: for tests.
  var decoded: Int { studio.withLock { $0.decoded } }

  // MARK: The worker's thread

  private func startWorking() {
    do throws(Fault) {
      try NamedThread.start("work", stackBytes: 524_288, priority: .low) { [self] in work() }
    } catch {
      Log("art").warning("pictures are not made", ["reason": error.message])
      let answers = state.withLock { state -> [Completion] in
        defer { (state.answers, state.wishes, state.isWorking) = ([:], Wishes(), false) }
        return Array(state.answers.values)
      }
      for answer in answers { answer(nil) }
    }
  }

  private func work() {
    while true {
      // What was rung for until now is done next; only what comes later ends the wait.
      bell?.hush()
      doWhatIsWanted()
      if let bell, studio.withLock({ $0.isReady }) { bell.wait(milliseconds: lingering) }
      if isIdle() { return }
    }
  }

  /// False when something came meanwhile. When it is true another thread may begin at once.
  private func isIdle() -> Bool {
    studio.withLock { studio in
      state.withLock { state in
        guard state.wishes.isEmpty else { return false }
        studio.rest()
        state.isWorking = false
        return true
      }
    }
  }

  private func doWhatIsWanted() {
    while let wish = nextWish() {
      let answer = studio.withLock { studio in
        studio.picture(of: wish.music, as: wish.frame) { [self] key in
          state.withLock { $0.memory.picture(key) }
        } isWanted: { [self] in
          !isGivenUp.load(ordering: .acquiring)
        }
      }
      finish(wish, answer)
    }
  }

  private func nextWish() -> Wishes.Request? {
    state.withLock { state in
      isGivenUp.store(false, ordering: .releasing)
      return state.wishes.next()
    }
  }

  private func finish(_ wish: Wishes.Request, _ answer: ArtStudio.Outcome) {
    var (picture, isGivenUp): (Picture?, Bool) = (nil, false)
    let answers = state.withLock { state -> [Completion] in
      switch answer {
      case .unwanted: isGivenUp = true
      case .none: state.known[wish.music] = nil
      case .picture(let made, let key):
        picture = made
        state.memory.keep(made, as: key)
        if state.known.count >= 4_096 { state.known = [:] }
        state.known[wish.music] = key.identity
      }
      return state.wishes.finish(givenUp: isGivenUp).compactMap { state.answers.removeValue(forKey: $0) }
    }
    for answer in answers { answer(picture) }
  }
}
