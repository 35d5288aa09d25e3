import DiskFaults
import Runtime
import Synchronization

@testable import Offline

/// Rows of which one download's fail, in the state that is named.
final class FaultyRows: DownloadRows {
  struct Rule: Sendable {
    var state: DownloadRecord.State
    var effect: FaultyDisk.Effect
    var times = 1
  }

  private let rows: Mutex<[MediaKey: DownloadRecord]>
  private let rule = Mutex<Rule?>(nil)
  private let key: MediaKey
  private let disk: FaultyDisk
  private let refused: @Sendable () -> Void

  init(
    _ rows: [MediaKey: DownloadRecord], failing key: MediaKey, with disk: FaultyDisk,
    refused: @escaping @Sendable () -> Void
  ) {
    self.rows = Mutex(rows)
    (self.key, self.disk, self.refused) = (key, disk, refused)
  }

  func set(_ rule: Rule?) { self.rule.withLock { $0 = rule } }
  var all: [MediaKey: DownloadRecord] { rows.withLock { $0 } }

  func store(_ record: DownloadRecord) async throws(Fault) {
    let gone = Fault(.passing, "T-9", "the power is gone")
    if disk.isDead { throw gone }
    let effect = rule.withLock { rule -> FaultyDisk.Effect? in
      guard record.key == key, let now = rule, now.state == record.state, now.times > 0 else { return nil }
      rule?.times -= 1
      return now.effect
    }
    switch effect {
    case .says(let fault)?:
      refused()
      throw fault
    case .dies(afterwards: true)?:
      rows.withLock { $0[record.key] = record }
      disk.cutPower()
      throw gone
    case .dies(afterwards: false)?:
      disk.cutPower()
      throw gone
    default: rows.withLock { $0[record.key] = record }
    }
  }
}
