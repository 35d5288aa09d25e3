import Runtime
import Services

/// The streams that somebody reads now, and the beginnings of what comes next: how far each may be fetched ahead, and
/// whether listening has the line for itself. Lives on the loop `offline`, inside `DownloadEngine`. In memory: after a
/// power cut nobody listens, and what is here of a stream is cache.
final class OpenStreams {
  private let downloads: ActiveDownloads
  private let queue: TransferQueue
  private let conditions: RunningConditions
  private let files: DownloadFiles
  let windows: StreamWindows
  /// What comes next, whose beginnings are fetched.
  private(set) var prepared: [MediaKey] = []
  /// What somebody reads as it comes.
  private var listened: Set<MediaKey> = []
  /// Of what is listened to hardly anything is here: nothing else takes part of the line.
  private(set) var isBufferLow = false
  /// The number that was given last.
  private var last = 0

  init(
    _ tools: EngineTools, _ downloads: ActiveDownloads, _ queue: TransferQueue, _ conditions: RunningConditions,
    _ files: DownloadFiles
  ) {
    (self.downloads, self.queue, self.conditions, self.files) = (downloads, queue, conditions, files)
    windows = StreamWindows(tools, downloads)
  }

  /// Who wants what is listened to.
  static func streaming(_ key: MediaKey) -> ContainerKey {
    ContainerKey(source: key.source, kind: .cache, id: key.item.item)
  }

  /// Who wants the beginning of what comes next.
  static func comingNext(_ key: MediaKey) -> ContainerKey { ContainerKey(source: key.source, kind: .cache, id: "") }

  func isWanted(_ key: MediaKey) -> Bool { queue.planner.wants(key, for: Self.streaming(key)) }

  // MARK: Who listens

  func begins(_ active: ActiveDownload) -> Int {
    last += 1
    active.isDropped = false
    active.listeners.streams.insert(last)
    active.transfer.fetch?.running.listened(true)
    active.listeners.heardTo = 0
    listened.insert(active.key)
    return last
  }

  /// False: others listen to it still.
  func ends(_ active: ActiveDownload, _ number: Int) -> Bool {
    active.listeners.streams.remove(number)
    guard active.listeners.streams.isEmpty else { return false }
    listened.remove(active.key)
    active.transfer.fetch?.running.listened(false)
    // It keeps no place from what is listened to; and what was dropped meanwhile stays so.
    if isWanted(active.key), !active.isDropped {
      queue.add(active.key, for: Self.streaming(active.key), .start, order: 0, queuedAt: 0)
    }
    return true
  }

  /// Its download was given up meanwhile.
  func ends(_ key: MediaKey) {
    listened.remove(key)
    queue.planner.drop(key, for: Self.streaming(key))
  }

  /// In this order. Of what was to come before, and does not any more, nothing more is fetched: those.
  func prepare(_ keys: [MediaKey]) -> [MediaKey] {
    defer { prepared = keys }
    return prepared.filter { !keys.contains($0) }
  }

  // MARK: How far ahead

  /// How much of it is needed by those who want it.
  private func need(_ active: ActiveDownload) -> RunAhead.Need {
    let key = active.key
    let own: Set<ContainerKey> = [Self.streaming(key), Self.comingNext(key)]
    let containers = queue.planner.containers(of: key)
    guard !containers.isEmpty, own.isSuperset(of: containers) else { return .all }
    guard containers.contains(Self.streaming(key)) else { return .beginning }
    // What is cache when it is over is fetched whole; on a low battery the rest waits until it is about to be heard.
    let situation = conditions.situation
    let isKept = StreamKeeping.isKept(isWanted: false, cameAtCost: situation.costs, free: files.free)
    return situation.isOnLowBattery || !isKept ? ahead(of: active) : .all
  }

  private func ahead(of active: ActiveDownload) -> RunAhead.Need {
    .from(
      active.listeners.heardTo, ahead: conditions.situation.isOnLowBattery ? RunAhead.mostOnLowBattery : RunAhead.most)
  }

  func mayRunAhead(_ active: ActiveDownload) -> Bool {
    active.listeners.ahead.mayGoOn(affordable(active), arrived: active.download.arrived, at: active.key.quality)
  }

  /// Where bytes cost, listening is no reason to fetch what is to be kept: the rest waits for a network that is free,
  /// as it would without a listener.
  private func affordable(_ active: ActiveDownload) -> RunAhead.Need {
    let (own, policy) = (need(active), conditions.policy)
    guard own == .all, policy.situation.isMetered, isWanted(active.key) else { return own }
    return policy.paysToKeep(isExcepted: queue.planner.isExcepted(active.key)) ? .all : ahead(of: active)
  }

  /// Why no more of it is fetched, though nothing is in the way.
  func enough(_ active: ActiveDownload) -> WaitReason? {
    guard active.listeners.ahead.rests else { return nil }
    return switch affordable(active) {
    case .all: nil
    case .beginning: .begun
    case .from: .ahead
    }
  }

  /// Something has come of it, and that may be enough.
  func holdWhatIsEnough(_ active: ActiveDownload) {
    active.listeners.cameAtCost = active.listeners.cameAtCost || conditions.situation.costs
    guard active.transfer.fetch != nil, !mayRunAhead(active) else { return }
    // Before what has come meanwhile.
    active.inbox.insert((.hold, []), at: 0)
  }

  // MARK: The line

  /// Stops other transfers while a running stream has too little music ahead (`RunAhead.checkIsLow`). True: they may go on
  /// again.
  func holdOthersIfLow() -> Bool {
    let wasLow = isBufferLow
    isBufferLow = false
    for key in listened {
      guard let active = downloads[key], active.download.state.isRunning else { continue }
      let isLow = active.listeners.ahead.checkIsLow(
        from: active.listeners.heardTo, arrived: active.download.arrived, of: active.download.record.size,
        at: key.quality)
      isBufferLow = isBufferLow || isLow
    }
    if isBufferLow, !wasLow {
      for key in queue.planner.runningKeys where queue.rank(of: key).map({ $0 > .playing }) ?? true {
        downloads.hear(.hold, for: key)
      }
    }
    return wasLow && !isBufferLow
  }

  /// Whose turn may be now, while that is so.
  func pressed(_ gate: Planner.Gate) -> Planner.Gate {
    guard isBufferLow else { return gate }
    func streams(_ ranks: ClosedRange<Rank>?) -> ClosedRange<Rank>? {
      guard let ranks, ranks.contains(.playing) else { return nil }
      return Rank.playing...Rank.playing
    }
    return Planner.Gate(all: streams(gate.all), exceptions: streams(gate.exceptions))
  }
}

/// How far what is fetched for listening may run ahead of whoever listens. Of what comes next the beginning is enough.
/// What will not be kept is fetched a minute ahead, and half a minute while the battery is low: it rests when that is
/// there and goes on when half of it is left.
struct RunAhead: Equatable {
  enum Need: Equatable {
    case all
    /// So that it begins at once when its turn comes.
    case beginning
    /// Somebody listens, and has read so far; it is fetched so far ahead of that.
    case from(Int64, ahead: Duration)
  }

  static let beginning: Duration = .seconds(10)
  static let refill: Duration = .seconds(30)
  static let most: Duration = .seconds(60)
  /// While the battery is low.
  static let mostOnLowBattery: Duration = .seconds(30)
  /// Tags and a cover stand before the music.
  static let head: Int64 = 256 << 10

  /// Less is there, and nothing else takes part of the line until it is `refill`.
  static let least: Duration = .seconds(10)

  private(set) var rests = false
  private(set) var isBufferLow = false

  /// Whether it may be fetched on, with so much of it here.
  mutating func mayGoOn(_ need: Need, arrived: Int64, at quality: Quality) -> Bool {
    switch need {
    case .all: rests = false
    case .beginning: rests = arrived >= Self.head + quality.estimate(of: Self.beginning)
    case .from(let place, let ahead):
      let (least, most) = (quality.estimate(of: ahead / 2), Self.head + quality.estimate(of: ahead))
      rests = arrived - place >= (rests ? least : most)
    }
    return !rests
  }

  /// Whether this running stream, of which `place` bytes were read, should get all the bandwidth: from the moment when
  /// less than `least` is ahead of the listener, until `refill` is.
  mutating func checkIsLow(from place: Int64, arrived: Int64, of size: Int64?, at quality: Quality) -> Bool {
    let (there, wanted) = (arrived - place, quality.estimate(of: isBufferLow ? Self.refill : Self.least))
    isBufferLow = there < wanted && (size.map { arrived < $0 } ?? true)
    return isBufferLow
  }
}
