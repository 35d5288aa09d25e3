import Application
import Audio
import Glibc
import Hardware
import Library
import Playback
import Runtime

/// Sticks that come and go: what becomes of their music, and what their owner is asked.
extension House {
  /// What was decided once and for all, before anything is asked.
  func rememberSticks(_ storage: Storage) async {
    do throws(Fault) { stickMemory = try await storage.stickMemory() } catch {
      log.warning("what was decided about sticks cannot be read", ["reason": error.message])
    }
  }

  func keepStickMemory(_ storage: Storage) {
    let memory = stickMemory
    MainLoop.start {
      do throws(Fault) { try await storage.keep(memory) } catch {
        self.notices.post(Notice(error, instead: "after the next start it is asked again"))
      }
    }
  }

  /// When the library is open; until the end.
  func welcomeSticks(_ storage: Storage, _ catalogue: Catalogue, _ imports: ImportPart) {
    let box = Mailbox<StickEvent>(limit: 256)
    let welcome = StickWelcome(self, storage, catalogue, imports)
    MainLoop.start {
      self.sticks.follow(box)
      while let event = await box.receive() { await welcome.take(event) }
    }
  }
}

/// Lives on the main loop. What was decided once and for all is kept in the state folder.
@MainLoop
private final class StickWelcome {
  private let house: House
  private let storage: Storage
  private let catalogue: Catalogue
  private let imports: ImportPart
  private let setups: StickSetupDesk?
  /// By the places of the sticks they are about.
  private var questions: [FilePath: Int] = [:]
  /// About sticks that wait for a yes.
  private var waiting: [RefusedStick: Int] = [:]
  private let log = Log("sticks")

  init(_ house: House, _ storage: Storage, _ catalogue: Catalogue, _ imports: ImportPart) {
    self.house = house
    self.storage = storage
    self.catalogue = catalogue
    self.imports = imports
    setups = house.settings[.allowsSetup] ? house.setupDesk(storage) : nil
  }

  func take(_ event: StickEvent) async {
    switch event {
    case .came(let stick), .went(let stick): house.application?.sticks?.changed(stick)
    case .refused, .refusalEnded: break
    }
    switch event {
    case .came(let stick): setups?.came(stick)
    case .went(let stick): setups?.went(stick)
    case .refused(let stick) where stick.reason == .waits: askToRead(stick)
    case .refused, .refusalEnded: break
    }
    withdrawForThoseThatWent()
    do throws(Fault) {
      switch event {
      case .came(let stick): try await welcome(stick)
      case .went(let stick): try await takeLeave(of: stick)
      case .refused, .refusalEnded: break
      }
    } catch { log.warning("the library does not know of a stick", ["reason": error.message]) }
  }

  private func welcome(_ stick: Stick) async throws(Fault) {
    let wish = stick.wish
    var known = try await catalogue.sources().first { $0.kind == .stick && $0.key == wish.key }
    if wish.isPassing, let last = known.take() { _ = try await catalogue.forget(source: last.id) }
    if let known, known.isPresent, known.root != stick.root {
      // A copy of one that is in: what the one lacks is not gone from the other.
      house.notices.post(
        Notice(
          "H-714", "\(stick.shownName) is the twin of one that is in; only that one is looked through",
          names: stick.ownName))
      return
    }
    if let known { try await catalogue.setPresent(known.id, true) }
    let isLeftAlone = house.stickMemory.leavesAlone(stick)
    switch StickMusic(
      house.settings[.stickImport], isKnown: known != nil, isLeftAlone: isLeftAlone,
      amongStrangers: house.settings.isKiosk)
    {
    case .isTakenIn where !house.outset.rights.allows(.importMusic):
      house.notices.post(
        Notice(
          House.notLookedThrough,
          "\(stick.shownName) is not looked through in safe mode; layby import \(stick.root) does"))
    case .isTakenIn: imports.add(wish)
    case .isAskedFor: ask(about: stick)
    case .isLeft: break
    }
  }

  /// A stick that waits is no stick yet: whoever answers is asked before its file system is read at all.
  private func askToRead(_ stick: RefusedStick) {
    guard waiting[stick] == nil else { return }
    waiting[stick] = house.questions.ask(stick.question) { answer in
      self.waiting[stick] = nil
      guard RefusedStick.Answer(rawValue: answer) == .yes else { return }
      do throws(Fault) { try self.house.allow(stick) } catch {
        self.house.notices.post(Notice(error, instead: "put it in again to be asked again"))
      }
    }
  }

  private func withdrawForThoseThatWent() {
    for (stick, question) in waiting where !house.sticks.refused.contains(stick) {
      waiting[stick] = nil
      house.questions.withdraw(question)
    }
  }

  private func ask(about stick: Stick) {
    // It may have gone while the library was asked.
    guard house.sticks.sticks.contains(stick) else { return }
    questions[stick.root] = house.questions.ask(StickMusic.question(about: stick)) { answer in
      self.questions[stick.root] = nil
      switch StickMusic.Answer(rawValue: answer) {
      case .yes: self.takeIn(stick)
      case .yesAndPlay:
        self.takeIn(stick)
        self.play(stick)
      case .never: self.leaveAlone(stick)
      case .notNow, nil: break
      }
    }
  }

  /// Once and for all: a power cut before its turn has come does not forget it.
  private func takeIn(_ stick: Stick) {
    MainLoop.start {
      do throws(Fault) { try await self.imports.add(folder: stick.root) } catch {
        self.house.notices.post(Notice(error, instead: "the next time it is asked again"))
      }
    }
  }

  /// While it is taken in: the first few as soon as they are found, behind them what else there is. A stick that does
  /// not answer keeps this thread and nothing else.
  private func play(_ stick: Stick) {
    let root = stick.root
    let foreign = ForeignHelp.isInstalled
    do throws(Fault) {
      try NamedThread.start("stick") {
        let few = Result { () throws(Fault) in try MusicFiles.at(root, most: Self.few, withForeign: foreign) }
        MainLoop.start { await self.play(few, of: stick) }
        let all = Result { () throws(Fault) in try MusicFiles.at(root, most: PlayQueue.limit, withForeign: foreign) }
        MainLoop.start { await self.add(all, of: stick) }
      }
    } catch { house.notices.post(Notice(error, instead: Self.later)) }
  }

  nonisolated private static let few = 20
  private static let later = "its music can be played when it has been taken in"

  private func play(_ few: Result<[FilePath], Fault>, of stick: Stick) async {
    guard let transport = house.transport, house.sticks.sticks.contains(stick) else { return }
    switch few {
    case .failure(let fault): house.notices.post(Notice(fault, instead: Self.later))
    case .success([]):
      house.notices.post(Notice("H-716", "\(stick.shownName) has no music on it.", names: stick.ownName))
    case .success(let files):
      do throws(Fault) { try await transport.perform(.playAtOnce(files, behindAll: true, from: stick.origin)) } catch {
        notSaved(error)
      }
    }
  }

  private func add(_ all: Result<[FilePath], Fault>, of stick: Stick) async {
    guard let transport = house.transport, house.sticks.sticks.contains(stick) else { return }
    guard case .success(let files) = all, files.count > Self.few else { return }
    let rest = Player.Command.add(Array(files.dropFirst(Self.few)), from: stick.origin)
    do throws(Fault) { try await transport.perform(rest) } catch { notSaved(error) }
  }

  private func notSaved(_ fault: Fault) {
    log.warning("the music of a stick is played, and its place in the queue not saved", ["reason": fault.message])
  }

  private func leaveAlone(_ stick: Stick) {
    house.stickMemory.leaveAlone(stick)
    house.keepStickMemory(storage)
    house.notices.post(
      Notice(
        "H-715", "\(stick.shownName) is left alone from now on; layby import \(stick.root) takes it in",
        names: stick.ownName))
  }

  private func takeLeave(of stick: Stick) async throws(Fault) {
    if let question = questions.removeValue(forKey: stick.root) { house.questions.withdraw(question) }
    let wish = stick.wish
    let known = try await catalogue.sources().first { $0.kind == .stick && $0.key == wish.key }
    if let known, known.root == stick.root {
      imports.forgetWish(key: wish.key)
      try await catalogue.setPresent(known.id, false)
      guard wish.isPassing else { return }
      await imports.end(kind: .stick, key: wish.key)
      _ = try await catalogue.forget(source: known.id)
    }
  }
}

extension House {
  /// The unit layby-stick-yes finds it in the run folder, and takes it away.
  func allow(_ stick: RefusedStick) throws(Fault) {
    let folder = options.runFolder(settings) / "sticks"
    try Folder.make(folder, mode: 0o755)
    try AtomicFile.replace(folder / stick.device, with: [], mode: 0o644)
  }
}

/// `layby stick-policy --board FILE [--owner FILE] [--state DIR] [--told FILE]`: tells the script that mounts sticks
/// whether it does so at once, after a yes or never. The board's file says so; where it leaves it open, the owner's file
/// and what was chosen on the panel say whether this is a kiosk.
func tellStickPolicy(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, of: ProgramVerb.stickPolicy)
  guard let board = options.path("--board"), options.others.isEmpty else {
    throw Fault(.malformed, "X-221", "expected: \(ProgramVerb.stickPolicy.wholeUsage)")
  }
  let told = options.path("--told")
  // What was told before a file became wrong is not true any more; nobody may go by it.
  if let told { _ = told.withCString { unlink($0) } }
  let hardware = try SettingsTable.all.load(board: board, owner: nil) { _ in nil }.settings
  let state = options.path("--state") ?? hardware[.statePath]
  let lastGood = OwnersFile.lastGood(in: state)
  let read = try SettingsTable.all.load(board: board, owner: options.path("--owner")) { _ in lastGood }
  // What cannot be understood, and never was, opens nothing.
  let isUnclear = !read.notices.isEmpty && lastGood == nil
  let settings = OwnersChoices.load(from: state).applied(to: read.settings)
  let word = (settings[.stickMounting] == nil && isUnclear ? .afterYes : settings.stickMounting).rawValue
  print(word)
  if let told { try AtomicFile.replace(told, with: Array("\(word)\n".utf8), mode: 0o644) }
  return EX_OK
}

extension Stick {
  /// What the history calls it.
  var origin: Origin { Origin(.stick, label.isEmpty ? nil : label) }
}

extension Settings {
  /// What `automatic` means depends on who stands at the panel.
  fileprivate var stickMounting: StickMounting { self[.stickMounting] ?? (isKiosk ? .afterYes : .atOnce) }
}
