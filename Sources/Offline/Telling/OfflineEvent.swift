import Runtime
import Services

/// What the program is told, for notices, the log and whoever listens.
package enum OfflineEvent: Equatable, Sendable {
  case download(DownloadEvent)
  /// Something is wanted, and nothing of it is fetched. Told once for as long as the reasons stay the same.
  case waits([Why])
  /// What it waited for has come.
  case goesOn
  case warned(Keeper.Warning)
  /// Given up by itself to make room.
  case gaveUp(MediaKey, Keeper.Class, bytes: Int64)
  case wanted(ContainerKey)
  case dropped(ContainerKey)
  /// A container has other items now.
  case followed(ContainerKey, new: Int, gone: Int, over: Int)
  /// A source calls what lies in these files otherwise than before.
  case renamed([FilePath])
  /// Everything goes to another disk; that does not go on; it is there.
  case moving(from: String, to: String)
  case moveWaits([Why])
  case moved(to: String)
}

/// A file that is whole, right and under its name.
package struct WholeItem: Equatable, Sendable {
  package var key: MediaKey
  package var path: FilePath
  /// As its source tells of it; nil when nothing is known.
  package var facts: MediaItem?

  package init(_ key: MediaKey, at path: FilePath, _ facts: MediaItem?) {
    (self.key, self.path, self.facts) = (key, path, facts)
  }
}

/// What anything that listens is told of downloads.
package enum DownloadEvent: Equatable, Sendable {
  case started(MediaKey)
  /// Bytes that survive a power cut, and of how many, when that is known.
  case progressed(MediaKey, bytes: Int64, of: Int64?)
  case completed(MediaKey, bytes: Int64)
  case failed(MediaKey, Trouble)
  case deleted(MediaKey)
  case allDeleted
  /// For the log, and for whoever shows why nothing happens.
  case stateChanged(MediaKey, DownloadRecord.State)
  case waits(MediaKey, WaitReason)
  case retryScheduled(MediaKey, Trouble, after: Duration)
  /// What a power cut broke off is taken up, or was whole after all.
  case recovered(MediaKey, bytes: Int64)
  case maintenanceDone(checked: Int, repaired: Int, removed: Int)

  /// The item of which some bytes have come.
  package var served: MediaKey? {
    switch self {
    case .progressed(let key, _, _), .completed(let key, _): key
    case .started, .failed, .deleted, .allDeleted, .stateChanged, .waits, .retryScheduled, .recovered,
      .maintenanceDone:
      nil
    }
  }

  package var key: MediaKey? {
    switch self {
    case .started(let key), .progressed(let key, _, _), .completed(let key, _), .failed(let key, _): key
    case .deleted(let key), .stateChanged(let key, _), .waits(let key, _): key
    case .retryScheduled(let key, _, _), .recovered(let key, _): key
    case .allDeleted, .maintenanceDone: nil
    }
  }
}

/// How an item stands, for whoever wants to play it without a network.
package enum OfflineState: String, Sendable {
  case notOffline = "not offline"
  case valid
  /// It was whole, and its file is damaged or not there now.
  case notValid = "not valid"

  /// `isThere`: its file can be opened.
  package init(_ record: DownloadRecord, isThere: Bool) {
    if record.state == .completed || record.path != nil {
      // An older version is better than none.
      self = isThere ? .valid : .notValid
    } else {
      self = record.trouble == .lost ? .notValid : .notOffline
    }
  }
}
