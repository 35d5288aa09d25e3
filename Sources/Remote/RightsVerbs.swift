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
    case "device": return Response.done([("device", try await licences.rights.card)])
    case "rotate":
      try await licences.rotate()
      return Response.done([("device", try await licences.rights.card)])
    case "renew":
      let renewals = try await licences.renew().map { renewal -> JSON in
        switch renewal.outcome {
        case .success(let count): ["source": JSON(renewal.source), "new": JSON(count)]
        case .failure(let fault):
          ["source": JSON(renewal.source), "code": JSON(fault.code), "message": JSON(fault.message)]
        }
      }
      return try await shown([("renewed", .list(renewals))])
    default: throw verb.wrong("that is nothing to do with licences")
    }
  }

  private func shown(_ more: [(String, JSON)]) async throws(Fault) -> JSON {
    let rights = try licences.rights
    let (time, standing, lines) = (try await rights.time, try await rights.standing, try await rights.lines())
    let members: [(String, JSON)] = [
      ("licences", .list(lines.map(\.shown))), ("bound_to", .list(standing.boundTo.map { JSON(path: $0) })),
      ("tpm", JSON(standing.hasTPM)), ("broker", JSON(standing.isBroker)), ("time", time.json),
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
    if let days = verdict.days { members.append(("days", JSON(days))) }
    return .object(JSON.Object(members))
  }
}

extension Verdict {
  fileprivate var name: String {
    switch self {
    case .plays: "plays"
    case .endsSoon: "ends soon"
    case .ended: "ended"
    case .otherDevice: "other device"
    case .timeLost: "time lost"
    case .notYet: "not yet"
    }
  }

  fileprivate var days: Int64? {
    switch self {
    case .plays(let days): days
    case .endsSoon(let days): days
    case .ended, .otherDevice, .timeLost, .notYet: nil
    }
  }
}
