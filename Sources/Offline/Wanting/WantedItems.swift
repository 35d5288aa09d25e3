import Runtime
import Services

/// What is wanted and by whom: the containers, what of them is fetched (`Wants`), and how much each is wanted. Tells
/// `DownloadEngine` of every change. Lives on the loop `offline`, inside `OfflinePart`.
///
/// A change is stored before anything follows from it, so after a power cut downloads are brought to say what the wishes
/// say. One change follows the other: whoever changes something enters `turn` first, then checks, stores, performs and
/// leaves. So all that changes something here is called in its caller's turn.
final class WantedItems {
  let tools: OfflineTools
  let run: RunState
  let catalogue: ItemCatalogue
  let turn = ChangeTurn()
  var wants = Wants()
  /// Without what they hold: that is in `wants`, and its facts in the rows.
  var wishes: [ContainerKey: StoredWish] = [:]
  /// What they follow from; see `WantedItems+Engine.swift`.
  var ranks = ContainerRanks()

  init(_ tools: OfflineTools, _ run: RunState) {
    (self.tools, self.run) = (tools, run)
    catalogue = ItemCatalogue(tools)
  }

  /// As it was stored. Rows and files agree later.
  func read(isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    for item in try await tools.rows.leftOut() { _ = wants.leaveOut(item) }
    for var wish in try await tools.rows.wishes() {
      let items = Wants.Item.all(wish.items, in: wish.container, at: wish.quality)
      if case .refused(let over) = wants.want(wish.container, at: wish.quality, items) {
        // It was followed beyond the quota; what goes in is fetched.
        _ = wants.want(wish.container, at: wish.quality, [])
        _ = wants.follow(wish.container, items)
        Log("offline").info("more is wanted than is allowed", ["over": over])
      }
      wish.items = []
      wishes[wish.container] = wish
    }
  }

  /// The engine knows of all downloads: it is told what is wanted of them, and what nobody wants goes.
  func takeUp(_ known: Set<ItemKey>, isolation: isolated (any Actor)? = #isolation) async {
    for (container, wish) in wishes.sorted(by: { $0.key < $1.key }) { await want(container, wish, again: false) }
    for item in known { await settle(item) }
  }

  // MARK: How much it is

  /// Told before: how much it is, and whether it fits.
  func size(
    of container: ContainerKey, at quality: Quality, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> Wants.Size {
    let items = try await catalogue.listed(container)
    return await size(of: Wants.Item.all(items, in: container, at: quality), at: quality, beside: container)
  }

  func size(
    of items: [ItemKey], at quality: Quality, isolation: isolated (any Actor)? = #isolation
  ) async -> Wants.Size {
    let known = await catalogue.listed(items)
    return await size(of: items.map { Wants.Item($0, of: known[$0], at: quality) }, at: quality, beside: nil)
  }

  /// `container`: they are its own.
  private func size(
    of listed: [Wants.Item], at quality: Quality, beside container: ContainerKey?,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Wants.Size {
    var here: [MediaKey: Int64] = [:]
    for record in await tools.engine.records() where record.state == .completed {
      here[record.key] = record.size ?? record.durable
    }
    let asked = Set(listed.map { $0.key.at(quality) })
    let room = await tools.engine.room(beside: coming(beside: container), asked: asked)
    var size = wants.size(of: listed, at: quality, room: room) { here[$0] }
    size.pace = await tools.engine.situation.bitsASecond.map { $0 / 8 }
    return size
  }

  /// What the other containers want, with its size as far as their sources say it. Smart downloads make way.
  private func coming(beside container: ContainerKey?) -> [MediaKey: Int64] {
    var coming: [MediaKey: Int64] = [:]
    for (other, wish) in wants.wishes where other != container && other.kind != .predicted {
      for item in wish.items {
        guard let key = wants.key(of: item.key) else { continue }
        coming[key] = item.bytes ?? key.quality.estimate(of: item.length)
      }
    }
    return coming
  }

  // MARK: Wanted, and not any more

  /// `items`: what it holds. Wanted again it may have another quality. When it returns, a power cut does not forget it. What
  /// is a smart download makes way where there are too many.
  func want(
    _ container: ContainerKey, _ items: [MediaItem], at quality: Quality, lettingGo smart: SmartDownloadPlanner,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> Wants.Decision {
    let listed = Wants.Item.all(items, in: container, at: quality)
    var after = wants
    var answer = after.want(container, at: quality, listed)
    if case .refused(let over) = answer, over <= smart.count {
      // Smart downloads are in nobody's way.
      try await smart.letAllGo()
      after = wants
      answer = after.want(container, at: quality, listed)
    }
    guard case .wanted(let change) = answer else { return answer }
    // Whoever asks again wants it now. What a clock says that was never set is no better than what was said before.
    let isDated = await tools.engine.situation.minute != nil
    let wantedAt = wishes[container].map { isDated ? tools.date() : $0.wantedAt } ?? tools.date()
    var wish = StoredWish(container, at: quality, wantedAt: wantedAt, items)
    wish.isPaused = wishes[container]?.isPaused ?? false
    wish.isExcepted = wishes[container]?.isExcepted ?? false
    try await tools.rows.store(wish)
    Steps.reach("offline.wanted")
    wants = after
    wish.items = []
    wishes[container] = wish
    ranks.wantedSince[container] = tools.loop.now
    tools.told(.wanted(container))
    await perform(change, of: container, again: true)
    return answer
  }

  /// How many items nobody wants any more. In one step: nothing is fetched for what goes as well.
  func drop(
    where isDropped: (ContainerKey) -> Bool, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> Int {
    let containers = wishes.keys.filter(isDropped).sorted()
    if containers.isEmpty { return 0 }
    try await tools.rows.forget(containers)
    Steps.reach("offline.dropped")
    for container in containers {
      await unwant(Set(wants.wishes[container]?.items.map(\.key) ?? []), by: container)
      forget(container)
    }
    let change = wants.drop(containers)
    for container in containers { tools.told(.dropped(container)) }
    await perform(change, of: nil)
    return change.dropped.count
  }

  private func forget(_ container: ContainerKey) {
    wishes[container] = nil
    ranks.forget(container)
  }

  /// The owner does not want this one, whatever holds it; or does again.
  func leave(
    _ item: ItemKey, out isOut: Bool, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    try await tools.rows.leaveOut(item, isOut)
    let change = isOut ? wants.leaveOut(item) : wants.takeIn(item)
    await perform(change, of: nil)
  }

  // MARK: Paused, paid for, tried again

  /// Nil: everything.
  func rest(
    _ container: ContainerKey?, _ isResting: Bool, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    if let container {
      guard !isResting, run.counters[Counters.restsAll] == 1 else {
        return try await change(container) { $0.isPaused = isResting }
      }
      return try await restAll(but: container)
    }
    // "All go on" also resumes each download that was paused alone.
    if !isResting {
      for container in wishes.values.filter(\.isPaused).map(\.container) {
        try await change(container) { $0.isPaused = false }
      }
    }
    try await restAll(isResting)
  }

  /// Where everything rests, this one alone goes on, and the others rest each by itself. They are told to before the rest
  /// of all ends, so that none of them runs meanwhile, nor after a power cut.
  private func restAll(
    but container: ContainerKey, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    guard wishes[container] != nil else { throw Self.notWanted(container) }
    for wish in wishes.values.sorted(by: { $0.container < $1.container }) {
      let isPaused = wish.container != container
      if wish.isPaused != isPaused { try await change(wish.container) { $0.isPaused = isPaused } }
    }
    try await restAll(false)
  }

  private func restAll(_ isResting: Bool, isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    try await tools.rows.store([Counters.restsAll: isResting ? 1 : 0])
    run.counters[Counters.restsAll] = isResting ? 1 : 0
    if run.isGoing { await tools.engine.restAll(isResting) }
  }

  /// Fetched where bytes cost as well, or not.
  func payFor(
    _ container: ContainerKey, _ isExcepted: Bool, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    try await change(container) { $0.isExcepted = isExcepted }
  }

  private func change(
    _ container: ContainerKey, _ change: (inout StoredWish) -> Void, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    guard var wish = wishes[container] else { throw Self.notWanted(container) }
    change(&wish)
    try await tools.rows.change(wish)
    wishes[container] = wish
    await want(container, wish, again: false)
  }

  /// What has failed, or waits for something of its own, is tried now; nil: all that is wanted. How many.
  func again(
    _ container: ContainerKey?, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> Int {
    guard let container else { return await tools.engine.again(wants.keys.sorted()) }
    guard let wish = wants.wishes[container] else { throw Self.notWanted(container) }
    return await tools.engine.again(wish.items.compactMap { wants.key(of: $0.key) })
  }

  static func notWanted(_ container: ContainerKey) -> Fault {
    Fault(.missing, "O-403", "\(container.kind.rawValue) \(shownPlain(container.id)) is not wanted offline")
  }

  // MARK: Containers that no source lists

  /// Makes what is wanted of a playlist of this device be these items: a container of every source that has something of
  /// it. What has left it goes, unless something else wants it; none: it is not kept any more. `quality`: of what was not
  /// wanted before; `known`: what sources tell of them. When it returns, a power cut does not forget it.
  func keep(
    playlist name: String, _ items: [ItemKey], _ known: [ItemKey: MediaItem], at quality: Quality,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    var bySource: [String: [MediaItem]] = [:]
    for item in items where tools.sources[item.source] != nil {
      bySource[item.source, default: []].append(known[item] ?? MediaItem(id: item.item))
    }
    let held = wishes.keys.filter { $0.kind == .devicePlaylist && $0.id == name }.map(\.source)
    for source in Set(held).union(bySource.keys).sorted() {
      let container = ContainerKey(source: source, kind: .devicePlaylist, id: name)
      let before = wishes[container]
      if before == nil { ranks.wantedSince[container] = tools.loop.now }
      try await hold(bySource[source] ?? [], container, at: before?.quality ?? quality, isKept: false)
      if before == nil { tools.told(.wanted(container)) }
    }
  }

  /// Makes a container that no source lists hold these items; without any it is not wanted. `isKept`: what is whole of
  /// those that go stays until its room is needed.
  func hold(
    _ items: [MediaItem], _ container: ContainerKey, at quality: Quality, isKept: Bool,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    let listed = Wants.Item.all(items, in: container, at: quality)
    let before = wants.wishes[container]
    guard before?.items != listed || before?.quality != quality else { return }
    if items.isEmpty {
      try await tools.rows.forget([container])
    } else {
      var wish = StoredWish(container, at: quality, wantedAt: wishes[container]?.wantedAt ?? tools.date(), items)
      wish.isPaused = wishes[container]?.isPaused ?? false
      wish.isExcepted = wishes[container]?.isExcepted ?? false
      try await tools.rows.store(wish)
      wish.items = []
      wishes[container] = wish
    }
    let (old, now) = (Set(before?.items.map(\.key) ?? []), Set(listed.map(\.key)))
    if isKept { await keepAsCache(old.subtracting(now), container) }
    await unwant(old.subtracting(now), by: container)
    let change: Wants.Change
    if items.isEmpty {
      change = wants.drop(container)
      forget(container)
    } else {
      change = wanted(container, listed, quality)
    }
    await perform(change, of: container)
    let (new, gone) = (now.subtracting(old).count, old.subtracting(now).count)
    tools.told(.followed(container, new: new, gone: gone, over: change.over))
  }

  private func wanted(_ container: ContainerKey, _ listed: [Wants.Item], _ quality: Quality) -> Wants.Change {
    switch wants.want(container, at: quality, listed) {
    case .wanted(let change): return change
    // The owner has filled it meanwhile: what goes in, goes in.
    case .refused:
      if wants.wishes[container] == nil { _ = wants.want(container, at: quality, []) }
      return wants.follow(container, listed)
    }
  }

  private func keepAsCache(
    _ items: Set<ItemKey>, _ container: ContainerKey, isolation: isolated (any Actor)? = #isolation
  ) async {
    for item in items.sorted() where wants.containers(of: item) == [container] {
      if let key = wants.key(of: item) { await tools.engine.becomeCache(key) }
    }
  }

  // MARK: What sources change

  /// Its source has said what it holds now: stored, and nothing else yet. Gives what was known of these items before; nil
  /// when it is not wanted any more.
  func store(
    _ items: [MediaItem], of container: ContainerKey, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> [ItemKey: MediaItem]? {
    guard var wish = wishes[container] else { return nil }
    let before = await catalogue.stored(items.map { ItemKey(source: container.source, item: $0.id) })
    wish.items = items
    try await tools.rows.store(wish)
    return before
  }

  /// What was stored is performed.
  func follow(
    _ container: ContainerKey, _ items: [MediaItem], isolation: isolated (any Actor)? = #isolation
  ) async {
    guard let wish = wishes[container] else { return }
    let before = Set(wants.wishes[container]?.items.map(\.key) ?? [])
    let listed = Wants.Item.all(items, in: container, at: wish.quality)
    let now = Set(listed.map(\.key))
    await unwant(before.subtracting(now), by: container)
    let change = wants.follow(container, listed)
    await perform(change, of: container)
    let (new, gone) = (now.subtracting(before).count, before.subtracting(now).count)
    if new + gone + change.over > 0 { tools.told(.followed(container, new: new, gone: gone, over: change.over)) }
  }
}
