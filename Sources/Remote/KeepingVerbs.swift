import Application
import Offline
import Playback
import Runtime
import Services

/// The verb `offline`: music that is fetched and kept.
@MainLoop
struct KeepingVerbs {
  let keeping: Keeping

  /// `player` plays, or queues, what the request wants to hear.
  func answer(_ request: OfflineRequest, by player: PlayerService) async throws(Fault) -> JSON {
    switch request {
    case .list: return try await list()
    case .state(let target): return try await state(target)
    case .browse(let kind, let source, let words): return try await browse(kind, source, words)
    case .size(let target, let quality): return try await size(target, quality)
    case .want(let target, let quality, let isAnyway): return try await want(target, quality, isAnyway)
    case .drop(nil):
      let gone = try await keeping.dropAll()
      return Response.done([("dropped_all", true), ("items", JSON(gone))])
    case .drop(let target?):
      let key: ContainerKey = try await keeping.wanted(target)
      let gone = try await keeping.drop(key)
      return Response.done([("dropped", key.json), ("items", JSON(gone))])
    case .pause(let target):
      let key = try await keeping.wanted(target)
      try await keeping.pause(key)
      return try await list()
    case .resume(let target):
      let key = try await keeping.wanted(target)
      try await keeping.resume(key)
      return try await list()
    case .again(let target):
      let key = try await keeping.wanted(target)
      let count = try await keeping.again(key)
      return Response.done([("again", JSON(count))])
    case .leaveOut(let target):
      let key = try await keeping.item(target)
      try await keeping.leaveOut(key)
      return Response.done([("left_out", JSON("\(key)"))])
    case .takeIn(let target):
      let key = try await keeping.item(target)
      try await keeping.takeIn(key)
      return Response.done([("taken_in", JSON("\(key)"))])
    case .pay(let target, let isExcepted):
      let key: ContainerKey = try await keeping.wanted(target)
      try await keeping.payFor(key, isExcepted)
      return try await list()
    case .check(let what):
      let line = try await keeping.check(what)
      return Response.done([("check", line?.json ?? .null)])
    case .accept(let disk): return Response.done([("accepted", JSON(try await keeping.accept(disk)))])
    case .disks:
      let health = try await keeping.health()
      return Response.done([("disks", health.disksJSON), ("usage", health.usage.json)])
    case .move(let name): return Response.done([("move", try await keeping.move(to: name)?.json ?? .null)])
    case .plan(let count): return try await plan(count)
    case .smart: return try await smart()
    case .dismissSmartDownload(let name): return try await dismissSmartDownload(name)
    case .play(let target):
      let music = try await keeping.music(of: target)
      return await player.done(.replace(Replacement(music.addresses, from: music.origin)))
    case .queue(let target):
      let music = try await keeping.music(of: target)
      return player.added(await player.playing.add(music.addresses, from: music.origin))
    case .refresh:
      try await keeping.refresh()
      return try await list()
    }
  }

  /// How downloads have gone so far; null on a device that fetches nothing.
  func health() async -> JSON {
    do throws(Fault) { return try await keeping.health().json } catch {
      guard !keeping.fetches else {
        return ["fault": ["code": JSON(error.code), "message": JSON(error.message)]]
      }
      return .null
    }
  }

  // MARK: Answers

  private func list() async throws(Fault) -> JSON {
    let lines = try await keeping.lines()
    let room = try await keeping.room()
    let streams = try await keeping.quality(for: .stream)
    var shown: [JSON] = []
    for line in lines { shown.append(line.json) }
    return Response.done([
      ("offline", .list(shown)), ("sources", .list(keeping.sources.map { JSON($0.id) })), ("room", room.json),
      ("quality", ["downloads": JSON(try await keeping.quality(for: .download).name), "streams": JSON(streams.name)]),
    ])
  }

  private func plan(_ count: Int) async throws(Fault) -> JSON {
    let lines = try await keeping.plan(count)
    var shown: [JSON] = []
    for line in lines { shown.append(line.json) }
    return Response.done([("plan", .list(shown))])
  }

  private func size(_ target: OfflineRequest.Target, _ said: Quality?) async throws(Fault) -> JSON {
    let quality: Quality
    if let said { quality = said } else { quality = try await keeping.quality(for: .download) }
    let key = try await keeping.known(target)
    let size = try await keeping.size(of: key, at: quality)
    return Response.done([("container", key.json), ("quality", JSON(quality.name)), ("size", size.json)])
  }

  /// The answer says how large it is, before anything of it has been fetched.
  private func want(
    _ target: OfflineRequest.Target, _ quality: Quality?, _ isAnyway: Bool
  ) async throws(Fault) -> JSON {
    let wanted = try await keeping.want(try await keeping.known(target), at: quality, isAnyway: isAnyway)
    return Response.done([
      ("wanted", wanted.container.json), ("quality", JSON(wanted.quality.name)), ("size", wanted.size.json),
      ("queued", JSON(wanted.queued)),
    ])
  }

  private func browse(
    _ kind: ContainerID.Kind, _ source: String?, _ words: [String]
  ) async throws(Fault) -> JSON {
    let offers = try await keeping.browse(kind, of: source, words, count: Self.mostBrowsed)
    var members = [("containers", JSON.list(offers.containers.map { $0.container.json(of: $0.source) }))]
    if !offers.unknown.isEmpty {
      let unknown = offers.unknown.map { source, fault -> JSON in
        ["source": JSON(source), "code": JSON(fault.code), "message": JSON(fault.message)]
      }
      members.append(("unknown", .list(unknown)))
    }
    return Response.done(members)
  }

  private static let mostBrowsed = 1_000

  // MARK: Single tracks

  private static let mostShown = 1_000

  /// The state of one track, or of each track in something, whether or not it is wanted.
  private func state(_ target: OfflineRequest.Target) async throws(Fault) -> JSON {
    guard target.kind != .track else { return try await lines(of: [try await keeping.anyItem(target)]) }
    let key = try await keeping.container(target)
    let items = try await keeping.items(of: key)
    return try await lines(of: Array(items.prefix(Self.mostShown)), in: key)
  }

  private func lines(of items: [ItemKey], in container: ContainerKey? = nil) async throws(Fault) -> JSON {
    let lines = try await keeping.lines(of: items)
    var members: [(String, JSON)] = [("items", .list(lines.map(\.json)))]
    if let container { members.append(("container", container.json)) }
    return Response.done(members)
  }

  // MARK: Smart downloads

  private func smart() async throws(Fault) -> JSON {
    let lines = try await keeping.smartDownloads()
    let why = try await keeping.whyNoSmartDownloads()
    return Response.done([("smart", .list(lines.map(\.json))), ("why", .list(why.map(\.json)))])
  }

  /// Removes the smart download of this name; nil: all of them.
  private func dismissSmartDownload(_ name: String?) async throws(Fault) -> JSON {
    guard let name else { return Response.done([("sent_away", JSON(try await keeping.dismissAllSmartDownloads()))]) }
    let item = try await keeping.smartDownload(name)
    try await keeping.dismissSmartDownload(item)
    return Response.done([("sent_away", JSON(1)), ("item", JSON("\(item)"))])
  }
}
