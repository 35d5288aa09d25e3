import Files
import Runtime
import Services

/// What every owner in `OfflinePart` works with. None of it changes as long as the program runs.
///
/// The owners (`WantedItems`, `Mover` and so on) are plain classes. They live on the loop `offline`, inside `OfflinePart`:
/// their functions run on the actor that calls them (`isolation`), so nothing happens between a check and what it allows
/// except where `await` is written.
///
/// A function with `isolation` has no `defer`, and no closure in it captures another owner: Swift 6.0.3 (Debian 13) dies of
/// the one and refuses the other. So turns to change what is wanted are taken in `OfflinePart`, or left by hand.
struct OfflineTools: Sendable {
  let loop: EventLoop
  let engine: DownloadEngine
  let disk: any MediaDisk
  let rows: any OfflineRows
  let sources: [String: any MediaSource]
  /// Seconds since 1970, by the clock that the board has.
  let date: @Sendable () -> Int64
  let told: @Sendable (OfflineEvent) -> Void
  let tasks: ActorTasks<OfflinePart>
}

/// How far the start is, and by which rules. In memory only, except the numbers.
final class RunState {
  /// Rows and files agree; downloads run.
  var isGoing = false
  var begunAt: Moment?
  /// Nil before the start. It begins when the disk is there.
  var rules: TransferRules?
  var counters = Counters()
}

/// Numbers that survive the program: how downloads went, when all was checked last, whether the owner has paused
/// everything. They are stored once a minute; a power cut costs the last minute's counts. What the owner pauses is stored
/// at once.
struct Counters {
  static let restsAll = "everything.rests"
  static let lookedAfterAt = "looked.after.at"

  private var numbers: [String: Int64] = [:]
  private var stored: [String: Int64] = [:]

  init(_ numbers: [String: Int64] = [:]) { (self.numbers, stored) = (numbers, numbers) }

  subscript(name: String) -> Int64? {
    get { numbers[name] }
    set { numbers[name] = newValue }
  }

  /// Nil: all of them are stored.
  var unstored: [String: Int64]? { numbers == stored ? nil : numbers }
  mutating func areStored(_ numbers: [String: Int64]) { stored = numbers }

  mutating func add(_ count: Int64, to name: String) { numbers[name, default: 0] += count }

  mutating func count(_ event: DownloadEvent) {
    switch event {
    case .completed: add(1, to: "completed")
    case .failed: add(1, to: "failed")
    case .retryScheduled: add(1, to: "retried")
    case .recovered: add(1, to: "recovered")
    case .maintenanceDone(_, _, let removed): add(Int64(removed), to: "removed")
    default: break
    }
  }
}

/// One change of what is wanted after the other.
final class ChangeTurn {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter(isolation: isolated (any Actor)? = #isolation) async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { next in
      // Nobody may be left to say so.
      if isTaken { return waiting.append(next) }
      isTaken = true
      next.resume()
    }
  }

  func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
