import Application
import Files
import Glibc
import Hardware
import Library
import Runtime

/// USB sticks: which are there, and what their owner decided about them once and for all, which is kept in the state
/// folder. What becomes of their music is the subject of `StickWelcome`. It lives on the main loop.
@MainLoop
final class StickAssembly {
  let part: SticksPart
  private(set) var memory = StickMemory()
  private let context: ProgramContext
  private let storage: Storage
  private let log = Log("layby")

  /// A test says where mounts and disks are found.
  init(_ context: ProgramContext, _ storage: Storage, in surroundings: StickSurroundings = StickSurroundings()) {
    (self.context, self.storage) = (context, storage)
    part = SticksPart(surroundings) { [notices = context.notices] event in
      // There is a question about a stick that waits.
      if case .refused(let stick) = event, stick.reason == .waits { return }
      if let notice = event.notice { notices.post(notice) }
    }
  }

  func keep() async { await context.supervisor.keep(part, when: .restart) }

  /// As the board is called by its owner; nil where nobody named it on a stick.
  var boardName: String? { memory.boardName }

  /// The stick on which this lies.
  func holding(_ path: FilePath) -> Stick? {
    part.sticks.first { $0.root == path || path.bytes.starts(with: $0.root.bytes + [UInt8(ascii: "/")]) }
  }

  // MARK: What was decided

  /// Before anything is asked.
  func remember() async {
    do throws(Fault) { memory = try await storage.stickMemory() } catch {
      log.warning("what was decided about sticks cannot be read", ["reason": error.message])
    }
  }

  func leaveAlone(_ stick: Stick) {
    memory.leaveAlone(stick)
    keepMemory()
  }

  private func keepMemory() {
    let (memory, storage, notices) = (memory, storage, context.notices)
    MainLoop.start {
      do throws(Fault) { try await storage.keep(memory) } catch {
        notices.post(Notice(error, instead: "after the next start it is asked again"))
      }
    }
  }

  /// The unit layby-stick-yes finds it in the run folder, and takes it away.
  func allow(_ stick: RefusedStick) throws(Fault) {
    let folder = context.runFolder / "sticks"
    try Folder.make(folder, mode: 0o755)
    try AtomicFile.replace(folder / stick.device, with: [], mode: 0o644)
  }

  // MARK: Who hears of sticks

  /// From now on until the program ends. To be called when the library is open.
  func welcome(_ library: LibraryAssembly, _ jobs: LibraryAssembly.LibraryJobs) {
    let box = Mailbox<StickEvent>(limit: 256)
    let setups = context.settings[.allowsSetup] ? self.setups : nil
    // A machine without slots has nowhere to put a new version.
    let updates = KernelSlot().running == nil ? nil : updateDesk()
    let welcome = StickWelcome(context, self, library, jobs, setups, updates)
    MainLoop.start {
      self.part.follow(box)
      while let event = await box.receive() { await welcome.take(event) }
    }
  }

  /// Copies hear of the sticks that they come from.
  func tell(_ copies: CopyPart) {
    let box = Mailbox<StickEvent>(limit: 256)
    part.follow(box)
    MainLoop.start {
      while let event = await box.receive() {
        switch event {
        case .came(let stick): copies.came(stick.wish)
        case .went(let stick): copies.went(stick.wish)
        case .refused, .refusalEnded: break
        }
      }
    }
  }

  // MARK: New versions from a stick

  private func updateDesk() -> UpdateDesk {
    let (run, told) = (context.runFolder, FilePath("/run/layby-update/state"))
    return UpdateDesk(
      .init(
        find: { root, then in Self.findUpdate(root, then) },
        wish: { wish throws(Fault) in
          try AtomicFile.replace(run / UpdateProgress.wishName, with: wish.bytes, mode: 0o644)
        },
        progress: {
          // Not there, or being replaced: there is no word yet.
          let bytes = try? AtomicFile.read(told, limit: 65_536)
          return bytes.flatMap { UpdateProgress(String(decoding: $0, as: UTF8.self)) }
        }), context.notices, context.questions)
  }

  /// As the image says what it is.
  nonisolated private static let updateFacts = FilePath("/etc/layby/update.conf")

  /// A stick that does not answer keeps this thread and nothing else.
  private static func findUpdate(_ root: FilePath, _ then: @escaping @MainLoop @Sendable (FilePath?) -> Void) {
    do throws(Fault) {
      try NamedThread.start("update", priority: .idle) {
        // What cannot be listed has no file for us.
        let names = (try? Folder.names(in: root, limit: 10_000)) ?? []
        let facts = try? AtomicFile.read(Self.updateFacts, limit: 4_096)  // without them any board's file is tried
        let board = facts.flatMap { UpdateFile.board(in: String(decoding: $0, as: UTF8.self)) }
        let file = UpdateFile.newest(among: names.map(\.description), for: board).map { root / $0 }
        MainLoop.start { then(file) }
      }
    } catch {
      Log("update").warning("a stick is not looked at for updates", ["reason": error.message])
    }
  }

  // MARK: Setting up the board from a stick

  /// Also for networks that are chosen on the panel: there is one place for a wish.
  private(set) lazy var setups = setupDesk()

  private func setupDesk() -> SetupDesk {
    let told = Self.setupTold
    let (storage, wish) = (storage, storage.wish)
    return SetupDesk(
      .init(
        read: { root, then in Self.readSetup(root, then) },
        wish: { setup async throws(Fault) in try await storage.lay(setup) },
        isTaken: { wish.withCString { access($0, F_OK) } != 0 }, takeBack: { await storage.takeBackWish() },
        outcome: {
          // Not there, or being replaced: there is no word yet.
          do throws(Fault) { return SetupOutcome(try AtomicFile.read(told, limit: 4_096)) } catch { return nil }
        },
        known: { self.memory },
        remember: { setup in
          self.memory.remember(setup)
          self.keepMemory()
        },
        forget: { () async throws(Fault) in
          try await storage.layForgetting()
          self.memory.forgetNetwork()
          self.keepMemory()
        }), context.notices, context.questions)
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
