import Runtime
import Services

/// Which sources serve: what waits for its source or for the line, and what shows that it need not any more. Owns who is
/// sent to look (`OutageProbe`) and whose pages come in place of music (`CaptivePortalDetector`). Lives on the loop
/// `offline`, inside `DownloadEngine`. In memory: after a power cut everything that waits is tried once.
final class SourceHealth {
  /// Those that have met a page let others show first whether the line is open.
  private static let letsOthersShow: Duration = .seconds(900)

  private let tools: EngineTools
  private let downloads: ActiveDownloads
  private let queue: TransferQueue
  private let conditions: RunningConditions
  private var pages = CaptivePortalDetector()
  private var probe = OutageProbe(pace: .random(in: 0.75...1))

  init(
    _ tools: EngineTools, _ downloads: ActiveDownloads, _ queue: TransferQueue, _ conditions: RunningConditions
  ) {
    (self.tools, self.downloads, self.queue, self.conditions) = (tools, downloads, queue, conditions)
  }

  // MARK: What is told

  /// As it was stored.
  func waited(_ key: MediaKey, for reason: WaitReason) { probe.waits(key, for: reason, at: tools.loop.now) }

  func waits(_ active: ActiveDownload, for reason: WaitReason) {
    let now = tools.loop.now
    if reason == .portal { pages.page(of: active.key, at: now) }
    if active.download.showsOwnPage { pages.ownPage(of: active.key) }
    probe.waits(active.key, for: reason, failingSince: active.waits.failingSince, at: now)
  }

  /// It waits for its source no more, for whatever reason.
  func left(_ key: MediaKey) { probe.left(key) }

  /// So much came of it that its server serves.
  func came(_ active: ActiveDownload, isWhole: Bool) {
    let now = tools.loop.now
    if isWhole { pages.proved(at: now) }
    guard isWhole || active.download.record.retry.attempts == 0 else { return }
    pages.came(active.key)
    active.waits.failingSince = nil
    goOn(probe.came(active.key, for: .server, at: now))
  }

  /// Its source has said where it is.
  func resolved(_ key: MediaKey) { goOn(probe.came(key, for: .source)) }

  func hear(_ new: TransferConditions, after old: TransferConditions) {
    if new.network != old.network { pages = CaptivePortalDetector() }
    if new.internet == .reached, old.internet != .reached { pages.proved(at: tools.loop.now) }
    guard new.isNewLine(after: old) else { return }
    forgetFailures()
    goOn(probe.newLine())
  }

  /// What came in place of an index need not be there any more.
  func forgetFailures() {
    for source in tools.sources.values { source.forgetFailure() }
  }

  // MARK: Who looks

  /// When the next transfer tries a source again; nil when none waits.
  var due: Moment? { probe.due }
  func due(for key: MediaKey) -> Moment? { probe.due(for: key) }

  func sendProbes(at now: Moment) {
    guard conditions.policy.hasInternet else { return }
    goOn(probe.scouts(at: now) { queue.rank(of: $0) != nil && !queue.isHeldByOwner($0) })
  }

  private func goOn(_ keys: [MediaKey]) {
    for key in keys {
      guard let reason = downloads.record(key)?.waits, reason.isOutage else { continue }
      downloads.hear(.lifted(reason), for: key)
    }
  }

  // MARK: Pages

  /// Another page in place of this is the source's own.
  func isLineProven(for key: MediaKey, at now: Moment) -> Bool { pages.isProven(for: key, at: now) }

  /// Whether it may be tried again after a page. Where no other can show whose page it was, it has to.
  func isPageOver(_ active: ActiveDownload, waited: Duration, at now: Moment) -> Bool {
    guard conditions.policy.hasInternet else { return false }
    if pages.isProven(for: active.key, at: now) || waited >= Self.letsOthersShow { return true }
    return queue.planner.runningCount == 0 && !queue.planner.isAnyAskedForReady
  }
}
