import Runtime

/// All that is stored of a download; what is not in here is gone with the power, and nothing depends on it.
package struct DownloadRecord: Equatable, Sendable {
  package enum Phase: String, Sendable, CaseIterable {
    case resolving, fetching, verifying, publishing
  }

  /// Anything may happen in any state; what is not named as a way out leaves it as it is.
  package enum State: Hashable, Sendable {
    /// Has no place among those that run; waits for one, and perhaps for something of its own (`waits`).
    ///
    /// To: downloading, paused, cancelled.
    case queued

    /// Runs.
    ///
    /// - resolving: to fetching, verifying, queued, paused, retrying, failed, cancelled
    /// - fetching: to resolving, fetching, verifying, queued, paused, retrying, failed, cancelled
    /// - verifying: to publishing, queued, paused, retrying, failed, cancelled
    /// - publishing: to completed, queued, retrying, failed, cancelled
    case downloading(Phase)

    /// By the owner, until the owner says otherwise.
    ///
    /// To: queued, cancelled.
    case paused

    /// Lets time go by, and holds nothing meanwhile.
    ///
    /// To: queued, paused, cancelled.
    case retrying

    /// Whole, right, and under its name.
    ///
    /// To: queued (its file is lost, or its source has another version), cancelled (deleted).
    case completed

    /// Given up, because something is wrong with the item itself: until somebody asks again, its source has another
    /// version, the program starts, or a week has gone. What is here of it stays.
    ///
    /// To: queued, cancelled.
    case failed

    /// Nothing is kept of it.
    ///
    /// To: queued.
    case cancelled

    /// As it is stored: `downloading.fetching`.
    package var name: String {
      switch self {
      case .queued: "queued"
      case .downloading(let phase): "downloading.\(phase.rawValue)"
      case .paused: "paused"
      case .retrying: "retrying"
      case .completed: "completed"
      case .failed: "failed"
      case .cancelled: "cancelled"
      }
    }

    package static let all: [State] =
      [.queued] + Phase.allCases.map { .downloading($0) } + [.paused, .retrying, .completed, .failed, .cancelled]

    package init?(named name: String) {
      guard let state = Self.all.first(where: { $0.name == name }) else { return nil }
      self = state
    }

    package var isRunning: Bool { if case .downloading = self { true } else { false } }
  }

  /// A state may follow another in one step; tests hold the machine to it.
  package static func isWay(from old: State, to new: State) -> Bool {
    switch (old, new) {
    case _ where old == new: true
    case (.queued, .downloading(.resolving)), (.queued, .downloading(.verifying)), (.queued, .paused): true
    case (.downloading(.resolving), .downloading(.fetching)), (.downloading(.resolving), .downloading(.verifying)): true
    case (.downloading(.fetching), .downloading(.resolving)), (.downloading(.fetching), .downloading(.verifying)): true
    case (.downloading(.verifying), .downloading(.publishing)): true
    case (.downloading(.publishing), .completed): true
    case (.downloading(.publishing), .paused): false
    case (.downloading, .queued), (.downloading, .paused), (.downloading, .retrying), (.downloading, .failed): true
    case (.paused, .queued), (.retrying, .queued), (.retrying, .paused): true
    case (.completed, .queued), (.failed, .queued), (.cancelled, .queued): true
    case (_, .cancelled): true
    default: false
    }
  }

  package let key: MediaKey
  package var state = State.queued
  /// Of its own; those that are everybody's are `TransferPolicy`'s, and not stored.
  package var waits: WaitReason?
  package var retry = Retry()
  /// How long it lets go by when it is retrying. After a power cut all of it, anew: nobody knows how long that was.
  package var pause: Duration?
  package var trouble: Trouble?

  /// Bytes from the beginning that are on the disk for certain.
  package var durable: Int64 = 0 { didSet { pieces.cut(to: durable) } }
  /// What they are known to be.
  package var pieces = Pieces()
  package var size: Int64?
  package var isSizeSure = false
  /// SHA-256, as the source promises it; without a promise, as it was found to be.
  package var hash: String?
  /// Of the version that the durable bytes are of.
  package var tag: String?
  package var refusedFrom: Int64?

  /// Seconds since 1970, by the clock that the board had.
  package var queuedAt: Int64 = 0
  package var begunAt: Int64?
  package var endedAt: Int64?
  /// Where it is, when it is completed; before that, where an older version is.
  package var path: String?
  /// How its file is called at the end, as the source said.
  package var ending: String?

  /// It was streamed, and nobody asked to keep it.
  package var isCache = false
  /// Seconds since 1970.
  package var playedAt: Int64?
  package var plays = 0
  /// The library has been told of the finished file.
  package var isEntered = false

  package init(_ key: MediaKey, queuedAt: Int64 = 0) {
    self.key = key
    self.queuedAt = queuedAt
  }

  /// Can be given a place among those that run.
  package var isReady: Bool { state == .queued && waits == nil }

  package var held: Held {
    Held(
      durable: durable, tag: tag, size: size, isSizeSure: isSizeSure, hasHash: hash != nil, refusedFrom: refusedFrom)
  }

  /// What is here is of no use.
  mutating func forgetBytes() {
    (durable, tag, refusedFrom) = (0, nil, nil)
    if !isSizeSure { size = nil }
  }
}
