import Runtime
import Services

/// Who seeks in what has not come yet is given that part of it, beside the download that goes on from where it is.
extension DownloadEngine {
  /// So much may be missing in front of it, and it is simply waited for.
  static let nearEnough: Int64 = 64 << 10
  /// After a failure the file itself is waited for, and then it is tried again.
  static let windowRest: Duration = .seconds(2)

  /// What is there from `offset` on. Nil: whoever reads waits, and is woken when anything has come.
  func window(_ carriage: ActiveDownload, at offset: Int64, most count: Int) -> [UInt8]? {
    let record = carriage.download.record
    guard offset > carriage.download.arrived + Self.nearEnough, record.size != nil,
      record.tag != nil || record.hash != nil
    else {
      leaveWindow(carriage)
      return nil
    }
    if let window = carriage.window, window.covers(offset) { return window.read(at: offset, most: count) }
    leaveWindow(carriage)
    openWindow(carriage, at: offset)
    return nil
  }

  func leaveWindow(_ carriage: ActiveDownload) {
    carriage.window?.stop()
    carriage.window = nil
  }

  /// Only beside a download that runs: where nothing may be fetched, no part of it may be either.
  private func openWindow(_ carriage: ActiveDownload, at offset: Int64) {
    guard carriage.fetch != nil, let place = carriage.place, loop.now >= carriage.windowRestsUntil else { return }
    let (key, record) = (carriage.key, carriage.download.record)
    lastWindow += 1
    let number = lastWindow
    let window = StreamWindow(number, from: offset)
    carriage.window = window
    let asked = Asked(from: offset, ifRange: record.hash == nil ? record.tag : nil)
    Task(executorPreference: loop) { await self.fetchWindow(number, key, place, asked) }
  }

  private func fetchWindow(_ number: Int, _ key: MediaKey, _ place: MediaPlace, _ asked: Asked) async {
    let running = await fetching.fetch(place, asked) { [weak self] news in
      self?.soon { carrier in carrier.heard(news, ofWindow: number, key) }
    }
    // It may have been left meanwhile.
    guard let window = carriages[key]?.window, window.number == number else { return running.stop() }
    window.running = running
    running.listened(true)
  }

  private func heard(_ news: FetchNews, ofWindow number: Int, _ key: MediaKey) {
    guard let carriage = carriages[key], let window = carriage.window, window.number == number else { return }
    switch news {
    case .head(let answer):
      if !window.heard(answer, of: carriage.download.record) { giveUpWindow(carriage) }
    case .bytes(let bytes): window.took(bytes)
    case .ended:
      window.ended()
      if window.isEmpty { giveUpWindow(carriage) }
    case .failed: giveUpWindow(carriage)
    }
    carriage.readers.wake()
  }

  private func giveUpWindow(_ carriage: ActiveDownload) {
    Log("offline").info("a part of a file does not come by itself", ["item": "\(carriage.key)"])
    carriage.windowRestsUntil = loop.now + Self.windowRest
    leaveWindow(carriage)
  }
}
