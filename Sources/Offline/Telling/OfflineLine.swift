import Runtime

/// Why something waits or has failed: a code that a person can read out, and plain words.
package struct Why: Hashable, Sendable {
  package var code: String
  package var words: String
  /// It is tried again by itself after so long; nil where something has to happen first.
  package var again: Duration?

  package init(code: String, words: String, again: Duration? = nil) {
    (self.code, self.words, self.again) = (code, words, again)
  }
  package init(_ reason: WaitReason) { (code, words) = (reason.code, reason.words) }
  package init(_ trouble: Trouble) { (code, words) = (trouble.code, trouble.words) }
  package init(_ warning: Keeper.Warning) { (code, words) = (warning.code, warning.words) }
}

extension Why {
  /// Also until when: "the server does not give it just now; it is tried again in 58 minutes".
  package var sentence: String { again.map { "\(words); it is tried again in \(Self.shown($0))" } ?? words }

  /// "5 seconds", "a minute", "58 minutes", "3 hours": rounded up, so that nobody looks too early.
  static func shown(_ duration: Duration) -> String {
    let seconds = max((duration.milliseconds + 999) / 1_000, 1)
    func count(_ number: Int64, _ unit: String) -> String { number == 1 ? "1 \(unit)" : "\(number) \(unit)s" }
    if seconds < 60 { return count(seconds, "second") }
    let minutes = (seconds + 59) / 60
    return minutes <= 90 ? count(minutes, "minute") : count((minutes + 59) / 60, "hour")
  }
}

/// A container that is wanted, as it is shown.
package struct OfflineLine: Equatable, Sendable {
  package enum State: String, Sendable, CaseIterable {
    /// All of it is here.
    case whole
    case running
    /// For a place, or for what `why` says.
    case waiting
    case paused
    /// Nothing of it goes on by itself.
    case failed
  }

  package var container: ContainerKey
  package var quality: Quality
  package var state: State
  /// Items that are wanted, and those of them that are whole or have failed.
  package var items = 0
  package var whole = 0
  package var failed = 0
  /// `bytes`: how many have arrived, durable or not. `size`: all there will be, as far as that is known.
  package var bytes: Int64 = 0
  package var size: Int64 = 0
  /// Bytes a second, lately.
  package var speed: Int64 = 0
  /// Something of it is fetched that has failed before and has not come further since.
  package var isTriedAgain = false
  /// Why it, or some of it, does not go on; the most frequent reason first.
  package var why: [Why] = []
  /// Why it is wanted, where nobody has asked for it.
  package var because: [[Prediction.Reason]] = []

  /// Nil: nobody can say.
  package var left: Duration? { speed > 0 ? .seconds((size - bytes) / speed) : nil }

  /// Nothing of it goes on before a person does something about it.
  package var needsOwner: Bool {
    guard state == .waiting, !why.isEmpty else { return false }
    return why.allSatisfy { WaitReason(code: $0.code)?.isOwners == true }
  }

  package init(_ container: ContainerKey, at quality: Quality, _ state: State) {
    (self.container, self.quality, self.state) = (container, quality, state)
  }
}

/// An item in the order in which they are fetched.
package struct PlannedLine: Equatable, Sendable {
  package var key: MediaKey
  package var title: String?
  package var artist: String?
  package var rank: Rank
  package var container: ContainerKey?
  package var isRunning = false
  package var bytes: Int64 = 0
  package var size: Int64?
  /// Why it has this rank, in words.
  package var because: String
  /// Why it does not run; empty when it does.
  package var why: [Why] = []

  package init(_ key: MediaKey, _ rank: Rank, because: String) {
    (self.key, self.rank, self.because) = (key, rank, because)
  }
}

/// How it went so far, and what is wrong.
package struct OfflineHealth: Equatable, Sendable {
  package var items = 0
  package var whole = 0
  package var waiting = 0
  package var failed = 0
  /// Since counting began: downloads that ended whole and not, attempts that were made again, power cuts and the like
  /// that were recovered from, files of nobody that were removed, and whole files that were found damaged.
  package var completedEver: Int64 = 0
  package var failedEver: Int64 = 0
  package var retriedEver: Int64 = 0
  package var recoveredEver: Int64 = 0
  package var removedEver: Int64 = 0
  package var damagedEver: Int64 = 0
  /// Seconds since 1970; nil for never.
  package var lookedAfterAt: Int64?
  /// Bytes of music that are kept, that may be, and that the disk has left.
  package var kept: Int64 = 0
  package var limit: Int64 = 0
  package var free: Int64?
  package var usage = OfflineUsage()
  package var volumes: [VolumeLine] = []
  /// Nil when nothing is being moved to another disk.
  package var move: MoveLine?
  /// Nil when none was begun since the start.
  package var check: CheckLine?
  /// Why nothing goes on, for everybody; empty when it does.
  package var why: [Why] = []

  package init() {}

  /// Per cent of the downloads that ended; nil before the first.
  package var success: Double? {
    let ended = completedEver + failedEver
    return ended > 0 ? Double(completedEver) / Double(ended) * 100 : nil
  }
}

/// How much of something is on the device because somebody wants it there, or on its way.
package struct KeptPart: Equatable, Sendable {
  /// How many items it holds.
  package var items = 0
  package var wanted = 0
  /// How many of the wanted ones are whole, and how many have failed.
  package var whole = 0
  package var failed = 0

  package init(items: Int = 0, wanted: Int = 0, whole: Int = 0, failed: Int = 0) {
    (self.items, self.wanted, self.whole, self.failed) = (items, wanted, whole, failed)
  }
}
