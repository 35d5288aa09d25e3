import Offline
import Runtime

/// What is fetched, for somebody in front of the board.
extension OfflineService {
  /// False where the owner's file names no source.
  package var fetches: Bool { if case .withoutSources = standing { false } else { true } }

  package func lines() async throws(Fault) -> [OfflineLine] {
    try await ask { part async throws(Fault) in await part.list() }
  }

  package func pause(_ key: ContainerKey) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.pause(key) }
  }

  package func resume(_ key: ContainerKey) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.resume(key) }
  }

  package func again(_ key: ContainerKey) async throws(Fault) {
    _ = try await ask { part async throws(Fault) in try await part.again(key) }
  }

  package func drop(_ key: ContainerKey) async throws(Fault) {
    _ = try await ask { part async throws(Fault) in try await part.drop(key) }
  }

  package func pauseAll() async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.pause(nil) }
  }

  package func resumeAll() async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.resume(nil) }
  }

  package func standing() async throws(Fault) -> OfflineHealth {
    try await ask { part async throws(Fault) in await part.health() }
  }

  package func guesses() async throws(Fault) -> [OfflinePart.UnaskedLine] {
    try await ask { part async throws(Fault) in await part.unaskedList() }
  }

  package func sendAway(_ item: ItemKey) async throws(Fault) {
    try await ask { part async throws(Fault) in try await part.revoke(item) }
  }

  package func check(begins: Bool) async throws(Fault) {
    _ = try await ask { (part: OfflinePart) async throws(Fault) -> CheckLine? in
      begins ? try await part.check() : await part.callOffCheck()
    }
  }

  package func moveAll(to disk: String) async throws(Fault) {
    _ = try await ask { part async throws(Fault) in try await part.move(to: disk) }
  }
}
