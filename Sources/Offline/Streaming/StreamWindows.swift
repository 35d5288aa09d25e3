import Runtime
import Services

/// Who seeks in what has not come yet is given that part of it, beside the download that goes on from where it is. Lives on
/// the loop `offline`, inside `DownloadEngine`. In memory: nothing of a window is ever written.
final class StreamWindows {
  /// So much may be missing in front of it, and it is simply waited for.
  private static let nearEnough: Int64 = 64 << 10
  /// After a failure the file itself is waited for, and then it is tried again.
  private static let rest: Duration = .seconds(2)

  private let tools: EngineTools
  private let downloads: ActiveDownloads
  /// The number that was given last.
  private var last = 0

  init(_ tools: EngineTools, _ downloads: ActiveDownloads) { (self.tools, self.downloads) = (tools, downloads) }

  /// What is there from `offset` on. Nil: whoever reads waits, and is woken when anything has come.
  func read(_ active: ActiveDownload, at offset: Int64, most count: Int) -> [UInt8]? {
    let record = active.download.record
    guard offset > active.download.arrived + Self.nearEnough, record.size != nil,
      record.tag != nil || record.hash != nil
    else {
      leave(active)
      return nil
    }
    if let window = active.listeners.window, window.covers(offset) { return window.read(at: offset, most: count) }
    leave(active)
    open(active, at: offset)
    return nil
  }

  func leave(_ active: ActiveDownload) {
    active.listeners.window?.stop()
    active.listeners.window = nil
  }

  /// Only beside a download that runs: where nothing may be fetched, no part of it may be either.
  private func open(_ active: ActiveDownload, at offset: Int64) {
    guard active.transfer.fetch != nil, let place = active.transfer.place,
      tools.loop.now >= active.listeners.windowRestsUntil
    else { return }
    let (key, record) = (active.key, active.download.record)
    last += 1
    active.listeners.window = StreamWindow(last, from: offset)
    let asked = Asked(from: offset, ifRange: record.hash == nil ? record.tag : nil)
    tools.tasks.start { [last] engine in await engine.openStreams.windows.fetch(last, key, place, asked) }
  }

  private func fetch(
    _ number: Int, _ key: MediaKey, _ place: MediaPlace, _ asked: Asked, isolation: isolated (any Actor)? = #isolation
  ) async {
    let running = await tools.fetching.fetch(place, asked) { [tasks = tools.tasks] news in
      tasks.post { engine in engine.openStreams.windows.heard(news, of: number, key) }
    }
    // It may have been left meanwhile.
    guard let window = downloads[key]?.listeners.window, window.number == number else { return running.stop() }
    window.running = running
    running.listened(true)
  }

  private func heard(_ news: FetchNews, of number: Int, _ key: MediaKey) {
    guard let active = downloads[key], let window = active.listeners.window, window.number == number else { return }
    switch news {
    case .head(let answer):
      if !window.heard(answer, of: active.download.record) { giveUp(active) }
    case .bytes(let bytes): window.took(bytes)
    case .ended:
      window.ended()
      if window.isEmpty { giveUp(active) }
    case .failed: giveUp(active)
    }
    active.listeners.readers.wake()
  }

  private func giveUp(_ active: ActiveDownload) {
    Log("offline").info("a part of a file does not come by itself", ["item": "\(active.key)"])
    active.listeners.windowRestsUntil = tools.loop.now + Self.rest
    leave(active)
  }
}
