import Offline
import Runtime

/// What is fetched unasked: shown with its reasons, and sent away one by one or all at once.
extension OfflineService {
  func smart() async throws(Fault) -> JSON {
    let lines = try await ask { part async throws(Fault) in await part.unaskedList() }
    var shown: [JSON] = []
    for line in lines { shown.append(line.json) }
    let why = try await ask { part async throws(Fault) in await part.unaskedWhy() }
    return Answer.done([("smart", .list(shown)), ("why", .list(why.map(\.json)))])
  }

  func sendAway(_ name: String?) async throws(Fault) -> JSON {
    guard let name else {
      let count = try await ask { part async throws(Fault) in try await part.revokeAll() }
      return Answer.done([("sent_away", JSON(count))])
    }
    let item = try await unasked(name)
    try await ask { part async throws(Fault) in try await part.revoke(item) }
    return Answer.done([("sent_away", JSON(1)), ("item", JSON("\(item)"))])
  }
}

extension OfflinePart.UnaskedLine {
  var json: JSON {
    var members: [(String, JSON)] = [("source", JSON(item.source)), ("item", JSON(item.item))]
    if let title { members.append(("title", JSON(title))) }
    if let artist { members.append(("artist", JSON(artist))) }
    members += [("because", JSON(because)), ("whole", JSON(isWhole)), ("bytes", JSON(bytes))]
    return .object(JSON.Object(members))
  }
}
