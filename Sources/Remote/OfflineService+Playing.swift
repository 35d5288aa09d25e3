import Offline
import Playback
import Runtime
import Services

/// What of it is to be heard, here or not.
extension OfflineService {
  /// How its items stand in the queue. What is wanted offline is known without its source.
  func addresses(_ target: OfflineRequest.Target) async throws(Fault) -> [FilePath] {
    let key = try await container(target)
    let items = try await ask { part async throws(Fault) in try await part.items(of: key) }
    guard !items.isEmpty else {
      throw Fault(.missing, "X-197", "there is nothing in \(target.kind.rawValue) \"\(shownBriefly(target.name))\"")
    }
    return items.prefix(PlayQueue.limit).map(\.address)
  }

  private func container(_ target: OfflineRequest.Target) async throws(Fault) -> ContainerKey {
    do throws(Fault) { return try await wanted(target) } catch { return try await known(target) }
  }

  /// Nil where nothing is fetched, too.
  package func facts(of item: ItemKey) async -> MediaItem? {
    try? await ask { part async throws(Fault) in await part.facts(of: item) }
  }

  /// Beside which its cover lies; nil when it has none.
  package func cover(of item: ItemKey) async -> FilePath? {
    try? await ask { part async throws(Fault) in await part.cover(of: item) }
  }

  /// What is played now and what comes next, whether it is here or not.
  package func isPlayed(_ paths: [FilePath]) async {
    _ = try? await ask { part async throws(Fault) in await part.isPlayed(paths) }
  }

  package func isQueued(_ items: [ItemKey]) async {
    _ = try? await ask { part async throws(Fault) in await part.isQueued(items) }
  }

  package func prepare(_ items: [ItemKey]) async {
    _ = try? await ask { part async throws(Fault) in await part.prepare(items) }
  }
}
