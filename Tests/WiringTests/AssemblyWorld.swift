import Application
import Hardware
import Library
import Playback
import Runtime
import TestSupport

@testable import layby

/// The assemblies that every other one needs, made of real parts over a folder of the test's own. Nothing is heard: the
/// output is none. No part runs until a test keeps it.
@MainLoop
struct AssemblyWorld {
  let context: ProgramContext
  let storage: Storage
  let streaming: StreamAssembly
  let sound: SoundAssembly
  let library: LibraryAssembly
  let keeping = Keeping()
  private let noInputs = NoInputs()

  init(in folder: FilePath, board: String, owner: String) async throws(Fault) {
    let settings = try SettingsTable.all.read(
      board: Array(board.utf8), owner: .success(Array(owner.utf8)), lastGood: { _ in nil }
    ).settings
    let options = try RunOptions([
      "--board", "\(folder)/board.conf", "--state", "\(folder)/state", "--run", "\(folder)/run",
    ])
    let outset = StartupDiagnosis(settings, options)
    let chosen = ChosenSettings(
      settings, OwnersChoices.load(from: folder / "state"), owned: settings, isSafe: false)
    context = ProgramContext(options, chosen, outset)
    await context.watchdogs.begin()
    storage = try await Storage(context.statePath, context.notices)
    streaming = StreamAssembly(keeping, storage, kept: context.keptPath, context.notices)
    sound = try SoundAssembly(
      .null, chosen, storage, outset, keeping, finder: streaming.streams, keys: nil, library: streaming,
      context.notices)
    streaming.connect(sound, hasSources: !settings.sources.isEmpty)
    let sticks = StickAssembly(context, storage, in: Self.mounts(folder / "mounts"))
    library = try LibraryAssembly(
      context, storage, sound, sticks, keeping,
      device: .init(context, storage, sound, HealthReadings(context, sticks), noInputs, Licences(nil)))
  }

  /// Sticks are those of a table in this folder.
  private static func mounts(_ folder: FilePath) -> StickSurroundings {
    var surroundings = StickSurroundings()
    surroundings.table = folder / "table"
    surroundings.places = folder / "places"
    surroundings.records = folder / "records"
    surroundings.disks = folder / "disks"
    surroundings.numbers = folder / "numbers"
    return surroundings
  }

  /// A start, what `body` does, and a clean stop. The main loop is nobody else's meanwhile.
  nonisolated static func live<Seen: Sendable>(
    in folder: FilePath, board: String = "", owner: String = "",
    _ body: @escaping @MainLoop @Sendable (AssemblyWorld) async throws(Fault) -> Seen
  ) async throws -> Seen {
    let result = await aloneOnMainLoop { () -> Result<Seen, Fault> in
      do throws(Fault) {
        let world = try await AssemblyWorld(in: folder, board: board, owner: owner)
        let seen = try await body(world)
        await world.context.supervisor.stop()
        try await world.storage.close()
        return .success(seen)
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// As a start does it, with parts that bring music in.
  func openLibrary() async {
    await library.keep()
    await withCheckedContinuation { (opened: CheckedContinuation<Void, Never>) in
      storage.openLibrary { opened.resume() }
    }
    library.open()
  }

  /// Waits for imports until the library has so many tracks.
  func untilTracks(_ count: Int64) async throws(Fault) {
    let changes = Mailbox<Void>(limit: 1)
    library.follow { changes.send(()) }
    while try await library.application.browsing?.survey().tracks != count, await changes.receive() != nil {}
  }

  /// Lets tasks that were started, and what they write, come to their end.
  func settle() async {
    for _ in 0..<50 {
      await storage.loop.perform {}
      await Task.yield()
    }
  }

  var codes: [String] { context.notices.posted.map(\.notice.code) }
}

/// A board without a knob or keys.
@MainLoop
private final class NoInputs: InputParts {
  var inputDevices: EventDevices? { nil }
  var lines: LinesPart? { nil }
}
