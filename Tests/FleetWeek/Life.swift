import Offline
import Runtime

/// What a board has in its memory between two power cuts.
final class Life {
  let number: Int
  let bootedAt: Moment
  var planner = Planner()
  var policy: TransferPolicy
  var intents: Wants
  var carriages: [MediaKey: ActiveDownload] = [:]
  var transfers: [MediaKey: Transfer] = [:]
  /// For which containers the planner was told of what.
  var planned: [MediaKey: Set<ContainerKey>] = [:]
  var ranks: [ContainerKey: Rank] = [:]
  var isClockSet: Bool
  /// Files and rows say the same.
  var isReady = false
  var hasSuspicion = false
  /// Something was dropped whose disk was away.
  var mayHaveOrphans = false
  var pages = CaptivePortalDetector()
  var scouting = OutageProbe()
  /// They need not wait for their source any more.
  var going: [MediaKey] = []
  /// Something ended, for which room was kept.
  var mayHaveRoom = false
  /// When the policy's timer goes off.
  var looksAt: Moment?

  init(number: Int, at now: Moment, _ rules: TransferRules, _ intents: Wants, isClockSet: Bool) {
    (self.number, bootedAt, self.intents, self.isClockSet) = (number, now, intents, isClockSet)
    policy = TransferPolicy(rules)
    planner.limit = rules.atOnce
  }

  func moment(_ now: Moment) -> Moment { Moment(nanoseconds: 0) + (now - bootedAt) }
}

/// One download as its performer sees it.
final class ActiveDownload {
  var download: Download
  var stored: DownloadRecord
  var inbox: [Download.Event] = []
  var isBusy = false
  var waitsSince = Moment(nanoseconds: 0)
  /// In which hour, and how often in it.
  var waits = (hour: Int64(0), count: 0)

  init(_ download: Download) {
    self.download = download
    stored = download.record
  }

  var key: MediaKey { download.key }
}

/// A body on its way.
struct Transfer {
  var ticket: Download.Ticket
  var asked: Asked
  var version = 0
  var at: Int64 = 0
  var end: Int64 = 0
  var hasHead = false
  /// It breaks off there, in due form or not.
  var isGarbled = false
  /// Came since bytes were last made durable.
  var pieces: [Content.Run] = []
}

/// What the owner has asked for, as somebody would write it down who knows nothing of rules.
struct Ledger {
  var wishes: [ContainerKey: (quality: Quality, items: [ItemKey])] = [:]
  var leftOut: Set<ItemKey> = []
  var paused: Set<MediaKey> = []

  /// By owners, and not by predictions or caches.
  var asked: [ItemKey: Quality] { items { $0.kind != .predicted && $0.kind != .cache } }
  var all: [ItemKey: Quality] { items { _ in true } }

  private func items(_ isMeant: (ContainerKey) -> Bool) -> [ItemKey: Quality] {
    var found: [ItemKey: Quality] = [:]
    for (container, wish) in wishes where isMeant(container) {
      for item in wish.items where !leftOut.contains(item) {
        found[item] = max(found[item] ?? .low, wish.quality)
      }
    }
    return found
  }
}
