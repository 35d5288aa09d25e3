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
}
