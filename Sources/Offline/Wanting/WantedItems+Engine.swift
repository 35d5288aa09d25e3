import Runtime

/// What the engine is told of what is wanted.
extension WantedItems {
  func perform(
    _ change: Wants.Change, of container: ContainerKey?, again isAgain: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    // What is dropped by one container may be wanted by another with less, and what was too many may go in now.
    var containers: Set<ContainerKey> = []
    if let container { containers.insert(container) }
    for key in change.queued + change.replaced.map(\.new) { containers.formUnion(wants.containers(of: key.item)) }
    for container in containers.sorted() {
      if let wish = wishes[container] { await want(container, wish, again: isAgain) }
    }
    for key in change.dropped { await settle(key.item) }
    for one in change.replaced { await settle(one.old.item) }
  }

  /// It does not hold them any more; others may.
  func unwant(
    _ items: Set<ItemKey>, by container: ContainerKey, isolation: isolated (any Actor)? = #isolation
  ) async {
    await tools.engine.drop(items.sorted().compactMap { wants.key(of: $0) }, for: container)
  }

  func want(
    _ container: ContainerKey, _ wish: StoredWish, again isAgain: Bool, isolation: isolated (any Actor)? = #isolation
  ) async {
    let now = await rank(of: container, wish)
    ranks.told[container] = now
    await tools.engine.want(wanted(container, wish, now), again: isAgain)
  }

  private func wanted(
    _ container: ContainerKey, _ wish: StoredWish, _ rank: ContainerRank.Pair
  ) -> [DownloadEngine.WantedItem] {
    var wanted: [DownloadEngine.WantedItem] = []
    for (place, item) in (wants.wishes[container]?.items ?? []).enumerated() {
      guard let key = wants.key(of: item.key) else { continue }
      let all = wants.containers(of: item.key).compactMap { wishes[$0] }
      wanted.append(
        DownloadEngine.WantedItem(
          key: key, container: container, rank: rank.rank(at: place), order: Int64(place), queuedAt: wish.wantedAt,
          isExcepted: all.contains { $0.isExcepted }, isResting: all.allSatisfy { $0.isPaused }))
    }
    return wanted
  }

  /// Of an item, what is not wanted goes; but another quality that is whole stays until the one that is wanted is.
  func settle(_ item: ItemKey, isolation: isolated (any Actor)? = #isolation) async {
    let wanted = wants.key(of: item)
    var isThere = false
    if let wanted { isThere = await tools.engine.record(wanted)?.state == .completed }
    for quality in Quality.allCases where item.at(quality) != wanted {
      let key = item.at(quality)
      guard let record = await tools.engine.record(key), !(record.isCache && wanted == nil) else { continue }
      if wanted != nil, !isThere, record.state == .completed {
        await tools.engine.letStandIn(key)
      } else {
        await tools.engine.drop(key)
      }
    }
  }

  // MARK: Which of the containers is fetched first

  /// What is played now and what comes next, as the queue names it.
  func notePlaying(
    _ paths: [FilePath], next: [FilePath], isolation: isolated (any Actor)? = #isolation
  ) async {
    let now = await containers(of: paths)
    let coming = await containers(of: next).subtracting(now)
    let changed = now.symmetricDifference(ranks.played).union(coming.symmetricDifference(ranks.playedNext))
    guard !changed.isEmpty else { return }
    (ranks.played, ranks.playedNext) = (now, coming)
    await rank(changed)
  }

  private func containers(
    of paths: [FilePath], isolation: isolated (any Actor)? = #isolation
  ) async -> Set<ContainerKey> {
    var found: Set<ContainerKey> = []
    for path in paths {
      var item = ItemKey(address: path)
      if item == nil { item = await tools.engine.item(at: path) }
      if let item { found.formUnion(wants.containers(of: item)) }
    }
    return found
  }

  private func rank(
    of container: ContainerKey, _ wish: StoredWish, isolation: isolated (any Actor)? = #isolation
  ) async -> ContainerRank.Pair {
    var rank = ranks.rank(of: container, wantedAt: wish.wantedAt, at: tools.loop.now)
    let keys = (wants.wishes[container]?.items ?? []).compactMap { wants.key(of: $0.key) }
    rank.playedAt = await tools.engine.lastPlayed(keys)
    return rank.ranks(at: tools.date())
  }

  func rankNowAndThen(isolation: isolated (any Actor)? = #isolation) async {
    let now = tools.loop.now
    if let rankedAt = ranks.rankedAt, now - rankedAt < ContainerRanks.every { return }
    ranks.rankedAt = now
    await rank(Set(wishes.keys))
  }

  /// Those that changed are told to whoever plans.
  func rank(_ containers: Set<ContainerKey>, isolation: isolated (any Actor)? = #isolation) async {
    await turn.enter()
    for container in containers.sorted() {
      guard let wish = wishes[container], let before = ranks.told[container] else { continue }
      let now = await rank(of: container, wish)
      if now == before { continue }
      ranks.told[container] = now
      await tools.engine.rank(wanted(container, wish, now))
    }
    turn.leave()
  }
}

/// What the ranks of containers follow from, and what the engine was told of them. In memory only: a start ranks anew.
struct ContainerRanks {
  /// Days make something old, and not minutes.
  static let every: Duration = .seconds(600)

  /// Containers of what is played now.
  var played: Set<ContainerKey> = []
  /// And of what comes next, without those.
  var playedNext: Set<ContainerKey> = []
  /// What the engine was told last.
  var told: [ContainerKey: ContainerRank.Pair] = [:]
  /// In this run.
  var wantedSince: [ContainerKey: Moment] = [:]
  /// When all were looked at.
  var rankedAt: Moment?

  mutating func forget(_ container: ContainerKey) { (told[container], wantedSince[container]) = (nil, nil) }

  func rank(of container: ContainerKey, wantedAt: Int64, at now: Moment) -> ContainerRank {
    var rank = ContainerRank(wantedAt: wantedAt)
    rank.isPredicted = container.kind == .predicted
    rank.isNew = wantedSince[container].map { now - $0 < .seconds(ContainerRank.isNewFor) } ?? false
    (rank.isPlayed, rank.isNext) = (played.contains(container), playedNext.contains(container))
    return rank
  }
}
