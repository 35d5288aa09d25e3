import Library
import Offline
import Playback
import Runtime

/// Music that is fetched and kept. Where the owner's file names no source there is nothing of it: no thread, no file. It
/// lives on the main loop.
@MainLoop
final class OfflineAssembly {
  private let context: ProgramContext
  private let storage: Storage
  private let library: LibraryAssembly
  private let network: NetworkAssembly
  private let power: PowerAssembly

  /// From now on whoever asks is told that Offline is about to begin, or why it does not.
  init(
    _ context: ProgramContext, _ storage: Storage, _ library: LibraryAssembly, _ network: NetworkAssembly,
    _ power: PowerAssembly
  ) {
    (self.context, self.storage, self.library) = (context, storage, library)
    (self.network, self.power) = (network, power)
    guard !context.settings.sources.isEmpty else { return }
    library.application.keeping.availability =
      storage.session == nil || storage.catalogue == nil
      ? .broken(Self.nothingRemembered) : .opening
  }

  static let nothingRemembered = Fault(.missing, "X-195", "nothing can be remembered, so nothing is fetched")

  /// To be called when the library is open: what is whole is to be found in it.
  func open() async {
    let keeping = library.application.keeping
    guard case .opening = keeping.availability, let jobs = library.jobs else { return }
    guard context.outset.rights.allows(.want) else {
      keeping.availability = .broken(Fault(.busy, "X-196", "nothing is fetched in safe mode"))
      return
    }
    do throws(Fault) {
      let service = OfflineService(
        context, storage, library, jobs.imports, network, ConditionsFeed(context, network, power),
        try await network.transfers())
      await context.supervisor.keep(service, when: .restart)
    } catch {
      keeping.availability = .broken(error)
      context.notices.post(Notice(error, instead: "nothing is fetched"))
    }
  }
}

/// `state.db` belongs to the session; Offline has tables of its own in it.
extension SessionStore: ConnectionLending {}
