import Runtime
import Services

/// What is fetched unasked, for those who have asked for that: chosen anew a few times a day from what was listened to,
/// each with its reason. It is wanted like an album, by a container of its own at each source, and least of all.
extension OfflinePart {
  static let guessesEvery: Duration = .seconds(6 * 3_600)
  /// A queue that has changed is looked at again after this long, and not with each press of a button.
  static let queueSettlesWithin: Duration = .seconds(60)
  /// Nobody's queue is listened to much further before there is a line again.
  package static let queueAhead = Predictors.queued
  /// A source that could not be asked is asked again.
  static let guessesAgainAfter: Duration = .seconds(600)
  /// What the owner may still want goes before what is only guessed.
  static let placesLeftFree = 1_000
  /// Of what lies ahead. Who charges at night drives in the morning.
  private static let hoursAhead = 24
  /// Of the surest; what comes behind them does not go into the budget anyway.
  private static let mostAsked = 400
  /// When nobody says how much it is.
  private static let usual: Int64 = 10_000_000

  static func unasked(of source: String) -> ContainerKey { ContainerKey(source: source, kind: .predicted, id: "smart") }

  // MARK: What was listened to

  /// A file was played to its end, or for long enough to count.
  package func heard(_ path: FilePath, at date: Int64) async {
    // Its stream has counted it already.
    if let item = ItemKey(address: path) { return await heard(item, at: date) }
    guard let key = await carrier.played(path, at: date) else { return }
    await heard(key.item, at: date)
    let containers = Set(intents.containers(of: key.item))
    // Behind whatever is being changed just now; who told of it does not wait for that.
    Task(executorPreference: loop) { await self.rank(containers) }
  }

  package func heard(_ item: ItemKey, at date: Int64) async {
    do throws(Fault) { try await rows.note(ItemPlay(item, at: date)) } catch {
      Log("offline").info("what was heard is not remembered", ["reason": error.message])
    }
  }

  /// What comes next in the queue, playing or not: a car that is parked in the evening goes on with it in the morning.
  package func isQueued(_ items: [ItemKey]) {
    queued = items.filter { sources[$0.source] != nil }
    guard !guessedQueue.isSuperset(of: queued) else { return }
    guessesAt = guessesAt.map { min($0, loop.now + Self.queueSettlesWithin) }
  }

  // MARK: Rounds

  func guessNowAndThen() async {
    guard rulesAtStart?.isPredicting == true else { return await stopGuessing() }
    let now = loop.now
    if let guessesAt, now < guessesAt { return }
    // Without the time of day nothing is a habit.
    guard await carrier.situation.minute != nil, await carrier.everybodys(.prediction, now).isEmpty else { return }
    do throws(MediaFailure) {
      try await guessAnew()
      guessesAt = loop.now + Self.guessesEvery
    } catch {
      guessesAt = loop.now + Self.guessesAgainAfter
      Log("offline").info("what may be wanted cannot be chosen", ["reason": error.fault.message])
    }
  }

  /// The owner's file says no: what is whole stays until its room is needed, and nothing else of it.
  private func stopGuessing() async {
    guard wishes.keys.contains(where: { $0.kind == .predicted }) || !unasked.chosen.isEmpty else { return }
    await enter()
    defer { leave() }
    do throws(Fault) { try await letAllGuessesGo() } catch {
      Log("offline").info("what was guessed cannot be let go", ["reason": error.message])
    }
  }

  private func guessAnew() async throws(MediaFailure) {
    var (offers, facts): ([Prefetch.Offer], [ItemKey: MediaItem]) = ([], [:])
    let room = max(intents.quota - Self.placesLeftFree - intents.count, 0)
    unasked.budget = min(await carrier.roomForGuesses, Prediction.budget)
    var bytes: Int64 = 0
    for guess in try await guesses().prefix(Self.mostAsked) where mayGuess(guess.item) {
      guard offers.count < room, bytes < unasked.budget else { break }
      guard let item = try await fact(of: guess.item) else { continue }
      let size = await size(of: item, guess.item)
      offers.append(Prefetch.Offer(guess.item, because: guess.words, bytes: size))
      facts[guess.item] = item
      bytes = bytes.plus(size)
    }
    await enter()
    defer { leave() }
    unasked.budget = min(await carrier.roomForGuesses, Prediction.budget)
    let change = unasked.round(offers, at: date())
    guard change != Prefetch.Change() || !offers.isEmpty else { return }
    do throws(Fault) { try await holdUnasked(facts) } catch { throw MediaFailure(.network, error) }
    Log("offline").info("chosen unasked", ["new": change.new.count, "gone": change.gone.count])
  }

  /// What the owner wants is not to be guessed, nor what he does not want.
  private func mayGuess(_ item: ItemKey) -> Bool {
    sources[item.source] != nil && !intents.leftOut.contains(item) && !unasked.isRefused(item, at: date())
      && intents.containers(of: item).allSatisfy { $0.kind == .predicted }
  }

  /// For each of the coming hours; of several claims the surest.
  private func guesses() async throws(MediaFailure) -> [Prediction.Guess] {
    let now = date()
    var plays: [ItemPlay] = []
    do throws(Fault) { plays = try await rows.plays(in: (now - Prediction.remembers)...now) } catch {
      throw MediaFailure(.network, error)
    }
    var prediction = Prediction(history: Prediction.plays(plays, zone: zone))
    (prediction.queue, guessedQueue) = (queued, Set(queued))
    prediction.lists = try await personalLists(on: Prediction.local(now, zone: zone).day)
    var best: [ItemKey: Prediction.Guess] = [:]
    for ahead in 0..<Self.hoursAhead {
      let (day, hour) = Prediction.local(now + Int64(ahead) * 3_600, zone: zone)
      for guess in prediction.guesses(day: day, hour: hour) where guess.score > best[guess.item]?.score ?? 0 {
        best[guess.item] = guess
      }
      await loop.nextRound()
    }
    return best.values.sorted { $0.score != $1.score ? $0.score > $1.score : $0.item < $1.item }
  }

  private func personalLists(on today: Int) async throws(MediaFailure) -> [Prediction.Personal] {
    var lists: [Prediction.Personal] = []
    for source in sources.values.sorted(by: { $0.id < $1.id }) {
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
  private func fact(of item: ItemKey) async throws(MediaFailure) -> MediaItem? {
    guard let source = sources[item.source] else { return nil }
    do throws(MediaFailure) { return try await source.items(of: ContainerID(.track, item.item)).first } catch {
      guard error.reason == .notThere else { throw error }
      return nil
    }
  }

  private func size(of item: MediaItem, _ key: ItemKey) async -> Int64 {
    let quality = guessQuality
    let listed = Self.items([item], in: Self.unasked(of: key.source), quality)[0]
    let estimate = listed.bytes ?? (item.length == nil ? item.size ?? Self.usual : quality.estimate(of: listed.length))
    return max(estimate, await carrier.record(key.at(quality))?.size ?? 0)
  }

  /// The same whatever the line is now, or all would be chosen anew with each network.
  var guessQuality: Quality {
    let rules = rulesAtStart ?? TransferRules()
    return rules.quality.quality(for: .prediction, in: TransferConditions(), rules)
  }
}
