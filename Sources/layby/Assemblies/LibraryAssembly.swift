import Application
import Audio
import Files
import Glibc
import Library
import Playback
import Runtime

/// The library: what brings music into it, and all that can be asked. It lives on the main loop. After a power cut
/// `open` goes on with imports and copies that were broken off.
@MainLoop
final class LibraryAssembly {
  /// What brings music in.
  struct LibraryJobs {
    let catalogue: Catalogue
    let imports: ImportPart
    let copies: CopyPart
  }

  /// What is asked of the device, and not of the music.
  @MainLoop
  struct DeviceUseCases {
    let preferences: Preferences
    let health: Health
    let inputs: InputLearning
    let licences: Licences

    init(
      _ context: ProgramContext, _ storage: Storage, _ sound: SoundAssembly, _ health: any HealthSource,
      _ inputs: any InputParts, _ licences: Licences
    ) {
      self.licences = licences
      preferences = Preferences(
        StoredChoices(context.chosen, storage, sound), context.supervisor, DeviceEraser(storage))
      let program = Health.Program(version: version, folder: context.statePath, unusable: storage.unusable)
      self.health = Health(health, program, sound.transport, sound: sound.path)
      self.inputs = InputLearning(inputs, preferences)
    }
  }

  var application: Application
  let sticks: StickAssembly
  /// Nil where nothing can be remembered.
  let jobs: LibraryJobs?
  private let context: ProgramContext
  private let storage: Storage
  private let sound: SoundAssembly
  private var followers: [@MainLoop () -> Void] = []
  private var importFollowers: [@MainLoop () -> Void] = []
  private let log = Log("layby")

  /// Makes the parts; `keep` starts them.
  init(
    _ context: ProgramContext, _ storage: Storage, _ sound: SoundAssembly, _ sticks: StickAssembly, _ keeping: Keeping,
    device: DeviceUseCases
  ) throws(Fault) {
    (self.context, self.storage, self.sound, self.sticks) = (context, storage, sound, sticks)
    var jobs: LibraryJobs?
    if let catalogue = storage.catalogue {
      let loop = try EventLoop("work", mayBlock: true)
      context.watchdogs.expect(slow: "work", loop)
      let imports = ImportPart(
        into: catalogue, on: loop, withForeign: ForeignHelp.isInstalled, date: { Int64(time(nil)) })
      let copies = CopyPart(to: context.settings[.musicPath] ?? context.statePath / "music", on: loop)
      jobs = LibraryJobs(catalogue: catalogue, imports: imports, copies: copies)
    }
    self.jobs = jobs
    application = Self.application(storage, sound.transport, keeping, jobs, sticks, device)
    if let jobs { connect(jobs) }
  }

  /// What can be asked. Where nothing can be remembered there is nothing to look through and no playlist.
  private static func application(
    _ storage: Storage, _ transport: Transport, _ keeping: Keeping, _ jobs: LibraryJobs?, _ sticks: StickAssembly,
    _ device: DeviceUseCases
  ) -> Application {
    let sound = SoundSettings(transport)
    var application: Application
    if let store = storage.session, let catalogue = storage.catalogue {
      let playlists = Playlists(store, catalogue, transport, keeping)
      application = Application(
        playing: Playing(transport, store, catalogue, playlists, keeping), sound: sound, playlists: playlists,
        browsing: Browsing(catalogue), keeping: keeping, preferences: device.preferences, health: device.health,
        inputs: device.inputs, licences: device.licences)
    } else {
      application = Application(
        playing: Playing(transport, nil, nil, nil, keeping), sound: sound,
        browsing: storage.catalogue.map { Browsing($0) }, keeping: keeping, preferences: device.preferences,
        health: device.health, inputs: device.inputs, licences: device.licences)
    }
    application.importing = jobs.map { Importing($0.catalogue, $0.imports, $0.copies) }
    application.sticks = Sticks(sticks.part, application.browsing, application.importing)
    return application
  }

  /// The parts ask and tell by closures, since rooms below know nothing of sticks and notices. They are set once, here,
  /// before the parts run.
  private func connect(_ jobs: LibraryJobs) {
    let (catalogue, imports, copies, sticks) = (jobs.catalogue, jobs.imports, jobs.copies, sticks)
    imports.tell = { self.hear($0) }
    // A folder of a stick comes and goes with it, so it is the stick that is taken in.
    imports.special = { sticks.holding($0)?.wish }
    copies.sources = { () async throws(Fault) in
      let folders = try await catalogue.sources().filter { $0.kind == .folder && $0.isPresent }
      return sticks.part.sticks.map(\.wish) + folders.map { ImportPart.Request(folder: $0.root) }
    }
    copies.isSafe = !context.outset.rights.allows(.copyMusic)
    copies.tell = { self.hear($0) }
    // `copies` itself calls this.
    copies.placed = { [unowned copies] in self.lookThrough(copies.music, imports) }
  }

  func keep() async {
    guard let jobs else { return }
    await context.supervisor.keep(jobs.imports, when: .restart)
    await context.supervisor.keep(jobs.copies, when: .restart)
  }

  /// While the battery is too low for anything but the session, imports and copies wait.
  func hold(_ isHeld: Bool) {
    jobs?.imports.isHeld = isHeld
    jobs?.copies.isHeld = isHeld
  }

  // MARK: Changes

  /// Is called when other music can be found: the library was opened, an import or a download ended, files were deleted.
  func follow(_ follower: @escaping @MainLoop () -> Void) { followers.append(follower) }

  /// Is called when an import has come further or has ended.
  func followImports(_ follower: @escaping @MainLoop () -> Void) { importFollowers.append(follower) }

  func changed() {
    for follower in followers { follower() }
    sound.libraryChanged()
  }

  private func hear(_ news: ImportPart.News) {
    defer { for follower in importFollowers { follower() } }
    switch news {
    case .progress: sound.transport.libraryGrows()
    case .took: changed()
    case .ended(let wish, let result):
      // Also when it ended early: what it had read by then can be found.
      changed()
      tell(wish, result)
    }
  }

  private func tell(_ wish: ImportPart.Request, _ result: Result<ImportProgress, Fault>) {
    switch result {
    case .success(let done) where done.read > 0:
      var (message, names) = ("\(wish.label): \(done.seen) songs are in the library", [wish.label, "\(done.seen)"])
      if done.unreadable > 0 {
        message += ", \(done.unreadable) cannot be read"
        names.append("\(done.unreadable)")
      }
      let phrase = done.unreadable > 0 ? "L-410 in part" : "L-410"
      context.notices.post(Notice("L-410", "\(message).", as: phrase, names: names))
    case .success: break
    case .failure(let fault): context.notices.post(Notice(fault, instead: "what was read before is kept"))
    }
  }

  // MARK: The library is open

  static let notLookedThrough = "L-413"

  /// What is there now, and what changed while the player did not run. To be called once, when the library is open.
  func open() {
    changed()
    guard let jobs else { return }
    MainLoop.start {
      await self.sound.recorder?.restoreCounts()
      await self.lookThroughSources(jobs)
      self.sticks.welcome(self, jobs)
      await self.takeUpCopies(jobs)
    }
  }

  private func lookThroughSources(_ jobs: LibraryJobs) async {
    do throws(Fault) {
      var left = 0
      for source in try await jobs.catalogue.sources() where source.kind == .folder {
        let isThere = source.root.withCString { access($0, R_OK) } == 0
        if source.isPresent != isThere { try await jobs.catalogue.setPresent(source.id, isThere) }
        guard isThere else { continue }
        // What lies there may be what ended the program.
        guard context.outset.rights.allows(.importMusic) else {
          left += 1
          continue
        }
        jobs.imports.takeUp(ImportPart.Request(folder: source.root))
      }
      if left > 0 {
        context.notices.post(
          Notice(Self.notLookedThrough, "Folders are not looked through in safe mode; layby import FOLDER does."))
      }
    } catch { log.warning("cannot look through the sources", ["reason": error.message]) }
  }

  // MARK: Copies

  /// Copies that were broken off go on, those of a stick when the stick is there. Whether there are any is asked on a
  /// loop that may wait for a disk; most days there is none.
  private func takeUpCopies(_ jobs: LibraryJobs) async {
    let (copies, music, disk) = (jobs.copies, jobs.copies.music, storage.loop)
    do throws(Fault) {
      // A power cut between the copy and its import.
      let isKnown = try await jobs.catalogue.sources().contains { $0.root == music }
      if !isKnown, context.outset.rights.allows(.importMusic),
        await disk.perform({ music.withCString { access($0, R_OK) } == 0 })
      {
        try await jobs.imports.add(folder: music)
      }
      if await disk.perform({ CopyPart.isUnfinished(in: music) }) {
        if context.outset.rights.allows(.copyMusic) {
          try await copies.takeUp()
        } else {
          context.notices.post(
            Notice("L-444", "Copies that were broken off wait for a start that is not in safe mode."))
        }
      }
    } catch { context.notices.post(Notice(error, instead: "copies that were broken off are not gone on with")) }
    sticks.tell(copies)
  }

  /// Also what is there of a copy that ended early. Where it lies in a folder that was imported it is no source of its
  /// own: each track would stand there twice.
  private func lookThrough(_ music: FilePath, _ imports: ImportPart) {
    MainLoop.start {
      do throws(Fault) { try await imports.add(folder: music) } catch {
        self.context.notices.post(
          Notice(error, instead: "what was copied is on the device, but not in the library yet"))
      }
    }
  }

  private func hear(_ news: CopyPart.News) {
    let notices = context.notices
    switch news {
    case .ended(let wish, .success(let done)):
      guard done.phase == .done else { return }
      if done.failed > 0 {
        let message = "\(wish.from.label): \(done.files - done.failed) files are on the device, \(done.failed) are not"
        notices.post(
          Notice(
            "L-441", "\(message) (layby copy says which).",
            names: [wish.from.label, "\(done.files - done.failed)", "\(done.failed)"]))
      } else {
        let size = DiskSpace.shown(done.bytes)
        notices.post(
          Notice(
            "L-440", "\(wish.from.label): \(done.files) files (\(size)) are on the device.",
            names: [wish.from.label, "\(done.files)", size]))
      }
    case .ended(_, .failure(let fault)):
      notices.post(Notice(fault, instead: "what was copied whole is on the device"))
    case .away(let wish, let fault):
      let when = wish.from.kind == .stick ? "it is there again" : "it is asked for again, or at the next start"
      notices.post(Notice("L-442", "\(fault.message); the copy goes on when \(when)"))
    }
  }
}
