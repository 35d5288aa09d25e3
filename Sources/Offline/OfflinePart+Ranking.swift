import Runtime

/// Which of the containers is fetched first.
extension OfflinePart {
  /// Days make something old, and not minutes.
  static let ranksEvery: Duration = .seconds(600)

  /// What is played now and what comes next, as the queue names it.
  package func isPlayed(_ paths: [FilePath], next: [FilePath] = []) async {
    guard isGoing else { return }
    let now = await containers(of: paths)
    let coming = await containers(of: next).subtracting(now)
    let changed = now.symmetricDifference(played).union(coming.symmetricDifference(playedNext))
    guard !changed.isEmpty else { return }
    (played, playedNext) = (now, coming)
    await rank(changed)
  }

  private func containers(of paths: [FilePath]) async -> Set<ContainerKey> {
    var found: Set<ContainerKey> = []
    for path in paths {
      var item = ItemKey(address: path)
      if item == nil { item = await carrier.item(at: path) }
      if let item { found.formUnion(intents.containers(of: item)) }
    }
    return found
  }

  func ranks(of container: ContainerKey, _ wish: StoredWish) async -> ContainerRank.Pair {
    var standing = ContainerRank(wantedAt: wish.wantedAt)
    standing.isPredicted = container.kind == .predicted
    standing.isNew = wantedSince[container].map { loop.now - $0 < .seconds(ContainerRank.isNewFor) } ?? false
    (standing.isPlayed, standing.isNext) = (played.contains(container), playedNext.contains(container))
    let keys = (intents.wishes[container]?.items ?? []).compactMap { intents.key(of: $0.key) }
    standing.playedAt = await carrier.lastPlayed(keys)
    return standing.ranks(at: date())
  }

  func rankNowAndThen() async {
    if let rankedAt, loop.now - rankedAt < Self.ranksEvery { return }
    rankedAt = loop.now
    await rank(Set(wishes.keys))
  }

  /// Those that changed are told to whoever plans.
  func rank(_ containers: Set<ContainerKey>) async {
    await enter()
    defer { leave() }
    for container in containers.sorted() {
      guard let wish = wishes[container], let before = ranks[container] else { continue }
      let now = await ranks(of: container, wish)
      if now == before { continue }
      ranks[container] = now
      await carrier.rank(wanted(container, wish, now))
    }
  }
}
