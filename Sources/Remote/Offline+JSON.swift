import Application
import Offline
import Runtime
import Services

/// What is fetched and kept, as programs read it.
extension ContainerKey {
  var json: JSON {
    [
      "source": JSON(source), "kind": JSON(kind.rawValue), "id": JSON(id), "name": JSON(shownName),
    ]
  }
}

extension MediaContainer {
  func json(of source: String) -> JSON {
    var members: [(String, JSON)] = [
      ("source", JSON(source)), ("kind", JSON(id.kind.rawValue)), ("id", JSON(id.id)), ("title", JSON(title)),
      ("name", JSON(ContainerKey(id, of: source).shownName)),
    ]
    if let artist { members.append(("artist", JSON(artist))) }
    members.append(("count", JSON(count)))
    return .object(JSON.Object(members))
  }
}

extension Why {
  var json: JSON {
    var members: [(String, JSON)] = [("code", JSON(code)), ("message", JSON(sentence))]
    if let again { members.append(("again_s", JSON(again.inSeconds))) }
    return .object(JSON.Object(members))
  }
}

extension Wants.Size {
  var json: JSON {
    ["items": JSON(items), "bytes": JSON(bytes), "over": JSON(over), "fits": JSON(fits)]
  }
}

extension OfflineLine {
  var json: JSON {
    var members = container.json.members?.map { ($0.key, $0.value) } ?? []
    members += [("quality", JSON(quality.name)), ("state", JSON(state.rawValue))]
    members += [("items", JSON(items)), ("whole", JSON(whole)), ("failed", JSON(failed))]
    members += [("bytes", JSON(bytes)), ("size", JSON(size)), ("bytes_s", JSON(speed))]
    if let left { members.append(("left_s", JSON(left.inSeconds))) }
    members += [("why", .list(why.map(\.json))), ("needs_owner", JSON(needsOwner))]
    if !because.isEmpty { members.append(("because", .list(because.map { JSON($0.words) }))) }
    return .object(JSON.Object(members))
  }
}

extension PlannedLine {
  var json: JSON {
    var members: [(String, JSON)] = [("source", JSON(key.source)), ("item", JSON(key.item.item))]
    members.append(("quality", JSON(key.quality.name)))
    if let title { members.append(("title", JSON(title))) }
    if let artist { members.append(("artist", JSON(artist))) }
    if let container { members.append(("container", container.json)) }
    members += [("because", JSON(because)), ("running", JSON(isRunning)), ("bytes", JSON(bytes))]
    if let size { members.append(("size", JSON(size))) }
    members.append(("why", .list(why.map(\.json))))
    return .object(JSON.Object(members))
  }
}

extension OfflineHealth {
  var json: JSON {
    var members: [(String, JSON)] = [("items", JSON(items)), ("whole", JSON(whole))]
    members += [("waiting", JSON(waiting)), ("failed", JSON(failed))]
    members += [("completed_ever", JSON(completedEver)), ("failed_ever", JSON(failedEver))]
    members += [("retried_ever", JSON(retriedEver)), ("recovered_ever", JSON(recoveredEver))]
    members += [("removed_ever", JSON(removedEver)), ("damaged_ever", JSON(damagedEver))]
    if let success { members.append(("success_percent", JSON(success))) }
    if let lookedAfterAt { members.append(("looked_after", JSON(lookedAfterAt))) }
    members += [("kept", JSON(kept)), ("limit", JSON(limit))]
    if let free { members.append(("free", JSON(free))) }
    members += [("usage", usage.json), ("disks", disksJSON)]
    if let move { members.append(("move", move.json)) }
    if let check { members.append(("check", check.json)) }
    members.append(("why", .list(why.map(\.json))))
    return .object(JSON.Object(members))
  }

  var disksJSON: JSON { .list(volumes.map(\.json)) }
}

extension OfflineRoom {
  var json: JSON {
    var members: [(String, JSON)] = [("kept", JSON(kept)), ("limit", JSON(limit))]
    if let free { members.append(("free", JSON(free))) }
    members.append(("usage", usage.json))
    return .object(JSON.Object(members))
  }
}

extension CheckLine {
  var json: JSON {
    var members: [(String, JSON)] = [("state", JSON(check.state.rawValue))]
    members += [("checked", JSON(check.checked)), ("files", JSON(check.files))]
    members += [("bytes", JSON(check.bytesRead)), ("size", JSON(check.bytes)), ("bytes_s", JSON(speed))]
    if let left { members.append(("left_s", JSON(left.inSeconds))) }
    members += [("repaired", JSON(check.repaired)), ("unread", JSON(check.unread))]
    members += [("removed", JSON(check.removed)), ("again", JSON(check.again))]
    return .object(JSON.Object(members))
  }
}

extension OfflineUsage {
  var json: JSON {
    [
      "asked": JSON(asked), "growing": JSON(growing), "predicted": JSON(predicted), "cached": JSON(cached),
      "left": JSON(left),
    ]
  }
}

extension VolumeLine {
  var json: JSON {
    var members: [(String, JSON)] = [("name", JSON(volume.name)), ("path", JSON(path: volume.path))]
    members += [("home", JSON(isHome)), ("there", JSON(isThere)), ("new", JSON(isNew))]
    if let free, let total { members += [("free", JSON(free)), ("total", JSON(total))] }
    return .object(JSON.Object(members))
  }
}

extension MoveLine {
  var json: JSON {
    var members: [(String, JSON)] = [("from", JSON(from)), ("to", JSON(to))]
    members += [("there", JSON(there)), ("files", JSON(files)), ("bytes", JSON(bytes)), ("size", JSON(size))]
    members.append(("bytes_s", JSON(speed)))
    if let left { members.append(("left_s", JSON(left.inSeconds))) }
    if let free { members.append(("free", JSON(free))) }
    members.append(("why", .list(why.map(\.json))))
    return .object(JSON.Object(members))
  }
}

extension OfflineEvent {
  /// One line of `layby events`; nil for what happens all the time.
  func json(at now: Moment) -> JSON? {
    var members: [(String, JSON)] = [("event", JSON("offline")), ("at_ns", JSON(now.nanoseconds))]
    switch self {
    case .download(let event):
      guard let more = event.members else { return nil }
      members += more
    case .waits(let why): members += [("what", JSON("waits")), ("why", .list(why.map(\.json)))]
    // The lists say it.
    case .renamed: return nil
    case .goesOn: members.append(("what", JSON("goes on")))
    case .warned(let warning): members += [("what", JSON("warned")), ("why", .list([Why(warning).json]))]
    case .gaveUp(let key, _, let bytes):
      members += [("what", JSON("gave up")), ("item", JSON("\(key.item)")), ("bytes", JSON(bytes))]
    case .wanted(let container): members += [("what", JSON("wanted")), ("container", container.json)]
    case .dropped(let container): members += [("what", JSON("dropped")), ("container", container.json)]
    case .moving(let from, let to): members += [("what", JSON("moving")), ("from", JSON(from)), ("to", JSON(to))]
    case .moveWaits(let why): members += [("what", JSON("move waits")), ("why", .list(why.map(\.json)))]
    case .moved(let to): members += [("what", JSON("moved")), ("to", JSON(to))]
    case .followed(let container, let new, let gone, let over):
      members += [("what", JSON("followed")), ("container", container.json)]
      members += [("new", JSON(new)), ("gone", JSON(gone)), ("over", JSON(over))]
    }
    return .object(JSON.Object(members))
  }
}

extension DownloadEvent {
  fileprivate var members: [(String, JSON)]? {
    let item = key.map { JSON("\($0.item)") } ?? .null
    switch self {
    case .started: return [("what", JSON("started")), ("item", item)]
    case .progressed(_, let bytes, let size):
      return [
        ("what", JSON("progressed")), ("item", item), ("bytes", JSON(bytes)), ("of", size.map { JSON($0) } ?? .null),
      ]
    case .completed(_, let bytes): return [("what", JSON("completed")), ("item", item), ("bytes", JSON(bytes))]
    case .failed(_, let trouble):
      let why = Why(trouble)
      return [("what", JSON("failed")), ("item", item), ("code", JSON(why.code)), ("message", JSON(why.words))]
    case .deleted: return [("what", JSON("deleted")), ("item", item)]
    case .allDeleted: return [("what", JSON("all deleted"))]
    case .waits(_, let reason):
      return [("what", JSON("waits")), ("item", item), ("why", .list([Why(reason).json]))]
    case .retryScheduled(_, let trouble, let pause):
      let why = Why(trouble)
      return [
        ("what", JSON("retries")), ("item", item), ("code", JSON(why.code)), ("message", JSON(why.words)),
        ("after_s", JSON(pause.inSeconds)),
      ]
    case .recovered(_, let bytes): return [("what", JSON("recovered")), ("item", item), ("bytes", JSON(bytes))]
    case .maintenanceDone(let checked, let repaired, let removed):
      return [
        ("what", JSON("looked after")), ("checked", JSON(checked)), ("repaired", JSON(repaired)),
        ("removed", JSON(removed)),
      ]
    case .stateChanged: return nil
    }
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

extension Keeping.SmartDownload {
  var json: JSON {
    var members: [(String, JSON)] = [("source", JSON(item.source)), ("item", JSON(item.item))]
    if let title { members.append(("title", JSON(title))) }
    if let artist { members.append(("artist", JSON(artist))) }
    members += [("because", JSON(because.words)), ("whole", JSON(isWhole)), ("bytes", JSON(bytes))]
    return .object(JSON.Object(members))
  }
}
