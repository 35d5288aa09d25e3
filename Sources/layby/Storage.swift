import Application
import Formats
import Glibc
import Hardware
import Library
import Playback
import Runtime
import Store

/// Opens what is stored on the disk: the session first, since the music waits for it, and the library later. It holds
/// the lock of the state folder as long as it lives. It lives on the main loop; the disk is used on loops of its own.
@MainLoop
final class Storage: LoudnessStore {
  let loop: EventLoop
  let path: FilePath
  private var folder: StateFolder?
  let session: SessionStore?
  let saved: SavedSession
  /// Nil where the state folder cannot be used.
  let catalogue: Catalogue?
  /// Damage is possible, so the next start must check the databases even if this stop is clean.
  private var isInDoubt = false
  private var isOpeningLibrary = false
  let afterUncleanStop: Bool
  /// Why nothing is remembered in this run; nil when the state folder could be used.
  private(set) var unusable: Fault?
  /// Writes that run in the background.
  let errands = BackgroundTasks()
  private let notices: NoticeBoard
  private let log = Log("storage")

  /// If the state folder cannot be written, music plays and nothing is remembered. Only another program's lock ends the
  /// start with an error.
  init(_ path: FilePath, _ notices: NoticeBoard) async throws(Fault) {
    loop = try EventLoop("store", mayBlock: true)
    try loop.start()
    self.notices = notices
    self.path = path
    do throws(Fault) {
      let taken = try StateFolder(taking: path)
      afterUncleanStop = taken.afterUncleanStop
      folder = consume taken
    } catch {
      guard error.kind != .busy else { throw error }
      unusable = error
      log.warning("the state folder cannot be used", ["reason": error.message])
      notices.post(.unsaved(error))
      (session, catalogue, afterUncleanStop) = (nil, nil, false)
      saved = await Self.peek(SessionStore(in: path, on: loop))
      return
    }
    if afterUncleanStop { log.notice("the last stop was unclean, checking the databases") }
    // The library has a thread of its own, so that its long work never delays saving the session.
    let libraryLoop = try EventLoop("library", mayBlock: true)
    try libraryLoop.start()
    catalogue = Catalogue(in: path, on: libraryLoop)
    // The seed of shuffling differs from board to board; it is saved with the first queue.
    let store = SessionStore(in: path, on: loop, seed: UInt64.random(in: .min ... .max))
    do throws(Fault) {
      saved = try await store.open(afterUncleanStop: afterUncleanStop, today: Self.today)
      session = store
      for notice in saved.notices { notices.post(notice) }
      if saved.isFresh && !saved.queue.isEmpty {
        let lost = "The position in \(path) cannot be read. The queue is there, the place in it is lost."
        notices.post(Notice("X-160", lost))
      }
    } catch {
      log.warning("the session cannot be opened", ["reason": error.message])
      notices.post(.unsaved(error))
      isInDoubt = true
      // On a full disk the last session can still be read; everything is saved as soon as there is room.
      var peeked = await Self.peek(store)
      if error.kind == .full {
        peeked.unsaved = error
        session = store
      } else {
        unusable = error
        session = nil
      }
      saved = peeked
    }
  }

  /// Reads the last session from a disk that cannot be written.
  private static func peek(_ store: SessionStore) async -> SavedSession {
    do throws(Fault) { return try await store.peek() } catch {
      Log("storage").notice("nothing of the last session can be read", ["reason": error.message])
      return SavedSession()
    }
  }

  /// What the owner has decided about sticks; empty when nothing was.
  func stickMemory() async throws(Fault) -> StickMemory {
    let file = path / StickMemory.fileName
    return try await loop.perform { () -> Result<StickMemory, Fault> in
      Result { () throws(Fault) in
        do throws(Fault) {
          return StickMemory(parsing: try AtomicFile.read(file, limit: StickMemory.limit))
        } catch {
          guard error.kind == .missing else { throw error }
          return StickMemory()
        }
      }
    }.get()
  }

  /// The file in which the system finds the set-up (Wi-Fi, name) that the owner has confirmed.
  var wish: FilePath { SetupTaker.wish(in: path) }

  func lay(_ setup: StickSetup) async throws(Fault) {
    let wish = wish
    try await loop.perform { () -> Result<Void, Fault> in
      Result { () throws(Fault) in
        try Folder.make(wish.folder)
        try AtomicFile.replace(wish, with: setup.bytes)
      }
    }.get()
  }

  /// The file by which the system learns that the device is to be as on its first day.
  var eraseWish: FilePath { DeviceEraser.wish(in: path) }

  func lay(_ extent: EraseExtent) async throws(Fault) {
    let state = path
    try await loop.perform { () -> Result<Void, Fault> in
      Result { () throws(Fault) in try DeviceEraser.lay(extent, in: state) }
    }.get()
  }

  func takeBackEraseWish() async {
    let wish = eraseWish
    await loop.perform { _ = wish.withCString { unlink($0) } }
  }

  /// Beside it: the network is to be forgotten.
  func layForgetting() async throws(Fault) {
    let folder = wish.folder
    try await loop.perform { () -> Result<Void, Fault> in
      Result { () throws(Fault) in
        try Folder.make(folder)
        try AtomicFile.replace(folder / SetupTaker.forgetName, with: [])
      }
    }.get()
  }

  func takeBackWish() async {
    let wish = wish
    await loop.perform { _ = wish.withCString { unlink($0) } }
  }

  func keep(_ memory: StickMemory) async throws(Fault) {
    let file = path / StickMemory.fileName
    try await loop.perform { () -> Result<Void, Fault> in
      Result { () throws(Fault) in try AtomicFile.replace(file, with: memory.bytes) }
    }.get()
  }

  /// Opens the library in the background: after an unclean stop that reads all of it. On a full disk it is opened for
  /// reading alone (then `readable` is called), and again when there is room. `then` is called at the end.
  func openLibrary(readable: @escaping @MainLoop () -> Void = {}, then: @escaping @MainLoop () -> Void) {
    guard let catalogue else { return }
    isOpeningLibrary = true
    MainLoop.start {
      var fault = await self.open(catalogue)
      if let full = fault, full.kind == .full {
        self.log.warning("the library is open for reading alone", ["reason": full.message])
        await self.openForReading(catalogue)
        readable()
        while fault?.kind == .full {
          guard await MainLoop.loop.sleep(for: SessionKeeper.triesAgainAfter) else { return }
          fault = await self.open(catalogue)
        }
      }
      if let fault { self.notices.post(Notice(fault, instead: "it plays, but the library cannot be used")) }
      self.isOpeningLibrary = false
      then()
    }
  }

  /// Nil when it is open, else the reason why not.
  private func open(_ catalogue: Catalogue) async -> Fault? {
    do throws(Fault) {
      let found = try await catalogue.open(afterUncleanStop: afterUncleanStop, today: Self.today)
      for notice in found { notices.post(notice) }
      return nil
    } catch {
      isInDoubt = true
      return error
    }
  }

  private func openForReading(_ catalogue: Catalogue) async {
    do throws(Fault) { try await catalogue.openForReading() } catch {
      log.warning("the library cannot be looked through", ["reason": error.message])
    }
  }

  /// The last step of a clean stop. The next start need not check the databases, unless damage was met meanwhile: then
  /// it does, and sets the damaged one aside.
  func close() async throws(Fault) {
    // While the library is being checked its background writes would wait for too long.
    if !isOpeningLibrary { await errands.over() }
    if await session?.close() == false { isInDoubt = true }
    if isOpeningLibrary {
      isInDoubt = isInDoubt || afterUncleanStop
    } else if await catalogue?.close() == false {
      isInDoubt = true
    }
    if let folder = folder.take(), !isInDoubt { try folder.stopCleanly() }
  }

  func lookUp(_ path: FilePath) async -> Track? {
    do throws(Fault) { return try await catalogue?.track(at: path) } catch {
      log.warning("cannot look a track up", ["path": path, "reason": error.message])
      return nil
    }
  }

  /// Whether the file itself contains a cover, as far as the library knows.
  func hasArt(_ path: FilePath) async -> Bool {
    do throws(Fault) {
      guard let file = try await catalogue?.file(at: path) else { return false }
      return try await catalogue?.art(of: file).isEmpty == false
    } catch { return false }
  }

  func learn(_ path: FilePath, _ track: Track) {
    errands.start {
      do throws(Fault) {
        try await self.catalogue?.learn(track, at: path, today: Int64(time(nil)))
      } catch {
        self.log.warning("cannot remember a track", ["path": path, "reason": error.message])
      }
    }
  }

  func loudness(of paths: [FilePath]) async -> [FilePath: MeasuredLoudness] {
    do throws(Fault) { return try await catalogue?.loudness(of: paths) ?? [:] } catch {
      log.warning("cannot look loudness up", ["reason": error.message])
      return [:]
    }
  }

  func taggedLoudness(of paths: [FilePath]) async -> [FilePath: LoudnessFacts] {
    do throws(Fault) { return try await catalogue?.taggedLoudness(of: paths) ?? [:] } catch {
      log.warning("cannot look gains up", ["reason": error.message])
      return [:]
    }
  }

  func keep(_ loudness: MeasuredLoudness, of path: FilePath) async {
    do throws(Fault) { try await catalogue?.keep(loudness, of: path, today: Int64(time(nil))) } catch {
      log.warning("cannot remember how loud a track is", ["path": path, "reason": error.message])
    }
  }

  /// The date for the names of damaged databases that are set aside. Nothing depends on its being right.
  private static var today: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    func digits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts.tm_year + 1_900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
  }
}
