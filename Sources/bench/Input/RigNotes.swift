import Audio
import Formats
import Glibc
import Playback
import Runtime
import Synchronization

/// What the rig's threads note for the hand.
final class RigNotes: Sendable {
  private struct State {
    var isReady = false
    var fault: Fault?
    var ordered = Moment(nanoseconds: 0)
    var saved: Moment?
    var processor: Int64?
  }

  private let state = Mutex(State())
  private let bell: Bell

  init() throws(Fault) { bell = try Bell() }

  /// When the sound was last told how loud it shall be.
  var ordered: Moment { state.withLock { $0.ordered } }
  var trouble: String { state.withLock { $0.fault?.description ?? "nothing went wrong" } }

  func order() { state.withLock { $0.ordered = .now } }

  /// The session is on the disk.
  func save() {
    state.withLock { $0.saved = .now }
    bell.ring()
  }

  func waitUntilSaved(within limit: Duration) throws(Fault) -> Moment {
    bell.wait(milliseconds: Int32(limit.milliseconds))
    guard let saved = state.withLock({ $0.saved.take() }) else {
      throw Fault(.passing, "B-275", "the session was not saved within \(limit): \(trouble)")
    }
    return saved
  }

  func fail(_ fault: Fault) { state.withLock { $0.fault = fault } }

  func becomeReady() {
    state.withLock { $0.isReady = true }
    bell.ring()
  }

  func waitUntilReady(within limit: Duration) -> Bool {
    bell.wait(milliseconds: Int32(limit.milliseconds))
    return state.withLock { $0.isReady && $0.fault == nil }
  }

  /// Nanoseconds that the main loop's thread has worked.
  func processorTime() throws(Fault) -> Int64 {
    MainLoop.start {
      let nanoseconds = ProcessorTime.ofThread.nanoseconds
      self.state.withLock { $0.processor = nanoseconds }
      self.bell.ring()
    }
    bell.wait(milliseconds: 1_000)
    guard let time = state.withLock({ $0.processor.take() }) else {
      throw Fault(.passing, "B-273", "the main loop does not answer")
    }
    return time
  }
}

/// The sound path, and when it was told to be otherwise.
final class NotingSound: Sound {
  private let path: SoundPath
  private let notes: RigNotes

  init(_ path: SoundPath, _ notes: RigNotes) { (self.path, self.notes) = (path, notes) }

  func setGain(_ gain: Double) {
    // Before it: the output's thread has the right of way, and may have done it when that returns.
    notes.order()
    path.setGain(gain)
  }

  func start(_ entry: PlayQueue.Entry, at place: TrackPlace, generation: UInt32, hint: LoudnessHint) {
    path.start(entry, at: place, generation: generation, hint: hint)
  }
  func follow(_ entry: PlayQueue.Entry?, hint: LoudnessHint) { path.follow(entry, hint: hint) }
  func setShape(_ shape: SoundShape) { path.setShape(shape) }
  func setDeepBuffer(_ isDeep: Bool) { path.setDeepBuffer(isDeep) }
  func halt(generation: UInt32) { path.halt(generation: generation) }
  func pause() { path.pause() }
  func resume() { path.resume() }
  func shutdown() { path.shutdown() }
  var heard: Heard? { path.heard }
  var bell: Int32 { path.bell }
  func takeNews() -> SoundNews? { path.takeNews() }
}
