import Runtime

/// How downloads stand, in numbers and in words: what runs, and why the others wait. Owns what it said last, and how fast
/// bytes come from each source. Lives on the loop `offline`, inside `DownloadEngine`. In memory.
final class TransferExplainer {
  private let tools: EngineTools
  private let downloads: ActiveDownloads
  private let queue: TransferQueue
  private let conditions: RunningConditions
  private let health: SourceHealth
  private let openStreams: OpenStreams
  private var said: [Why] = []
  private var speeds: [String: Speed] = [:]

  init(
    _ tools: EngineTools, _ downloads: ActiveDownloads, _ queue: TransferQueue, _ conditions: RunningConditions,
    _ health: SourceHealth, _ openStreams: OpenStreams
  ) {
    (self.tools, self.downloads, self.queue) = (tools, downloads, queue)
    (self.conditions, self.health, self.openStreams) = (conditions, health, openStreams)
  }

  func took(_ bytes: Int, from source: String) { speeds[source, default: Speed()].took(bytes, at: tools.loop.now) }

  /// A file's speed is its share of what its source gives: all files that are fetched from a source at the same time have
  /// equal shares. A file's own speed would begin at 0, so that of an album would jump with each song.
  func shown(_ keys: [MediaKey]) -> [DownloadEngine.Shown] {
    let now = tools.loop.now
    let running = Dictionary(
      downloads.values.lazy.filter { $0.download.record.state.isRunning }.map { ($0.key.source, Int64(1)) },
      uniquingKeysWith: +)
    var shown: [DownloadEngine.Shown] = []
    for key in keys {
      guard let active = downloads[key] else { continue }
      let record = active.download.record
      let isRunning = record.state.isRunning
      shown.append(
        DownloadEngine.Shown(
          record: record, arrived: active.download.arrived,
          speed: isRunning ? (speeds[key.source]?.perSecond(at: now) ?? 0) / max(running[key.source] ?? 1, 1) : 0,
          isRunning: isRunning,
          isResting: queue.isResting(key) || record.state == .paused, rank: queue.rank(of: key),
          containers: queue.planner.containers(of: key), why: why(active, now)))
    }
    return shown
  }

  private func why(_ active: ActiveDownload, _ now: Moment) -> [Why] {
    let record = active.download.record
    switch record.state {
    case .downloading, .completed, .cancelled: return []
    case .failed: return [Why(record.trouble ?? .unknown)]
    case .paused: return [Why(.owner)]
    case .retrying:
      let trouble = record.trouble ?? .unknown
      // Until the pause is stored its end is not set; then it has not begun.
      return [
        Why(code: trouble.code, words: trouble.words, again: left(until: active.waits.dueAt, now) ?? record.pause)
      ]
    case .queued: break
    }
    let key = record.key
    if queue.isResting(key) { return [Why(.owner)] }
    if let reason = record.waits {
      var why = self.why(reason)
      if reason.isTrouble, let trouble = record.trouble { why.words = "\(reason.words): \(trouble.words)" }
      why.again = left(until: triedAgain(active, reason), now)
      return [why]
    }
    let reasons = everybodys(queue.purpose(of: key), isExcepted: queue.planner.isExcepted(key), now)
    return reasons.isEmpty ? [Why(openStreams.enough(active) ?? .turn)] : reasons
  }

  private func why(_ reason: WaitReason) -> Why { Why(code: reason.code, words: conditions.policy.why(reason)) }

  private func left(until moment: Moment?, _ now: Moment) -> Duration? { moment.map { max($0 - now, .zero) } }

  /// Where time alone ends it.
  private func triedAgain(_ active: ActiveDownload, _ reason: WaitReason) -> Moment? {
    if reason.isOutage { return conditions.policy.hasInternet ? health.due(for: active.key) : nil }
    return reason.askedAgainAfter.map { active.waits.since + $0 }
  }

  /// Why nothing of that kind may run.
  func everybodys(_ purpose: TransferPolicy.Purpose, isExcepted: Bool = false, _ now: Moment) -> [Why] {
    if queue.isResting { return [Why(.owner)] }
    let policy = conditions.policy
    guard case .waits(let reasons) = policy.verdict(purpose, isExcepted: isExcepted, at: now) else { return [] }
    return reasons.map { reason in
      var why = why(reason)
      if reason == .settling { why.again = policy.nextLook(at: now) }
      return why
    }
  }

  /// Whether the policy forbids this item now. The limit does not count, because what runs has claimed its space.
  func mustRest(_ key: MediaKey) -> Bool {
    let reasons = everybodys(
      queue.purpose(of: key), isExcepted: queue.planner.isExcepted(key), tools.loop.now)
    return reasons.contains { $0.code != WaitReason.limit.code }
  }

  /// Beside the music that somebody listens to, which costs more.
  var mayFetchPictures: Bool {
    guard everybodys(.stream, tools.loop.now).isEmpty else { return false }
    let policy = conditions.policy
    return !policy.situation.isMetered || policy.paysToKeep(isExcepted: false)
  }

  // MARK: What is told by itself

  /// Nothing runs, or somebody was told that nothing does.
  var mayHaveNews: Bool { queue.planner.runningCount == 0 || !said.isEmpty }

  /// Once for as long as the reasons stay the same: that something is wanted and nothing comes, and why; and that it
  /// goes on.
  func tellWhy(at now: Moment) {
    guard queue.hasBegun else { return }
    let isRunning = queue.planner.runningCount > 0
    let reasons = isRunning ? [] : waitsOfAll(now)
    let codes = reasons.map(\.code)
    // Numbers waver, and a network that settles is nothing to tell.
    guard codes != said.map(\.code), codes != [WaitReason.settling.code] else { return }
    let waited = !said.isEmpty
    said = reasons
    if !reasons.isEmpty { tools.news(.waits(reasons)) } else if waited, isRunning { tools.news(.goesOn) }
  }

  private func waitsOfAll(_ now: Moment) -> [Why] {
    // A smart download waits without a word: nobody misses it.
    if queue.planner.isAnyAskedForReady { return everybodys(.download, now) }
    // Nobody can run: whatever they wait for themselves.
    var own: Set<WaitReason> = []
    for active in downloads.values where active.download.state == .queued {
      if queue.rank(of: active.key) == .predicted { continue }
      if let reason = active.download.record.waits { own.insert(reason) }
    }
    return WaitReason.allCases.filter { own.contains($0) }.map { why($0) }
  }
}
