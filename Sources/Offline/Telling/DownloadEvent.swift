import Runtime

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
  case notOffline
  case valid
  /// It is here, and may not be played: its licence is over, or its file is not as it should be.
  case notValid

  /// `isAllowed`: by its licence, if it has one.
  package init(_ record: DownloadRecord?, isAllowed: Bool = true, isDamaged: Bool = false) {
    // An older version is better than none.
    guard let record, record.state == .completed || record.path != nil else {
      self = .notOffline
      return
    }
    self = isAllowed && !isDamaged ? .valid : .notValid
  }
}
