import Application
import Rights
import Runtime

/// The verb `rights`: who this device is to services, and what its licences allow.
@MainLoop
struct RightsVerbs {
  let licences: Licences

  func answer(_ verb: Verb, _ arguments: [JSON]) async throws(Fault) -> JSON {
    switch arguments.first?.string {
    case nil: return try shown([])
    case "device": return Response.done([("device", try licences.rights.card)])
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
      return try shown([("renewed", .list(renewals))])
    default: throw verb.wrong("that is nothing to do with licences")
    }
  }

  private func shown(_ more: [(String, JSON)]) throws(Fault) -> JSON {
    let rights = try licences.rights
    let time = rights.time
    let bound = rights.boundTo.map { JSON(path: $0) }
    let members: [(String, JSON)] = [
      ("licences", .list(rights.lines().map(\.json))), ("bound_to", .list(bound)),
      ("time", ["now": JSON(time.now), "witness": JSON(time.witness.rawValue)]),
      ("statements", .list(rights.statements().map(Self.json))),
    ]
    return Response.done(members + more)
  }
}

extension RightsVerbs {
  fileprivate static func json(_ said: (source: String, statement: Statement)) -> JSON {
    let statement = said.statement
    var members: [(String, JSON)] = [("source", JSON(said.source)), ("at", JSON(statement.issued))]
    if let subscription = statement.subscription { members.append(("subscription", JSON(subscription.rawValue))) }
    if let ends = statement.graceEnds { members.append(("grace_until", JSON(ends))) }
    if let region = statement.region { members.append(("region", JSON(region))) }
    return .object(JSON.Object(members))
  }
}

extension DeviceRights.Line {
  fileprivate var json: JSON {
    var members: [(String, JSON)] = [
      ("source", JSON(source)), ("id", JSON(licence.id)), ("title", JSON(licence.title)),
      ("tracks", JSON(licence.keys.count)), ("verdict", JSON(verdict.name)), ("plays", JSON(verdict.mayPlay)),
    ]
    if let ends = licence.ends { members.append(("ends", JSON(ends))) }
    if let days = verdict.days { members.append(("days", JSON(days))) }
    if let why = verdict.refusal(of: licence.title, issued: licence.issued) {
      members += [("code", JSON(why.code)), ("message", JSON(why.message))]
    }
    return .object(JSON.Object(members))
  }
}
