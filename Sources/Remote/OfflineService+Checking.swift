import Offline
import Runtime

/// A look at everything that is kept, and at the disk it is kept on.
extension OfflineService {
  /// Who only asks how far it is begins none, and who calls it off is told what came of it.
  func check(_ what: OfflineRequest.Check) async throws(Fault) -> JSON {
    let line = try await ask { (part: OfflinePart) async throws(Fault) -> CheckLine? in
      switch what {
      case .begin: return try await part.check()
      case .look: return await part.checking()
      case .stop: return await part.callOffCheck()
      }
    }
    return Answer.done([("check", line?.json ?? .null)])
  }

  func accept() async throws(Fault) -> JSON {
    let isNow = try await ask { part async throws(Fault) in try await part.accept() }
    return Answer.done([("accepted", JSON(isNow))])
  }
}
