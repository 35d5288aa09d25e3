import Offline
import Playback
import Runtime
import Services

/// The verbs about music that is fetched; what of it is to be heard is the player's.
extension PlayerService {
  func fetched(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    switch try OfflineRequest(arguments, verb) {
    case .queue(let target):
      let music = try await keeping.music(of: target)
      return added(await playing.add(music.addresses, from: music.origin))
    case .play(let target):
      let music = try await keeping.music(of: target)
      return await done(.replace(Replacement(music.addresses, from: music.origin)))
    default: return try await KeepingVerbs(keeping: keeping).answer(verb, arguments)
    }
  }
}
