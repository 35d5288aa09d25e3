import Audio
import Offline
import Runtime
import Synchronization

/// That somebody waits for more of a stream.
struct StreamWait: Sendable {
  enum Stage: Equatable, Sendable {
    case waits(Why?)
    /// More came, or why it never will.
    case over
    /// Nobody waits any more: something else is played.
    case left
  }

  var item: ItemKey
  var stage: Stage
}

/// A stream as the decode thread reads it. It ends with its last owner.
final class StreamBytes: ComingBytes {
  private struct State {
    var length: Int64?
    var duration: Duration?
    var title: String?
    /// What somebody waits for; counted, so that an answer that comes late is not taken for the next.
    var pending: Int?
    var asked = 0
    /// Since when somebody looks whether it comes in time.
    var watchedSince: Moment?
    var isTold = false
    var isClosed = false
  }

  private let stream: MediaStream
  private let item: ItemKey
  private let loop: EventLoop
  private let waits: @Sendable (StreamWait) -> Void
  private let state = Mutex(State())

  /// A slow line brings a little all the time; who still waits for more after so long may be heard to.
  private static let patience: Duration = .seconds(1)
  private static let looksEvery: Duration = .milliseconds(500)

  init(
    _ stream: MediaStream, of item: ItemKey, on loop: EventLoop, waits: @escaping @Sendable (StreamWait) -> Void
  ) {
    (self.stream, self.item, self.loop, self.waits) = (stream, item, loop, waits)
  }

  deinit { close() }

  /// Whoever waits hears that nobody listens any more.
  func close() {
    let (wasOpen, wasTold) = state.withLock { state -> (Bool, Bool) in
      defer { (state.isClosed, state.pending, state.isTold) = (true, nil, false) }
      return (!state.isClosed, state.isTold)
    }
    if wasTold { waits(StreamWait(item: item, stage: .left)) }
    guard wasOpen else { return }
    let stream = stream
    Task(executorPreference: loop) { await stream.close() }
  }

  var name: String { "\(item)" }
  var isStreamed: Bool { !stream.endsAtGap }

  var length: Int64? {
    get { state.withLock { $0.length } }
    set { state.withLock { $0.length = newValue } }
  }

  var duration: Duration? {
    get { state.withLock { $0.duration } }
    set { state.withLock { $0.duration = newValue } }
  }

  /// As people know it, where that is known.
  var title: String? {
    get { state.withLock { $0.title } }
    set { state.withLock { $0.title = newValue } }
  }

  func askIfWhole(then: @escaping @Sendable (Bool) -> Void) {
    let stream = stream
    Task(executorPreference: loop) { then(await stream.isWhole()) }
  }

  func read(at offset: Int64, most count: Int, then: @escaping @Sendable (Result<[UInt8], Fault>) -> Void) {
    let (stream, item) = (stream, item)
    let number = begin()
    Task(executorPreference: loop) { [weak self] in
      do throws(Fault) {
        let bytes = try await stream.read(at: offset, most: count)
        self?.end(number)
        then(.success(bytes))
      } catch {
        self?.end(number)
        let name = self?.title ?? "\(item)"
        then(.failure(Fault(error.kind, error.code, "\(name) breaks off: \(error.message)")))
      }
    }
  }

  /// Returns when the first are here.
  func arrive() async throws(Fault) {
    let number = begin()
    do throws(Fault) { _ = try await stream.read(at: 0, most: 1) } catch {
      end(number)
      throw error
    }
    end(number)
    length = await stream.size()
  }

  // MARK: Waiting

  private func begin() -> Int {
    let (number, mustWatch) = state.withLock { state -> (Int, Bool) in
      state.asked += 1
      state.pending = state.asked
      defer { state.watchedSince = state.watchedSince ?? loop.now }
      return (state.asked, state.watchedSince == nil)
    }
    if mustWatch { watch() }
    return number
  }

  private func end(_ number: Int) {
    state.withLock { if $0.pending == number { $0.pending = nil } }
  }

  /// Looks for as long as somebody waits, and keeps nothing alive by that.
  private func watch() {
    Task(executorPreference: loop) { [weak self, loop] in
      while await loop.sleep(for: Self.looksEvery), let self, await self.isStillWaited() {}
    }
  }

  private func isStillWaited() async -> Bool {
    let stage = state.withLock { state -> Stage in
      guard state.pending != nil, let since = state.watchedSince else {
        defer { (state.watchedSince, state.isTold) = (nil, false) }
        return state.isTold ? .over : .quiet
      }
      if loop.now - since < Self.patience { return .early }
      state.isTold = true
      return .late
    }
    switch stage {
    case .quiet: return false
    case .early: return true
    case .late:
      waits(StreamWait(item: item, stage: .waits(await stream.why().first)))
      return true
    case .over:
      waits(StreamWait(item: item, stage: .over))
      return false
    }
  }

  private enum Stage { case quiet, early, late, over }
}
