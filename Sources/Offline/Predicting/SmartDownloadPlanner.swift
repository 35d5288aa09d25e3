import Runtime
import Services

/// What is fetched unasked, for those who have asked for that: chosen anew a few times a day from what was listened to,
/// each with its reason. It is wanted like an album, by a container of its own at each source, and least of all. Lives
/// on the loop `offline`, inside `OfflinePart`.
///
/// What is chosen, and what the owner has dismissed, is stored before anything is fetched or removed: a power cut brings
/// nothing back. What plays next and when it was chosen last is in memory: a start chooses anew.
final class SmartDownloadPlanner {
  static let every: Duration = .seconds(6 * 3_600)
  /// A queue that has changed is looked at again after this long, and not with each press of a button.
  static let queueSettlesWithin: Duration = .seconds(60)
  /// A source that could not be asked is asked again.
  private static let againAfter: Duration = .seconds(600)
  /// What the owner may still want goes before smart downloads.
  private static let placesLeftFree = 1_000
  /// Chosen for the hours ahead: a device that is charged at night is used in the morning.
  private static let hoursAhead = 24
  /// Of the surest; what comes behind them does not go into the budget anyway.
  private static let mostAsked = 400
  /// Bytes of an item when nobody says how much it is.
  private static let usual: Int64 = 10_000_000

  private let tools: OfflineTools
  private let run: RunState
  private let wanted: WantedItems
  /// How many seconds the clock where the board is was ahead of the world's, at a date.
  private let zone: @Sendable (Int64) -> Int64
  private var smart = SmartDownloads()
  /// When it is chosen anew; nil: at the next look.
  private var nextAt: Moment?
  /// What stands in the queue and comes next, of sources; and what stood there when it was last chosen.
  private var queued: [ItemKey] = []
  private var queueThen: Set<ItemKey> = []
  /// The lists that sources have made for the listener, each with the day it was looked at.
  private var personal: [ContainerKey: (day: Int, list: Prediction.Personal)] = [:]

  init(_ tools: OfflineTools, _ run: RunState, _ wanted: WantedItems, zone: @escaping @Sendable (Int64) -> Int64) {
    (self.tools, self.run, self.wanted, self.zone) = (tools, run, wanted, zone)
  }

  static func container(of source: String) -> ContainerKey {
    ContainerKey(source: source, kind: .predicted, id: "smart")
  }

  func read(isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    smart = try await tools.rows.smartDownloads()
  }

  var count: Int { smart.chosen.count }
  var chosen: [SmartDownloads.Offer] { smart.chosen.values.sorted { $0.item < $1.item } }
  /// Why it was chosen: "often on weekday mornings".
  func reasons(for item: ItemKey) -> [Prediction.Reason]? { smart.chosen[item]?.reasons }

  /// What comes next in the queue, playing or not: a car that is parked in the evening goes on with it in the morning.
  func noteQueued(_ items: [ItemKey]) {
    queued = items.filter { tools.sources[$0.source] != nil }
    guard !queueThen.isSuperset(of: queued) else { return }
    nextAt = nextAt.map { min($0, tools.loop.now + Self.queueSettlesWithin) }
  }

  // MARK: Choosing

  func chooseSoon() { nextAt = nil }

  func chooseNowAndThen(isolation: isolated (any Actor)? = #isolation) async {
    guard run.rules?.isPredicting == true else { return await stop() }
    let now = tools.loop.now
    if let nextAt, now < nextAt { return }
    // Without the time of day nothing is a habit.
    guard await tools.engine.situation.minute != nil, await tools.engine.everybodys(.prediction, now).isEmpty else {
      return
    }
    do throws(MediaFailure) {
      try await chooseAnew()
      nextAt = tools.loop.now + Self.every
    } catch {
      nextAt = tools.loop.now + Self.againAfter
      Log("offline").info("what may be wanted cannot be chosen", ["reason": error.fault.message])
    }
  }

  /// The owner's file says no: what is whole stays until its room is needed, and nothing else of it.
  private func stop(isolation: isolated (any Actor)? = #isolation) async {
    guard wanted.wishes.keys.contains(where: { $0.kind == .predicted }) || !smart.chosen.isEmpty else { return }
    await wanted.turn.enter()
    do throws(Fault) { try await letAllGo() } catch {
      Log("offline").info("smart downloads cannot be let go", ["reason": error.message])
    }
    wanted.turn.leave()
  }

  private func chooseAnew(isolation: isolated (any Actor)? = #isolation) async throws(MediaFailure) {
    var (offers, facts): ([SmartDownloads.Offer], [ItemKey: MediaItem]) = ([], [:])
    // What was chosen before is chosen again, or goes.
    let room = max(wanted.wants.quota - Self.placesLeftFree - wanted.wants.count(where: { $0 != .predicted }), 0)
    smart.budget = min(await tools.engine.roomForSmartDownloads, Prediction.budget)
    var bytes: Int64 = 0
    for found in try await candidates().prefix(Self.mostAsked) where mayChoose(found.item) {
      guard offers.count < room, bytes < smart.budget else { break }
      guard let item = try await fact(of: found.item) else { continue }
      let size = await size(of: item, found.item)
      offers.append(SmartDownloads.Offer(found.item, because: found.reasons, bytes: size))
      facts[found.item] = item
      bytes = bytes.plus(size)
    }
    await wanted.turn.enter()
    let outcome: Result<Void, Fault>
    do throws(Fault) { outcome = .success(try await choose(offers, facts)) } catch { outcome = .failure(error) }
    wanted.turn.leave()
    do throws(Fault) { try outcome.get() } catch { throw MediaFailure(.network, error) }
  }

  private func choose(
    _ offers: [SmartDownloads.Offer], _ facts: [ItemKey: MediaItem], isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    smart.budget = min(await tools.engine.roomForSmartDownloads, Prediction.budget)
    let change = smart.round(offers, at: tools.date())
    guard change != SmartDownloads.Change() || !offers.isEmpty else { return }
    try await hold(facts)
    Log("offline").info("chosen unasked", ["new": change.new.count, "gone": change.gone.count])
  }

  /// What the owner wants is no smart download, nor what he does not want.
  private func mayChoose(_ item: ItemKey) -> Bool {
    tools.sources[item.source] != nil && !wanted.wants.leftOut.contains(item)
      && !smart.isRefused(item, at: tools.date())
      && wanted.wants.containers(of: item).allSatisfy { $0.kind == .predicted }
  }

  /// For each of the coming hours; of several claims the surest.
  private func candidates(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(MediaFailure) -> [Prediction.Candidate] {
    let now = tools.date()
    var plays: [ItemPlay] = []
    do throws(Fault) { plays = try await tools.rows.plays(in: (now - Prediction.remembers)...now) } catch {
      throw MediaFailure(.network, error)
    }
    var prediction = Prediction(history: Prediction.plays(plays, zone: zone))
    (prediction.queue, queueThen) = (queued, Set(queued))
    prediction.lists = try await personalLists(on: Prediction.local(now, zone: zone).day)
    var best: [ItemKey: Prediction.Candidate] = [:]
    for ahead in 0..<Self.hoursAhead {
      let (day, hour) = Prediction.local(now + Int64(ahead) * 3_600, zone: zone)
      for one in prediction.candidates(day: day, hour: hour) where one.score > best[one.item]?.score ?? 0 {
        best[one.item] = one
      }
      await tools.loop.nextRound()
    }
    return best.values.sorted { $0.score != $1.score ? $0.score > $1.score : $0.item < $1.item }
  }

  private func personalLists(
    on today: Int, isolation: isolated (any Actor)? = #isolation
  ) async throws(MediaFailure) -> [Prediction.Personal] {
    var lists: [Prediction.Personal] = []
    for source in tools.sources.values.sorted(by: { $0.id < $1.id }) {
      for list in try await source.personalLists() {
        let key = ContainerKey(source: source.id, kind: .playlist, id: list.id.id)
        let known = personal[key]
        if Prediction.isLookedAtAnew(isWeekly: list.isWeekly, lastLook: known?.day, today: today) {
          let items = try await source.items(of: list.id).map { ItemKey(source: source.id, item: $0.id) }
          personal[key] = (today, Prediction.Personal(list.title, items))
        }
        if let list = personal[key]?.list { lists.append(list) }
      }
    }
    return lists
  }

  /// Nil: its source does not have it any more.
  private func fact(
    of item: ItemKey, isolation: isolated (any Actor)? = #isolation
  ) async throws(MediaFailure) -> MediaItem? {
    guard let source = tools.sources[item.source] else { return nil }
    do throws(MediaFailure) { return try await source.items(of: ContainerID(.track, item.item)).first } catch {
      guard error.reason == .notThere else { throw error }
      return nil
    }
  }

  private func size(
    of item: MediaItem, _ key: ItemKey, isolation: isolated (any Actor)? = #isolation
  ) async -> Int64 {
    let listed = Wants.Item(key, of: item, at: quality)
    let estimate = listed.bytes ?? (item.length == nil ? item.size ?? Self.usual : quality.estimate(of: listed.length))
    return max(estimate, await tools.engine.record(key.at(quality))?.size ?? 0)
  }

  /// The same whatever the line is now, or all would be chosen anew with each network.
  private var quality: Quality {
    let rules = run.rules ?? TransferRules()
    return rules.quality.quality(for: .prediction, in: TransferConditions(), rules)
  }

  // MARK: Sent away

  /// The owner does not want these: they go at once, and are not chosen again for a while. Nil: all. How many they
  /// were. Called in its caller's turn to change what is wanted.
  func dismiss(_ item: ItemKey?, isolation: isolated (any Actor)? = #isolation) async throws(Fault) -> Int {
    let items = item.map { [$0] } ?? smart.chosen.keys.sorted()
    var after = smart
    for item in items where !after.dismiss(item, at: tools.date()) {
      throw Fault(.missing, "O-404", "\(shownPlain(item.item)) was not chosen unasked")
    }
    // First of all, so that a power cut does not bring them back.
    try await tools.rows.store(after)
    smart = after
    Steps.reach("offline.revoked")
    try await hold([:], isKept: false)
    return items.count
  }

  /// Until the next round. What is whole stays until its room is needed. Called in its caller's turn.
  func letAllGo(isolation: isolated (any Actor)? = #isolation) async throws(Fault) {
    _ = smart.forgetAll()
    try await hold([:])
  }

  /// The engine gave one up for its room.
  func gaveUp(_ item: ItemKey) {
    guard smart.chosen[item] != nil else { return }
    tools.tasks.start { part in await part.smart.letGo(item) }
  }

  private func letGo(_ item: ItemKey, isolation: isolated (any Actor)? = #isolation) async {
    await wanted.turn.enter()
    do throws(Fault) {
      if smart.gaveUp(item, at: tools.date()) { try await hold([:]) }
    } catch { Log("offline").info("what was given up is still chosen", ["reason": error.message]) }
    wanted.turn.leave()
  }

  /// Stores the choice, and makes the container `smart` of each source hold exactly those items. `facts`: of items that
  /// may be new. `isKept`: finished files of items that go stay until their room is needed.
  private func hold(
    _ facts: [ItemKey: MediaItem], isKept: Bool = true, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    try await tools.rows.store(smart)
    let chosen = smart.chosen.keys.sorted()
    let known = try await tools.rows.facts(of: chosen.filter { facts[$0] == nil })
    var bySource: [String: [MediaItem]] = [:]
    for key in chosen {
      if let item = facts[key] ?? known[key] { bySource[key.source, default: []].append(item) }
    }
    let held = wanted.wishes.keys.filter { $0.kind == .predicted }.map(\.source)
    for source in Set(held).union(bySource.keys).sorted() {
      let container = Self.container(of: source)
      let quality = run.rules == nil ? wanted.wishes[container]?.quality ?? quality : quality
      try await wanted.hold(bySource[source] ?? [], container, at: quality, isKept: isKept)
    }
  }
}
