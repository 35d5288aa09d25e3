import Runtime
import Services

/// Asks sources what has changed, and what is wanted follows. Owns when they were asked. Lives on the loop `offline`,
/// inside `OfflinePart`.
///
/// What a source has told up to is stored when all of it was followed; after a power cut it tells the rest again.
final class SourceFollower {
  static let asksEvery: Duration = .seconds(6 * 3_600)

  private let tools: OfflineTools
  private let wanted: WantedItems
  private let covers: CoverFetcher
  private let smart: SmartDownloadPlanner
  private var askedAt: Moment?
  private var isAsking = false

  init(_ tools: OfflineTools, _ wanted: WantedItems, _ covers: CoverFetcher, _ smart: SmartDownloadPlanner) {
    (self.tools, self.wanted, self.covers, self.smart) = (tools, wanted, covers, smart)
  }

  /// Beside the rest: a source that says a word a minute is waited for by nobody else. Smart downloads are chosen behind that.
  func askNowAndThen() {
    guard !isAsking else { return }
    isAsking = true
    tools.tasks.start { part in
      await part.follower.followNowAndThen()
      await part.smart.chooseNowAndThen()
      part.follower.isAsking = false
    }
  }

  private func followNowAndThen(isolation: isolated (any Actor)? = #isolation) async {
    let now = tools.loop.now
    if let askedAt, now - askedAt < Self.asksEvery { return }
    guard !wanted.wishes.isEmpty, await tools.engine.everybodys(.download, now).isEmpty else { return }
    await follow(again: false)
  }

  /// What cannot be asked is asked the next time. `again`: what was given up is tried whatever its source says, and
  /// else where the source has another index.
  func follow(again isAgain: Bool, isolation: isolated (any Actor)? = #isolation) async {
    askedAt = tools.loop.now
    // Smart downloads are chosen anew when it is looked around next.
    smart.chooseSoon()
    let tokens = await tokens()
    for id in Set(wanted.wishes.keys.map(\.source)).sorted() {
      guard let source = tools.sources[id] else { continue }
      do throws(MediaFailure) {
        let changes = try await source.changes(since: tokens[id])
        let isNew = changes.token.map { $0 != tokens[id] } ?? false
        try await follow(changes, at: source)
        if isAgain {
          _ = await tools.engine.again(tools.engine.failed(at: id))
        } else if isNew {
          await tools.engine.giveChance(to: id)
        } else {
          for key in await tools.engine.failed(at: id) { try await reconsider(key, at: source) }
        }
        // Only when all of it was followed: what was missed would never be told again.
        await store(changes.token, of: id)
      } catch {
        Log("offline").info("a source does not say what has changed", ["source": id, "reason": error.fault.message])
      }
    }
  }

  /// None where they cannot be read: then sources tell of everything.
  private func tokens(isolation: isolated (any Actor)? = #isolation) async -> [String: String] {
    do throws(Fault) { return try await tools.rows.tokens() } catch {
      Log("offline").info("it is not known what sources have told", ["reason": error.message])
      return [:]
    }
  }

  /// Where that fails, the source tells the same once more.
  private func store(_ token: String?, of source: String, isolation: isolated (any Actor)? = #isolation) async {
    do throws(Fault) { try await tools.rows.store(token: token, of: source) } catch {
      Log("offline").info(
        "what a source has told is not stored", ["source": source, "reason": error.message])
    }
  }

  private func follow(
    _ changes: MediaChanges, at source: any MediaSource, isolation: isolated (any Actor)? = #isolation
  ) async throws(MediaFailure) {
    for container in wanted.wishes.keys.sorted() where container.source == source.id {
      guard let kind = ContainerID.Kind(rawValue: container.kind.rawValue) else { continue }
      let held = wanted.wants.wishes[container]?.items ?? []
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

  private func follow(
    _ container: ContainerKey, _ items: [MediaItem], isolation: isolated (any Actor)? = #isolation
  ) async throws(MediaFailure) {
    await wanted.turn.enter()
    let outcome: Result<Void, Fault>
    do throws(Fault) { outcome = .success(try await change(container, items)) } catch { outcome = .failure(error) }
    wanted.turn.leave()
    do throws(Fault) { try outcome.get() } catch { throw MediaFailure(.network, error) }
  }

  private func change(
    _ container: ContainerKey, _ items: [MediaItem], isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    guard let before = try await wanted.store(items, of: container) else { return }
    await rename(before, items, of: container.source)
    await wanted.follow(container, items)
  }

  /// A source calls items otherwise than before. The library is told of those whose files are here.
  private func rename(
    _ before: [ItemKey: MediaItem], _ items: [MediaItem], of source: String,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    var renamed: [KnownItem] = []
    for item in items {
      let key = ItemKey(source: source, item: item.id)
      if let old = before[key], !old.isCalled(as: item) { renamed.append(KnownItem(key, item)) }
    }
    guard !renamed.isEmpty else { return }
    await wanted.catalogue.rename(renamed)
    covers.want(renamed.map(\.facts))
    var paths: [FilePath] = []
    for one in renamed {
      guard let key = wanted.wants.key(of: one.key), let record = await tools.engine.record(key) else { continue }
      if record.state == .completed, let path = record.path { paths.append(FilePath(path)) }
    }
    if !paths.isEmpty { tools.told(.renamed(paths)) }
  }

  /// It was given up. Of what its source has now, under that name, something else may come.
  private func reconsider(
    _ key: MediaKey, at source: any MediaSource, isolation: isolated (any Actor)? = #isolation
  ) async throws(MediaFailure) {
    do throws(MediaFailure) {
      let place = try await source.resolve(key.item.item, at: key.quality, isAnew: false)
      guard let record = await tools.engine.record(key), record.isOther(than: place) else { return }
      _ = await tools.engine.again([key])
    } catch {
      guard error.reason == .notThere else { throw error }
    }
  }

  /// Those whose sums are others than they were when they were listed last.
  private func others(
    _ items: [MediaItem], at source: String, isolation: isolated (any Actor)? = #isolation
  ) async -> Set<ExactText> {
    let keys = items.map { ItemKey(source: source, item: $0.id) }
    let before = await wanted.catalogue.stored(keys)
    var others: Set<ExactText> = []
    for (item, key) in zip(items, keys) {
      if let old = before[key]?.hash, let new = item.hash, old != new { others.insert(ExactText(item.id)) }
    }
    return others
  }

  /// Other bytes than those that are here: fetched anew, and what is here stays until they are whole. Without sums nobody
  /// can say, and nothing is fetched.
  private func renew(
    _ item: ItemKey, at source: any MediaSource, isolation: isolated (any Actor)? = #isolation
  ) async throws(MediaFailure) {
    guard let key = wanted.wants.key(of: item), let record = await tools.engine.record(key) else { return }
    guard record.state == .completed, let hash = record.hash else { return }
    let place = try await source.resolve(item.item, at: key.quality, isAnew: false)
    guard let promised = place.hash, promised != hash else { return }
    await tools.engine.hear(.outdated, for: key)
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

extension MediaItem {
  fileprivate func isCalled(as other: MediaItem) -> Bool {
    (title, artist, album, albumArtist) == (other.title, other.artist, other.album, other.albumArtist)
      && (disc, track, art) == (other.disc, other.track, other.art)
  }
}
