import Offline
import Runtime
import Services

/// The verbs about music that is fetched and kept. Sources may take their time, so they are asked on the loop of whoever
/// fetches, and the deck only waits for what comes of it.
@Deck
package final class OfflineService {
  /// How far it is: with the library open it begins.
  package enum Standing {
    /// The owner's file names no source.
    case withoutSources
    case opening
    case open(OfflinePart, on: EventLoop)
    case broken(Fault)
  }

  package var standing = Standing.withoutSources { didSet { changed(standing) } }
  /// For whoever plays what is not here.
  package var changed: @Deck (Standing) -> Void = { _ in }
  package var sources: [any MediaSource] = []
  private var followers: [Mailbox<JSON>] = []

  nonisolated package init() {}

  /// One try; there may be others. Whoever asks after one that failed is told why, and not that it is about to begin.
  package func open(
    _ begin: @Deck () async throws(Fault) -> (OfflinePart, on: EventLoop)
  ) async throws(Fault) {
    do throws(Fault) {
      let (part, loop) = try await begin()
      standing = .open(part, on: loop)
    } catch {
      standing = .broken(error)
      throw error
    }
  }

  func answer(_ verb: Verb, _ arguments: [JSON]) async throws(Fault) -> JSON {
    switch try OfflineRequest(arguments, verb) {
    case .list: return try await list()
    case .state(let target): return try await state(target)
    case .browse(let kind, let source, let words): return try await browse(kind, source, words)
    case .size(let target, let quality): return try await size(target, chosen(quality))
    case .want(let target, let quality, let isAnyway): return try await want(target, quality, isAnyway)
    case .drop(nil):
      let gone = try await ask { part async throws(Fault) in try await part.dropAll() }
      return Answer.done([("dropped_all", true), ("items", JSON(gone))])
    case .drop(let target?):
      let key: ContainerKey = try await wanted(target)
      let gone = try await ask { part async throws(Fault) in try await part.drop(key) }
      return Answer.done([("dropped", key.json), ("items", JSON(gone))])
    case .pause(let target):
      let key = try await wanted(target)
      try await ask { part async throws(Fault) in try await part.pause(key) }
      return try await list()
    case .resume(let target):
      let key = try await wanted(target)
      try await ask { part async throws(Fault) in try await part.resume(key) }
      return try await list()
    case .again(let target):
      let key = try await wanted(target)
      let count = try await ask { part async throws(Fault) in try await part.again(key) }
      return Answer.done([("again", JSON(count))])
    case .leaveOut(let target):
      let key = try await item(target)
      try await ask { part async throws(Fault) in try await part.leaveOut(key) }
      return Answer.done([("left_out", JSON("\(key)"))])
    case .takeIn(let target):
      let key = try await item(target)
      try await ask { part async throws(Fault) in try await part.takeIn(key) }
      return Answer.done([("taken_in", JSON("\(key)"))])
    case .pay(let target, let isExcepted):
      let key: ContainerKey = try await wanted(target)
      try await ask { part async throws(Fault) in try await part.payFor(key, isExcepted) }
      return try await list()
    case .check(let what): return try await check(what)
    case .accept: return try await accept()
    case .disks:
      let health = try await ask { part async throws(Fault) in await part.health() }
      return Answer.done([("disks", health.disksJSON), ("usage", health.usage.json)])
    case .move(let name): return try await move(to: name)
    case .plan(let count): return try await plan(count)
    case .smart: return try await smart()
    case .sendAway(let name): return try await sendAway(name)
    case .play(let target), .queue(let target):
      let paths = try await addresses(target)
      return Answer.done([("addresses", .list(paths.map { JSON(path: $0) }))])
    case .refresh:
      try await ask { part async throws(Fault) in await part.refresh() }
      return try await list()
    }
  }

  /// How it went so far; null where nothing is fetched.
  func health() async -> JSON {
    do throws(Fault) { return try await ask { part async throws(Fault) in await part.health() }.json } catch {
      guard case .withoutSources = standing else {
        return ["fault": ["code": JSON(error.code), "message": JSON(error.message)]]
      }
      return .null
    }
  }

  // MARK: Events

  func follow(_ events: Mailbox<JSON>) { followers.append(events) }

  /// For whoever follows what happens.
  package func tell(_ event: OfflineEvent) {
    followers.removeAll(where: \.isClosed)
    guard !followers.isEmpty, let json = event.json(at: Deck.loop.now) else { return }
    for box in followers { box.send(json) }
  }

  // MARK: Answers

  private func chosen(_ said: Quality?) async throws(Fault) -> Quality {
    if let said { return said }
    return try await ask { part async throws(Fault) in await part.quality(for: .download) }
  }

  private func list() async throws(Fault) -> JSON {
    let lines = try await ask { part async throws(Fault) in await part.list() }
    let room = try await ask { part async throws(Fault) in await part.room() }
    let streams = try await ask { part async throws(Fault) in await part.quality(for: .stream) }
    var shown: [JSON] = []
    for line in lines { shown.append(line.json) }
    return Answer.done([
      ("offline", .list(shown)), ("sources", .list(sources.map { JSON($0.id) })), ("room", room.json),
      ("quality", ["downloads": JSON(try await chosen(nil).name), "streams": JSON(streams.name)]),
    ])
  }

  private func plan(_ count: Int) async throws(Fault) -> JSON {
    let lines = try await ask { part async throws(Fault) in await part.plan(count: count) }
    var shown: [JSON] = []
    for line in lines { shown.append(line.json) }
    return Answer.done([("plan", .list(shown))])
  }

  /// How much it is and what there is room for is told when it begins.
  private func move(to name: String?) async throws(Fault) -> JSON {
    let line = try await ask { (part: OfflinePart) async throws(Fault) -> MoveLine? in
      if let name { return try await part.move(to: name) }
      return await part.moving()
    }
    return Answer.done([("move", line?.json ?? .null)])
  }

  private func size(_ target: OfflineRequest.Target, _ quality: Quality) async throws(Fault) -> JSON {
    let key = try await known(target)
    let size = try await ask { part async throws(Fault) in try await part.size(of: key, at: quality) }
    return Answer.done([("container", key.json), ("quality", JSON(quality.name)), ("size", size.json)])
  }

  /// What does not fit is queued only when whoever asks says so.
  nonisolated package static let doesNotFit = "X-211"

  /// How much it is is told before anything of it comes.
  private func want(
    _ target: OfflineRequest.Target, _ said: Quality?, _ isAnyway: Bool
  ) async throws(Fault) -> JSON {
    let key = try await known(target)
    // Asked for again without a word it stays as good as it was.
    let before = try await ask { part async throws(Fault) in await part.quality(of: key) }
    let quality = try await chosen(said ?? before)
    let size = try await ask { part async throws(Fault) in try await part.size(of: key, at: quality) }
    // What is queued already was asked about, or was let in when it fitted.
    if !size.fits, !isAnyway, before.map({ $0 < quality }) ?? true {
      throw Self.tooLarge(key.shownName, size)
    }
    switch try await ask({ part async throws(Fault) in try await part.want(key, at: quality) }) {
    case .wanted(let change):
      return Answer.done([
        ("wanted", key.json), ("quality", JSON(quality.name)), ("size", size.json),
        ("queued", JSON(change.queued.count + change.replaced.count)),
      ])
    case .refused(let over):
      throw Self.tooMany(key.shownName, over: over)
    }
  }

  private func browse(
    _ kind: ContainerID.Kind, _ source: String?, _ words: [String]
  ) async throws(Fault) -> JSON {
    var found: [JSON] = []
    for source in try chosen(source) {
      for container in try await containers(kind, of: source) where container.has(words) {
        guard found.count < Self.mostBrowsed else { break }
        found.append(container.json(of: source.id))
      }
    }
    return Answer.done([("containers", .list(found))])
  }

  private static let mostBrowsed = 1_000

  // MARK: Asking

  func ask<Result: Sendable>(
    _ body: @escaping @Sendable (OfflinePart) async throws(Fault) -> Result
  ) async throws(Fault) -> Result {
    let (part, loop) = try opened
    let answer = await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<Result, Fault>, Never>) in
      Task(executorPreference: loop) {
        do throws(Fault) { continuation.resume(returning: .success(try await body(part))) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try answer.get()
  }

  func containers(
    _ kind: ContainerID.Kind, of source: any MediaSource
  ) async throws(Fault) -> [MediaContainer] {
    let (_, loop) = try opened
    let answer = await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<[MediaContainer], MediaFailure>, Never>) in
      Task(executorPreference: loop) {
        do throws(MediaFailure) { continuation.resume(returning: .success(try await source.containers(kind))) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    switch answer {
    case .success(let found): return found
    case .failure(let failure): throw failure.fault
    }
  }

  var opened: (OfflinePart, EventLoop) {
    get throws(Fault) {
      switch standing {
      case .open(let part, let loop): return (part, loop)
      case .broken(let fault): throw fault
      case .opening: throw Fault(.busy, "X-190", "what is kept offline is not known yet; the library is being opened")
      case .withoutSources:
        throw Fault(.missing, "X-189", "there is nothing to fetch from: layby.conf names no source; [source NAME] does")
      }
    }
  }
}
