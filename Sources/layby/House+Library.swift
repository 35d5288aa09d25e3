import Application
import Audio
import Glibc
import Library
import Playback
import Runtime

/// The library, wired: what brings music into it, what is known of how often it was played.
extension House {
  /// Who brings music in.
  struct LibraryJobs {
    let imports: ImportPart
    let copies: CopyPart
  }

  /// Nil where nothing can be remembered.
  func keepLibrary(_ storage: Storage, _ transport: Transport) async throws(Fault) -> LibraryJobs? {
    guard let catalogue = storage.catalogue else { return nil }
    let loop = try EventLoop("work", mayBlock: true)
    watchdog?.expect(slow: "work", loop)
    let imports = ImportPart(
      into: catalogue, on: loop, withForeign: ForeignHelp.isInstalled, date: { Int64(time(nil)) })
    imports.tell = { news in self.hear(news) }
    // A folder of a stick comes and goes with it, so it is the stick that is taken in.
    imports.special = { path in
      self.sticks.sticks.first { $0.root == path || path.bytes.starts(with: $0.root.bytes + [UInt8(ascii: "/")]) }?.wish
    }
    let gathering = Batcher<History.PlayedEntry>(most: 100, as: storage.errands) { heard in
      await self.remember(heard, storage, catalogue)
    }
    transport.listened = { gathering.add($0) }
    await supervisor.keep(imports, when: .restart)
    let copies = await keepCopies(catalogue, imports, on: loop)
    return LibraryJobs(imports: imports, copies: copies)
  }

  static let notLookedThrough = "L-413"

  /// What can be asked. Where nothing can be remembered there is nothing to look through and no playlist.
  func makeApplication(_ storage: Storage, _ assembly: SoundAssembly) -> Application {
    let transport = assembly.transport
    let sound = SoundSettings(transport)
    let preferences = Preferences(StoredChoices(chosen, storage, assembly), supervisor)
    let program = Health.Program(
      version: version, flags: chosen.flags, folder: statePath, unusable: storage.unusable)
    let inputs = InputLearning(self, preferences)
    let health = Health(self, program, transport, sound: assembly.path)
    guard let store = storage.session, let catalogue = storage.catalogue else {
      return Application(
        playing: Playing(transport, nil, nil, nil), sound: sound, browsing: storage.catalogue.map { Browsing($0) },
        keeping: offline, preferences: preferences, health: health, inputs: inputs)
    }
    let playlists = Playlists(store, catalogue, transport, offline)
    return Application(
      playing: Playing(transport, store, catalogue, playlists), sound: sound, playlists: playlists,
      browsing: Browsing(catalogue), keeping: offline, preferences: preferences, health: health, inputs: inputs)
  }

  /// When the library is open: what is there now, and what changed while nobody looked.
  func welcomeSources(_ storage: Storage, _ catalogue: Catalogue, _ carriers: LibraryJobs) {
    let imports = carriers.imports
    MainLoop.start {
      await self.restoreCounts(storage, catalogue)
      do throws(Fault) {
        var left = 0
        for source in try await catalogue.sources() where source.kind != .store {
          // Sticks are there when they come.
          let isThere = source.kind == .folder && source.root.withCString { access($0, R_OK) } == 0
          if source.isPresent != isThere { try await catalogue.setPresent(source.id, isThere) }
          guard isThere else { continue }
          // What lies there may be what ended the program.
          guard self.outset.rights.allows(.importMusic) else {
            left += 1
            continue
          }
          imports.takeUp(ImportPart.Request(folder: source.root))
        }
        if left > 0 {
          self.notices.post(
            Notice(Self.notLookedThrough, "Folders are not looked through in safe mode; layby import FOLDER does."))
        }
      } catch { self.log.warning("cannot look through the sources", ["reason": error.message]) }
      self.welcomeSticks(storage, catalogue, imports)
      await self.takeUpCopies(carriers.copies, catalogue, imports, storage.loop)
    }
  }

  /// A library that is new, or lost its last moments in a power cut, gets its counts back from the history.
  func restoreCounts(_ storage: Storage, _ catalogue: Catalogue) async {
    guard let session = storage.session else { return }
    do throws(Fault) {
      let hasCounts = try await catalogue.hasCounts()
      guard storage.afterUncleanStop || !hasCounts else { return }
      var last: ContentKey?
      while true {
        let part = try await session.totals(after: last, count: Catalogue.slice)
        guard let end = part.last else { return }
        try await catalogue.restore(part)
        last = end.key
      }
    } catch { log.warning("counts are not restored", ["reason": error.message]) }
  }

  /// History is kept where it cannot be lost, the counts also where lists are ordered by them.
  private func remember(_ heard: [History.PlayedEntry], _ storage: Storage, _ catalogue: Catalogue) async {
    var listenings: [(Listening, of: EntryID)] = []
    for one in heard {
      // A library that cannot be read costs the counts, not the history.
      let key = try? await catalogue.key(at: one.path)
      var listening = Listening(key, at: one.path, begun: one.begun, lasted: one.lasted, isFinished: one.isFinished)
      listening.isStreamed = one.isStreamed
      listenings.append((listening, of: one.entry))
    }
    await note(listenings, storage)
    for (listening, _) in listenings { await rememberOffline(listening) }
    let plays: [(key: ContentKey, at: Int64)] = listenings.compactMap { listening, _ in
      guard listening.isPlay, let key = listening.recording else { return nil }
      return (key, listening.begun)
    }
    do throws(Fault) { try await catalogue.played(plays) } catch {
      log.warning("what was heard is not counted", ["reason": error.message])
    }
  }

  private func note(_ listenings: [(Listening, of: EntryID)], _ storage: Storage) async {
    do throws(Fault) { try await storage.session?.note(listenings) } catch {
      guard listenings.count > 1 else {
        return log.warning("what was heard is not in the history", ["reason": error.message])
      }
      // One that cannot be written does not take the others along.
      for one in listenings { await note([one], storage) }
    }
  }

  private func hear(_ news: ImportPart.News) {
    let (wish, result): (ImportPart.Request, Result<ImportProgress, Fault>)
    switch news {
    case .progress:
      transport?.libraryGrows()
      return
    case .took:
      libraryChanged()
      offerLibrary()
      return
    case .ended(let ended, let outcome): (wish, result) = (ended, outcome)
    }
    if case .failure = result {} else { libraryChanged() }
    offerLibrary()
    switch result {
    case .success(let done) where done.read > 0:
      var (message, names) = ("\(wish.label): \(done.seen) tracks", [wish.label, "\(done.seen)"])
      if done.unreadable > 0 {
        message += ", \(done.unreadable) cannot be read"
        names.append("\(done.unreadable)")
      }
      let phrase = done.unreadable > 0 ? "L-410 in part" : "L-410"
      notices.post(Notice("L-410", "\(message).", as: phrase, names: names))
    case .success: break
    case .failure(let fault): notices.post(Notice(fault, instead: "what was read before is kept"))
    }
  }
}
