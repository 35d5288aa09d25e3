import Library
import Offline
import Runtime
import Services

/// How single tracks stand, whoever names them and however.
extension OfflineService {
  private static let mostShown = 1_000

  func state(_ target: OfflineRequest.Target) async throws(Fault) -> JSON {
    guard target.kind != .track else { return try await lines(of: [try await anyItem(target)]) }
    let key = try await container(target)
    let items = try await ask { part async throws(Fault) in try await part.items(of: key) }
    return try await lines(of: Array(items.prefix(Self.mostShown)), in: key)
  }

  private func lines(of items: [ItemKey], in container: ContainerKey? = nil) async throws(Fault) -> JSON {
    let lines = try await ask { part async throws(Fault) in await part.lines(of: items) }
    var members: [(String, JSON)] = [("items", .list(lines.map(\.json)))]
    if let container { members.append(("container", container.json)) }
    return Answer.done(members)
  }

  /// What is wanted or here is known without its source; its id goes before a title.
  private func anyItem(_ target: OfflineRequest.Target) async throws(Fault) -> ItemKey {
    let sources = try chosen(target.source)
    let named = sources.flatMap { source in
      target.names(in: source.id).map { ItemKey(source: source.id, item: $0) }
    }
    if let known = try await ask({ part async throws(Fault) in await part.known(named) }) { return known }
    let titled = try await ask { part async throws(Fault) in await part.items(called: target.name) }
    let found = titled.filter { item in sources.contains { $0.id == item.source } }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      let keys = found.map { (ContainerKey(source: $0.source, kind: .track, id: $0.item), $0.item) }
      let key = try only(keys, target, "layby offline state")
      return ItemKey(source: key.source, item: key.id)
    }
    return try await item(target)
  }
}

extension ItemLine {
  var json: JSON {
    var members: [(String, JSON)] = [("source", JSON(item.source)), ("item", JSON(item.item))]
    if let title = facts?.title { members.append(("title", JSON(title))) }
    if let artist = facts?.artist { members.append(("artist", JSON(artist))) }
    if let album = facts?.album { members.append(("album", JSON(album))) }
    if let quality { members.append(("quality", JSON(quality.name))) }
    members += [("state", JSON(state.rawValue)), ("offline", JSON(offline.rawValue)), ("bytes", JSON(bytes))]
    if let size { members.append(("size", JSON(size))) }
    members.append(("bytes_s", JSON(speed)))
    if let left { members.append(("left_s", JSON(left.inSeconds))) }
    members += [("why", .list(why.map(\.json))), ("wanted_by", .list(containers.map(\.json)))]
    guard let record else { return .object(JSON.Object(members)) }
    members += [("attempts", JSON(record.retry.attempts)), ("queued", JSON(record.queuedAt))]
    if let begun = record.begunAt { members.append(("begun", JSON(begun))) }
    if let ended = record.endedAt { members.append(("ended", JSON(ended))) }
    if let played = record.playedAt { members.append(("played", JSON(played))) }
    members.append(("plays", JSON(record.plays)))
    if let trouble = record.trouble { members.append(("last_error", Why(trouble).json)) }
    if let path = record.path { members.append(("path", JSON(path))) }
    return .object(JSON.Object(members))
  }
}
