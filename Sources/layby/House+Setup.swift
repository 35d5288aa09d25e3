import Glibc
import Hardware
import Runtime

/// Setting up the board from a stick, wired: what reads, what keeps, and what the system says.
extension House {
  func setupDesk(_ storage: Storage) -> StickSetupDesk {
    let told = Self.setupTold
    let wish = storage.wish
    return StickSetupDesk(
      .init(
        read: { root, then in Self.readSetup(root, then) },
        wish: { setup async throws(Fault) in try await storage.lay(setup) },
        isTaken: { wish.withCString { access($0, F_OK) } != 0 }, takeBack: { await storage.takeBackWish() },
        outcome: {
          // Not there, or being replaced: there is no word yet.
          do throws(Fault) { return SetupOutcome(try AtomicFile.read(told, limit: 4_096)) } catch { return nil }
        },
        known: { self.stickMemory },
        remember: { setup in
          self.stickMemory.remember(setup)
          self.keepStickMemory(storage)
        }), notices, questions)
  }

  /// The unit's own folder, in memory; nobody else writes there.
  private static let setupTold = FilePath("/run/layby-setup") / SetupOutcome.fileName

  /// A stick that does not answer keeps this thread and nothing else.
  private static func readSetup(
    _ root: FilePath, _ then: @escaping @MainLoop @Sendable (Result<StickSetup?, Fault>) -> Void
  ) {
    do throws(Fault) {
      try NamedThread.start("setup", priority: .idle) {
        let result = Result { () throws(Fault) in try StickSetup.read(from: root) }
        MainLoop.start { then(result) }
      }
    } catch { then(.failure(error)) }
  }
}

/// `layby setup --state DIR --network DIR --told DIR`: for the unit layby-setup.service, which takes what the owner has
/// confirmed.
func takeSetup(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, of: ProgramVerb.setup)
  guard let state = options.path("--state"), let network = options.path("--network"),
    let told = options.path("--told"), options.others.isEmpty
  else {
    throw Fault(.malformed, "X-147", "expected: \(ProgramVerb.setup.wholeUsage)")
  }
  try SetupTaker(state: state, network: network, told: told).run()
  return EX_OK
}
