import Ciphers
import Library
import Runtime

/// What is whole is looked at again, slowly and when nothing else is to be done; what is not as it was is fetched anew.
extension OfflinePart {
  private static let slice = 1 << 19
  /// So long without any news of it, and a transfer is taken for stuck.
  static let stuckAfter: Duration = .seconds(600)

  enum Finding: Equatable { case right, damaged, gone, interrupted }

  /// One a minute.
  func lookAfterNext() async {
    await carrier.wakeStuck(after: Self.stuckAfter)
    guard rulesAtStart?.looksAfter != false, await carrier.isAtEase else { return }
    let whole = await carrier.completed()
    guard let record = whole.first(where: { record in lookedAt.map { $0 < record.key } ?? true }) else {
      // All of them: the next round begins with the first.
      if lookedAt != nil { numbers["looked.after.at"] = date() }
      return lookedAt = nil
    }
    if await lookAfter(record, isPatient: true) != .interrupted { lookedAt = record.key }
  }

  /// On demand: all of them at once.
  package func lookAfterAll() async -> OfflineHealth {
    var (checked, repaired) = (0, 0)
    for record in await carrier.completed() {
      let finding = await lookAfter(record, isPatient: false)
      checked += 1
      if finding != .right { repaired += 1 }
    }
    numbers["looked.after.at"] = date()
    told(.download(.maintenanceDone(checked: checked, repaired: repaired, removed: 0)))
    return await health()
  }

  private func lookAfter(_ record: DownloadRecord, isPatient: Bool) async -> Finding {
    guard let path = record.path else { return .right }
    let finding = await look(at: FilePath(path), record, isPatient: isPatient)
    // It may have been given up while it was looked at.
    let isStill = await carrier.record(record.key) == record
    guard isStill, finding == .damaged || finding == .gone else { return finding }
    add(1, to: "damaged")
    Log("offline").info("a whole file is not as it was", ["file": path])
    await carrier.hear(.lost, for: record.key)
    return finding
  }

  private func look(at path: FilePath, _ record: DownloadRecord, isPatient: Bool) async -> Finding {
    do throws(Fault) {
      guard let file = try disk.open(path, making: false) else {
        return try await isAnyThere(but: record) ? .gone : .interrupted
      }
      let finding = await read(file, path, record, isPatient: isPatient)
      disk.close(file)
      return finding
    } catch { return .interrupted }
  }

  /// A disk that is not there has lost nothing.
  private func isAnyThere(but record: DownloadRecord) async throws(Fault) -> Bool {
    for other in await carrier.completed().prefix(10) where other.key != record.key {
      guard let path = other.path, let file = try disk.open(FilePath(path), making: false) else { continue }
      disk.close(file)
      return true
    }
    return false
  }

  private func read(_ file: Int32, _ path: FilePath, _ record: DownloadRecord, isPatient: Bool) async -> Finding {
    do throws(Fault) {
      let length = try disk.length(of: file, path)
      if let size = record.size, size != length { return .damaged }
      var sum = try SHA256()
      var at: Int64 = 0
      while at < length {
        at += try add(file, path, at: at, upTo: length, to: &sum)
        await loop.nextRound()
        if isPatient, await !carrier.isAtEase { return .interrupted }
      }
      let found = try sum.value().description
      return record.hash == nil || record.hash == found ? .right : .damaged
    } catch { return error.kind == .damaged ? .damaged : .interrupted }
  }

  private func add(
    _ file: Int32, _ path: FilePath, at offset: Int64, upTo length: Int64, to sum: inout SHA256
  ) throws(Fault) -> Int64 {
    let bytes = try disk.bytes(of: file, at: offset, most: Self.slice, code: "O-306", path)
    guard !bytes.isEmpty else { throw Fault(.damaged, "O-306", "\(path) ends before its time") }
    sum.add(bytes)
    disk.drop(file, offset..<offset + Int64(bytes.count))
    return Int64(bytes.count)
  }
}
