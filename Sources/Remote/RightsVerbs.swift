import Application
import Rights
import Runtime

/// The verb `rights`: who this device is to services, and what its licences allow.
@MainLoop
struct RightsVerbs {
  let licences: Licences

  func answer(_ verb: Verb, _ arguments: [JSON]) async throws(Fault) -> JSON {
    switch arguments.first?.string {
    case nil: return try await shown([])
    case "device": return try await device()
    case "rotate":
      try await licences.rotate()
      return try await device()
    case "renew":
      let renewals = try await licences.renew().map { renewal -> JSON in
        switch renewal.outcome {
        case .success(let taken):
          [
            "source": JSON(renewal.source), "new": JSON(taken.licences),
            "statement": JSON(taken.isStatementNew ? "new" : "as it was"),
          ]
        case .failure(let fault):
          ["source": JSON(renewal.source), "code": JSON(fault.code), "message": JSON(fault.message)]
        }
      }
      return try await shown([("renewed", .list(renewals))])
    default: throw verb.wrong("that is nothing to do with licences")
    }
  }

  private func device() async throws(Fault) -> JSON {
    let card = try await licences.rights.asked { keeper throws(Fault) in try keeper.card }
    return Response.done([("device", card)])
  }

  private func shown(_ more: [(String, JSON)]) async throws(Fault) -> JSON {
    let members = try await licences.rights.asked { keeper throws(Fault) -> [(String, JSON)] in
      // With one service it is the time that counts for its licences.
      let sources = keeper.sources
      let (time, standing) = (try keeper.time(of: sources.count == 1 ? sources[0] : nil), try keeper.standing)
      return [
        ("licences", .list(try keeper.lines().map(\.shown))),
        ("bound_to", .list(standing.boundTo.map { JSON(path: $0) })), ("tpm", JSON(standing.hasTPM)),
        ("broker", JSON(standing.isBroker)), ("time", time.json),
        ("statements", .list(try keeper.accounts().map(\.json))),
      ]
    }
    return Response.done(members + more)
  }
}

extension DeviceRights.Line {
  fileprivate var shown: JSON {
    var members: [(String, JSON)] = [
      ("source", JSON(source)), ("id", JSON(licence.id)), ("title", JSON(licence.title)),
      ("tracks", JSON(licence.tracks)), ("verdict", JSON(verdict.name)), ("plays", JSON(verdict.mayPlay)),
    ]
    if let ends = licence.ends { members.append(("ends", JSON(ends))) }
    if let quality = licence.quality { members.append(("quality", JSON(quality))) }
    if let days = verdict.days { members.append(("days", JSON(days))) }
    if let why = verdict.refusal(of: licence.title, issued: licence.issued) {
      members += [("code", JSON(why.code)), ("message", JSON(why.message))]
    }
    return .object(JSON.Object(members))
  }
}
