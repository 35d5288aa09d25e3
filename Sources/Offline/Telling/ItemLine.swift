import Runtime
import Services

/// One item, wanted or not, as it is shown to whoever asks for it by its name.
package struct ItemLine: Equatable, Sendable {
  package enum State: String, Sendable, CaseIterable {
    /// Nobody wants it, and nothing of it is here.
    case notWanted = "not wanted"
    /// It is next when others are done.
    case wanted
    /// For what `why` says, and until when where that is known.
    case waiting
    case paused
    case fetching
    /// Whole, because somebody wants it.
    case kept
    /// It was streamed. Some or all of it is stored until the room is needed.
    case cached
    /// It is not tried again by itself; `why` says what went wrong.
    case failed
  }

  package var item: ItemKey
  /// The quality that is wanted or stored; nil when nobody wants the item and nothing of it is stored.
  package var quality: Quality?
  package var facts: MediaItem?
  package var state = State.notWanted
  package var offline = OfflineState.notOffline
  package var bytes: Int64 = 0
  package var size: Int64?
  /// Bytes a second, lately.
  package var speed: Int64 = 0
  package var why: [Why] = []
  /// What wants it.
  package var containers: [ContainerKey] = []
  /// The stored download; nil when none was ever begun.
  package var record: DownloadRecord?

  package init(_ item: ItemKey) { self.item = item }

  /// Nil: nobody can say.
  package var left: Duration? {
    guard state == .fetching, speed > 0, let size else { return nil }
    return .seconds(max(size - bytes, 0) / speed)
  }
}

extension ItemLine.State {
  init(_ shown: DownloadEngine.Shown, isWanted: Bool) {
    let record = shown.record
    switch record.state {
    case .completed: self = isWanted ? .kept : .cached
    case .failed: self = .failed
    case .paused: self = .paused
    case .cancelled: self = .notWanted
    case .downloading: self = .fetching
    case .queued, .retrying:
      if !isWanted {
        self = .cached
      } else if shown.isResting {
        self = .paused
      } else {
        self = shown.why == [Why(.turn)] ? .wanted : .waiting
      }
    }
  }
}
