import Runtime
import Services

/// What was chosen unasked: how it is held, shown, and sent away.
extension OfflinePart {
  /// One of those that were chosen, as it is shown.
  package struct UnaskedLine: Equatable, Sendable {
    package var item: ItemKey
    package var title: String?
    package var artist: String?
    /// "often on weekday mornings".
    package var because: String
    package var isWhole: Bool
    package var bytes: Int64
  }

  package func unaskedList() async -> [UnaskedLine] {
    let chosen = unasked.chosen.values.sorted { $0.item < $1.item }
    let facts = (try? await rows.facts(of: chosen.map(\.item))) ?? [:]
    var lines: [UnaskedLine] = []
    for one in chosen {
      var isWhole = false
      if let key = intents.key(of: one.item) { isWhole = await carrier.record(key)?.state == .completed }
      let fact = facts[one.item]
      lines.append(
        UnaskedLine(
          item: one.item, title: fact?.title, artist: fact?.artist, because: one.words, isWhole: isWhole,
          bytes: one.bytes))
    }
    return lines
  }

  /// Why nothing is chosen or fetched unasked just now; nothing where the owner's file does not want it at all.
  package func unaskedWhy() async -> [Why] {
    guard rulesAtStart?.isPredicting == true else { return [] }
    guard isGoing else { return [awayWhy] }
    let why = await carrier.everybodys(.prediction, loop.now)
    // Without the time of day nothing is a habit.
    return await carrier.situation.minute == nil && !why.contains(Why(.clock)) ? why + [Why(.clock)] : why
  }

  /// The owner does not want it: it goes at once, and is not chosen again for a while.
  package func revoke(_ item: ItemKey) async throws(Fault) {
    await enter()
    defer { leave() }
    var after = unasked
    guard after.revoke(item, at: date()) else {
      throw Fault(.missing, "O-404", "\(shownPlain(item.item)) was not chosen unasked")
    }
    try await sendAway([item], after)
  }

  /// How many they were.
  package func revokeAll() async throws(Fault) -> Int {
    await enter()
    defer { leave() }
    let all = unasked.chosen.keys.sorted()
    var after = unasked
    for item in all { _ = after.revoke(item, at: date()) }
    try await sendAway(all, after)
    return all.count
  }

  private func sendAway(_ items: [ItemKey], _ after: Prefetch) async throws(Fault) {
    // First of all, so that a power cut does not bring them back.
    try await rows.store(after)
    unasked = after
    Steps.reach("offline.revoked")
    try await holdUnasked([:], isKept: false)
  }

  /// Until the next round. What is whole stays until its room is needed.
  func letAllGuessesGo() async throws(Fault) {
    _ = unasked.forgetAll()
    try await holdUnasked([:])
  }

  /// It had to make room.
  func hear(_ event: OfflineEvent) {
    guard case .gaveUp(let key, _, _) = event, unasked.chosen[key.item] != nil else { return }
    Task(executorPreference: loop) { await self.letGo(key.item) }
  }

  private func letGo(_ item: ItemKey) async {
    await enter()
    defer { leave() }
    guard unasked.gaveUp(item, at: date()) else { return }
    do throws(Fault) { try await holdUnasked([:]) } catch {
      Log("offline").info("what was given up is still chosen", ["reason": error.message])
    }
  }

  // MARK: Holding

  /// Makes what is wanted say what is chosen. `facts`: of what may be new. `isKept`: what is whole of those that go stays
  /// until its room is needed.
  func holdUnasked(_ facts: [ItemKey: MediaItem], isKept: Bool = true) async throws(Fault) {
    try await rows.store(unasked)
    let chosen = unasked.chosen.keys.sorted()
    let known = try await rows.facts(of: chosen.filter { facts[$0] == nil })
    var bySource: [String: [MediaItem]] = [:]
    for key in chosen {
      if let item = facts[key] ?? known[key] { bySource[key.source, default: []].append(item) }
    }
    let held = wishes.keys.filter { $0.kind == .predicted }.map(\.source)
    for source in Set(held).union(bySource.keys).sorted() {
      let container = Self.unasked(of: source)
      let quality = rulesAtStart == nil ? wishes[container]?.quality ?? guessQuality : guessQuality
      try await hold(bySource[source] ?? [], container, at: quality, isKept: isKept)
    }
  }

  /// Makes a container that no source lists hold these items; without any it is not wanted. `isKept` as above. Called in
  /// its caller's turn to change what is wanted.
  func hold(
    _ items: [MediaItem], _ container: ContainerKey, at quality: Quality, isKept: Bool
  ) async throws(Fault) {
    let listed = Self.items(items, in: container, quality)
    let before = intents.wishes[container]
    guard before?.items != listed || before?.quality != quality else { return }
    if items.isEmpty {
      try await rows.forget([container])
    } else {
      var wish = StoredWish(container, at: quality, wantedAt: wishes[container]?.wantedAt ?? date(), items)
      wish.isPaused = wishes[container]?.isPaused ?? false
      try await rows.store(wish)
      wish.items = []
      wishes[container] = wish
    }
    let (old, now) = (Set(before?.items.map(\.key) ?? []), Set(listed.map(\.key)))
    if isKept { await keepAsCache(old.subtracting(now), container) }
    await unwant(old.subtracting(now), by: container)
    let change: Wants.Change
    if items.isEmpty {
      change = intents.drop(container)
      (wishes[container], ranks[container], wantedSince[container]) = (nil, nil, nil)
    } else {
      change = wanted(container, listed, quality)
    }
    await perform(change, of: container)
    let (new, gone) = (now.subtracting(old).count, old.subtracting(now).count)
    told(.followed(container, new: new, gone: gone, over: change.over))
  }

  private func wanted(_ container: ContainerKey, _ listed: [Wants.Item], _ quality: Quality) -> Wants.Change {
    switch intents.want(container, at: quality, listed) {
    case .wanted(let change): return change
    // The owner has filled it meanwhile: what goes in, goes in.
    case .refused:
      if intents.wishes[container] == nil { _ = intents.want(container, at: quality, []) }
      return intents.follow(container, listed)
    }
  }

  private func keepAsCache(_ items: Set<ItemKey>, _ container: ContainerKey) async {
    for item in items.sorted() where intents.containers(of: item) == [container] {
      if let key = intents.key(of: item) { await carrier.becomeCache(key) }
    }
  }
}
