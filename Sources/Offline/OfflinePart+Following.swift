import Runtime
import Services

/// Containers change at their sources, and what is wanted changes with them.
extension OfflinePart {
  static let asksEvery: Duration = .seconds(6 * 3_600)

  func followNowAndThen() async {
    let now = loop.now
    if let askedAt, now - askedAt < Self.asksEvery { return }
    guard !wishes.isEmpty, await carrier.everybodys(.download, now).isEmpty else { return }
    await follow(again: false)
  }

  /// Asks sources what has changed, and follows it; what was given up is tried once more.
  package func refresh() async { await follow(again: true) }

  /// What cannot be asked is asked the next time. `again`: what was given up is tried whatever its source says, and
  /// else where the source has another index.
  private func follow(again isAgain: Bool) async {
    // What is fetched unasked is chosen anew when it is looked around next.
    (askedAt, guessesAt) = (loop.now, nil)
    let tokens = (try? await rows.tokens()) ?? [:]
    let ids = Set(wishes.keys.map(\.source)).sorted()
    for id in ids {
      guard let source = sources[id] else { continue }
      do throws(MediaFailure) {
        let changes = try await source.changes(since: tokens[id])
        let isNew = changes.token.map { $0 != tokens[id] } ?? false
        try await follow(changes, at: source)
        if isAgain {
          _ = await carrier.again(carrier.failed(at: id))
        } else if isNew {
          await carrier.giveChance(to: id)
        } else {
          for key in await carrier.failed(at: id) { try await reconsider(key, at: source) }
        }
        // Only when all of it was followed: what was missed would never be told again.
        try? await rows.store(token: changes.token, of: id)
      } catch {
        Log("offline").info("a source does not say what has changed", ["source": id, "reason": error.fault.message])
      }
    }
  }

  private func follow(_ changes: MediaChanges, at source: any MediaSource) async throws(MediaFailure) {
    for container in wishes.keys.sorted() where container.source == source.id {
      guard let kind = ContainerID.Kind(rawValue: container.kind.rawValue) else { continue }
      let held = intents.wishes[container]?.items ?? []
      let isHeld = held.contains { changes.changed.contains(ExactText($0.key.item)) }
      guard changes.isEverything || isHeld || changes.containers.contains(ContainerID(kind, container.id)) else {
        continue
      }
      do throws(MediaFailure) {
        let items = try await source.items(of: ContainerID(kind, container.id))
        let others = await others(items, at: source.id)
        try await follow(container, items)
        for item in others.subtracting(changes.changed).sorted() {
          try await renew(ItemKey(source: source.id, item: item.text), at: source)
        }
      } catch {
        // A source that has it no more, or lost its own index, takes nothing away that is here.
        guard error.reason == .notThere else { throw error }
        Log("offline").info("a source does not have a container any more", ["container": "\(container)"])
      }
    }
    for item in changes.changed.sorted() { try await renew(ItemKey(source: source.id, item: item.text), at: source) }
  }

  /// It was given up. Of what its source has now, under that name, something else may come.
  private func reconsider(_ key: MediaKey, at source: any MediaSource) async throws(MediaFailure) {
    do throws(MediaFailure) {
      let place = try await source.resolve(key.item.item, at: key.quality, isAnew: false)
      guard let record = await carrier.record(key), record.isOther(than: place) else { return }
      _ = await carrier.again([key])
    } catch {
      guard error.reason == .notThere else { throw error }
    }
  }

  /// Those whose sums are others than they were when they were listed last.
  private func others(_ items: [MediaItem], at source: String) async -> Set<ExactText> {
    let keys = items.map { ItemKey(source: source, item: $0.id) }
    let before = (try? await rows.facts(of: keys)) ?? [:]
    var others: Set<ExactText> = []
    for (item, key) in zip(items, keys) {
      if let old = before[key]?.hash, let new = item.hash, old != new { others.insert(ExactText(item.id)) }
    }
    return others
  }

  private func follow(_ container: ContainerKey, _ items: [MediaItem]) async throws(MediaFailure) {
    await enter()
    defer { leave() }
    guard var wish = wishes[container] else { return }
    let called = (try? await rows.facts(of: items.map { ItemKey(source: container.source, item: $0.id) })) ?? [:]
    let before = Set(intents.wishes[container]?.items.map(\.key) ?? [])
    wish.items = items
    do throws(Fault) { try await rows.store(wish) } catch { throw MediaFailure(.network, error) }
    await rename(called, items, of: container.source)
    let listed = Self.items(items, in: container, wish.quality)
    let now = Set(listed.map(\.key))
    await unwant(before.subtracting(now), by: container)
    let change = intents.follow(container, listed)
    await perform(change, of: container)
    let (new, gone) = (now.subtracting(before).count, before.subtracting(now).count)
    if new + gone + change.over > 0 { told(.followed(container, new: new, gone: gone, over: change.over)) }
  }

  /// Other bytes than those that are here: fetched anew, and what is here stays until they are whole. Without sums nobody
  /// can say, and nothing is fetched.
  private func renew(_ item: ItemKey, at source: any MediaSource) async throws(MediaFailure) {
    guard let key = intents.key(of: item), let record = await carrier.record(key) else { return }
    guard record.state == .completed, let hash = record.hash else { return }
    let place = try await source.resolve(item.item, at: key.quality, isAnew: false)
    guard let promised = place.hash, promised != hash else { return }
    await carrier.hear(.outdated, for: key)
  }
}

extension DownloadRecord {
  /// What its source promises by now is not what was given up.
  fileprivate func isOther(than place: MediaPlace) -> Bool {
    if trouble == .notThere { return true }
    if let promised = place.hash, promised != hash { return true }
    return place.size.map { isSizeSure && $0 != size } ?? false
  }
}
