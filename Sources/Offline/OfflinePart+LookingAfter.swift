import Ciphers
import Runtime

/// What is whole is looked at again, slowly and when nothing else is to be done; what is not as it was is fetched anew.
extension OfflinePart {
  private static let slice = 1 << 19
  /// So long without any news of it, and a transfer is taken for stuck.
  static let stuckAfter: Duration = .seconds(600)

  /// One a minute, each once a month.
  func lookAfterNext() async {
    guard rulesAtStart?.looksAfter != false, checkup?.state != .running, lookedAt != nil || isCheckDue else { return }
    guard await carrier.isAtEase, isHomeThere else { return }
    let whole = await carrier.completed()
    guard let record = whole.first(where: { record in lookedAt.map { $0 < record.key } ?? true }) else {
      // All of them: the next round begins with the first.
      if lookedAt != nil { await endRound() }
      return lookedAt = nil
    }
    let finding = await lookAfter(record, isPatient: true)
    guard finding != .interrupted else { return }
    checkedOfRound += 1
    if finding == .damaged || finding == .gone { repairedOfRound += 1 }
    lookedAt = record.key
  }

  func lookAfter(_ record: DownloadRecord, isPatient: Bool) async -> Checkup.Finding {
    guard let path = record.path else { return .right }
    let finding = await look(at: FilePath(path), record, isPatient: isPatient)
    guard finding == .damaged || finding == .gone else { return finding }
    // It may have been given up while it was looked at.
    guard await carrier.record(record.key) == record else { return .other }
    add(1, to: "damaged")
    Log("offline").info("a whole file is not as it was", ["file": path])
    await carrier.hear(.lost, for: record.key)
    return finding
  }

  private func look(at path: FilePath, _ record: DownloadRecord, isPatient: Bool) async -> Checkup.Finding {
    do throws(Fault) {
      guard let file = try disk.open(path, making: false) else {
        // A disk that is not there has lost nothing.
        return isHomeThere ? .gone : .interrupted
      }
      let finding = await read(file, path, record, isPatient: isPatient)
      disk.close(file)
      return finding
    } catch { return .interrupted }
  }

  private func read(_ file: Int32, _ path: FilePath, _ record: DownloadRecord, isPatient: Bool) async -> Checkup.Finding
  {
    do throws(Fault) {
      let length = try disk.length(of: file, path)
      if let size = record.size, size != length { return .damaged }
      var sum = try SHA256()
      var at: Int64 = 0
      while at < length {
        let count = try add(file, path, at: at, upTo: length, to: &sum)
        at += count
        if !isPatient {
          checkup?.read(count)
          checkSpeed.took(Int(count), at: loop.now)
        }
        await loop.nextRound()
        if isPatient, await !carrier.isAtEase { return .interrupted }
        if !isPatient, checkup?.state == .calledOff { return .interrupted }
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
