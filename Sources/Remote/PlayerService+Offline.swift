import Offline
import Playback
import Runtime
import Services

/// The verbs about music that is fetched; what of it is to be heard is the player's.
extension PlayerService {
  func fetched(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    switch try OfflineRequest(arguments, verb) {
    case .queue(let target):
      return added(await playing.add(try await keeping.addresses(target)))
    case .play(let target):
      return await done(.replace(Replacement(try await keeping.addresses(target))))
    default: return try await KeepingVerbs(keeping: keeping).answer(verb, arguments)
    }
  }
}
