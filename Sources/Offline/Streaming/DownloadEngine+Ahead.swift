import Runtime

/// What is not heard yet.
extension DownloadEngine {
  static func comingNext(_ key: MediaKey) -> ContainerKey { ContainerKey(source: key.source, kind: .cache, id: "") }

  /// The beginnings of what comes next, in this order, shall be here when their turn comes. Of what was to come before,
  /// and does not any more, nothing more is fetched.
  package func prepare(_ keys: [MediaKey]) {
    let gone = prepared.filter { !keys.contains($0) }
    prepared = keys
    for key in gone { leavePrepared(key) }
    for (order, key) in keys.enumerated() {
      let isNew = carriages[key] == nil
      add(
        key, for: Self.comingNext(key), Planner.Want(.start, order: Int64(order), since: loop.now), queuedAt: date())
      guard let carriage = carriages[key] else { continue }
      if isNew { carriage.download.record.isCache = true }
      // What is just being cancelled comes back behind that.
      if carriage.isDropped || carriage.download.state == .cancelled { hear(.again, for: key) }
      carriage.isDropped = false
      ready(carriage)
    }
    fill()
  }

  private func leavePrepared(_ key: MediaKey) {
    let isRunning = planner.isRunning(key)
    planner.drop(key, for: Self.comingNext(key))
    if isRunning, planner.rank(of: key) == nil { hear(.hold, for: key) }
  }

  /// How much of it is needed by those who want it.
  private func need(_ carriage: ActiveDownload) -> RunAhead.Need {
    let key = carriage.key
    let own: Set<ContainerKey> = [Self.streaming(key), Self.comingNext(key)]
    let containers = planner.containers(of: key)
    guard !containers.isEmpty, own.isSuperset(of: containers) else { return .all }
    guard containers.contains(Self.streaming(key)) else { return .beginning }
    // What is cache when it is over is fetched whole; on a low battery the rest waits until it is about to be heard.
    let isKept = StreamKeeping.isKept(isWanted: false, cameAtCost: situation.costs, free: free)
    return situation.isOnLowBattery || !isKept ? ahead(of: carriage) : .all
  }

  private func ahead(of carriage: ActiveDownload) -> RunAhead.Need {
    .from(carriage.heardTo, ahead: situation.isOnLowBattery ? RunAhead.mostOnLowBattery : RunAhead.most)
  }

  func mayRunAhead(_ carriage: ActiveDownload) -> Bool {
    carriage.ahead.mayGoOn(affordable(carriage), arrived: carriage.download.arrived, at: carriage.key.quality)
  }

  /// Where bytes cost, listening is no reason to fetch what is to be kept: the rest waits for a network that is free, as it
  /// would without a listener.
  private func affordable(_ carriage: ActiveDownload) -> RunAhead.Need {
    let (own, key) = (need(carriage), carriage.key)
    guard own == .all, policy.situation.isMetered, planner.wants(key, for: Self.streaming(key)) else { return own }
    return policy.paysToKeep(isExcepted: planner.isExcepted(key)) ? .all : ahead(of: carriage)
  }

  /// Why no more of it is fetched, though nothing is in the way.
  func enough(_ carriage: ActiveDownload) -> WaitReason? {
    guard carriage.ahead.rests else { return nil }
    return switch affordable(carriage) {
    case .all: nil
    case .beginning: .begun
    case .from: .ahead
    }
  }

  /// Something has come of it, and that may be enough.
  func holdWhatIsEnough(_ carriage: ActiveDownload) {
    carriage.cameAtCost = carriage.cameAtCost || situation.costs
    guard carriage.fetch != nil, !mayRunAhead(carriage) else { return }
    // Before what has come meanwhile.
    carriage.inbox.insert((.hold, []), at: 0)
  }

  /// As long as somebody listens to what has hardly come, nothing else takes part of the line. One that does not run
  /// itself keeps nobody waiting.
  func press() {
    var isPressed = false
    for key in listened {
      guard let carriage = carriages[key], carriage.download.state.isRunning else { continue }
      let presses = carriage.ahead.presses(
        from: carriage.heardTo, arrived: carriage.download.arrived, of: carriage.download.record.size, at: key.quality)
      isPressed = isPressed || presses
    }
    let wasPressed = self.isPressed
    self.isPressed = isPressed
    if isPressed, !wasPressed {
      for key in planner.runningKeys where planner.rank(of: key).map({ $0 > .playing }) ?? true {
        hear(.hold, for: key)
      }
    } else if wasPressed, !isPressed {
      fill()
    }
  }

  /// Whose turn may be now, while that is so.
  func pressed(_ gate: Planner.Gate) -> Planner.Gate {
    guard isPressed else { return gate }
    func streams(_ ranks: ClosedRange<Rank>?) -> ClosedRange<Rank>? {
      guard let ranks, ranks.contains(.playing) else { return nil }
      return Rank.playing...Rank.playing
    }
    return Planner.Gate(all: streams(gate.all), exceptions: streams(gate.exceptions))
  }

  /// Beside the music that somebody listens to, which costs more.
  var mayFetchPictures: Bool {
    guard everybodys(.stream, loop.now).isEmpty else { return false }
    return !policy.situation.isMetered || policy.paysToKeep(isExcepted: false)
  }

  /// Somebody who listens has said otherwise.
  func isHeldByOwner(_ key: MediaKey) -> Bool {
    resting.contains(key) && carriages[key].map { $0.streams.isEmpty } ?? true
  }
}
