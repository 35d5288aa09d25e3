import Runtime

/// After a power cut: what was stored, and what lies on the disk, give the download back.
extension Download {
  /// The machine as it goes on, and what is to be done first. The record says how much of the file is certain; what is
  /// beyond was never durable for certain, and what is missing of it the disk has lost.
  package static func restored(
    _ record: DownloadRecord, _ remains: Remains, date: Int64 = 0
  ) -> (download: Download, actions: [Action]) {
    var download = Download(record)
    let actions = download.takeUp(remains, date)
    return (download, actions)
  }

  private mutating func takeUp(_ remains: Remains, _ date: Int64) -> [Action] {
    let before = record
    if remains.isUnchecked, let length = remains.length, state != .cancelled { return takeIn(length, remains) }
    switch state {
    case .cancelled:
      return remains.length != nil || remains.isWhole ? [.discard] : []
    case .completed:
      if remains.isWhole { return [] }
      record.forgetBytes()
      (record.retry, record.path, record.endedAt, record.trouble) = (Retry(), nil, nil, .lost)
      return enter(.queued)
    // It gets its name in one step, and only when all is right.
    case .downloading(.publishing) where remains.isWhole:
      return complete(nil, date) + [.tell(.recovered(key, bytes: record.durable))]
    default: break
    }
    if !remains.hasOlder { record.path = nil }
    if let there = remains.length, there > 0 {
      record.durable = min(record.durable, there)
    } else {
      record.forgetBytes()
    }
    switch state {
    case .downloading:
      return enter(.queued) + [.tell(.recovered(key, bytes: record.durable))]
    case .retrying:
      // Nobody knows how long the power was away.
      let pause = record.pause ?? Retry.firstPause
      return (record == before ? [] : [.store(record)]) + [.schedule(newTicket(), after: pause)]
    // Given up by an older program, for what was not its own trouble.
    case .failed where record.trouble?.waitsAfterAll != nil:
      (record.waits, record.endedAt) = (record.trouble?.waitsAfterAll, nil)
      return enter(.queued)
    default: return record == before ? [] : [.store(record)]
    }
  }

  /// All that there is to be is here; what it waits for is a look at it, whatever went wrong before.
  private mutating func takeIn(_ length: Int64, _ remains: Remains) -> [Action] {
    if !remains.hasOlder { record.path = nil }
    (record.durable, record.retry, record.waits) = (length, Retry(), nil)
    (record.pause, record.trouble, record.endedAt, record.tag) = (nil, nil, nil, nil)
    // Whose bytes these are is not known yet.
    record.pieces = Pieces()
    return state == .paused ? [.store(record)] : enter(.queued) + [.tell(.recovered(key, bytes: length))]
  }
}
