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
    let known = try await licences.known()
    let members: [(String, JSON)] = [
      ("licences", .list(known.lines.map(\.shown))),
      ("bound_to", .list(known.standing.boundTo.map { JSON(path: $0) })), ("tpm", JSON(known.standing.hasTPM)),
      ("broker", JSON(known.standing.isBroker)), ("time", known.time.json),
      ("statements", .list(known.accounts.map(\.json))),
    ]
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
