import Application
import Audio
import Glibc
import Hardware
import Runtime
import Supervisor

/// What is found out before anything of the owner's is read: how the last starts ended, and so whether this one is a
/// safe one; why the board was reset; what whoever mounted the data has to tell.
struct StartupDiagnosis {
  let ledger: StartLedger
  let verdict: StartVerdict
  private let reset: ResetReason?
  private let ofTheData: String?
  private let ofTheCard: [Notice]
  let isFirstOfBoot: Bool
  let suspects: CrashSuspects

  /// `board` is what board.conf alone says.
  init(_ board: Settings, _ options: RunOptions) {
    let reset = board[.watchdogDevice].flatMap { WatchdogFacts(of: $0).reason }
    ledger = StartLedger(
      run: options.runFolder(board), state: options.stateFolder(board), bootID: StartLedger.currentBootID(), now: .now,
      reset: reset)
    verdict = ledger.begin()
    // A second process on the same run folder keeps its hands off what the first one has there.
    suspects =
      ledger.isAlone
      ? CrashSuspects(in: options.runFolder(board), afterDeath: ledger.lastRunDied) : CrashSuspects()
    isFirstOfBoot = ledger.isFirstOfBoot
    self.reset = isFirstOfBoot ? reset : nil
    ofTheData = isFirstOfBoot ? Self.line(of: FilePath("/run/layby-data/notice")) : nil
    ofTheCard = isFirstOfBoot ? Self.noticesOfTheCard() : []
  }

  var isSafe: Bool { verdict != .normal }

  /// What may begin when nobody has asked for it.
  var rights: AccessRights { .program(inSafeMode: isSafe) }

  /// What was playing waits for somebody to press: it may be what ended the program.
  var isSilent: Bool { if case .safe(_, let silent) = verdict { silent } else { false } }

  static let safeMode = "R-170"

  /// Last of all that is told at a start.
  @MainLoop
  func tell(_ notices: NoticeBoard) {
    for fault in ledger.faults {
      notices.post(Notice(fault, instead: "crashes are not counted, so there is no safe mode"))
    }
    // Why is in the log: the ledger has told it.
    if isSafe {
      let silence = isSilent ? " Press play to go on." : ""
      notices.post(
        Notice(
          Self.safeMode, "Safe mode. Your settings are left aside.\(silence)",
          as: isSilent ? "silent safe mode" : nil))
    }
    if let words = ofTheData { notices.post(Notice("S-170", words)) }
    for notice in ofTheCard { notices.post(notice) }
    if let words = reset?.words { notices.post(Notice("R-171", words)) }
  }

  /// The image's scripts leave one line when something was wrong, such as with the data partition.
  private static func line(of file: FilePath) -> String? {
    do throws(Fault) {
      let bytes = try AtomicFile.read(file, limit: 4_096)
      let line = shownPlain(String(decoding: bytes.prefix { $0 != 0x0A }.prefix(300), as: UTF8.self))
      return line.isEmpty ? nil : line
    } catch {
      if error.kind != .missing { Log("layby").warning("no word of the image's scripts", ["reason": error.message]) }
      return nil
    }
  }

  /// The image's script that reads layby-board.conf leaves a line; U-Boot says why it took the other slot. On a computer
  /// there is neither.
  private static func noticesOfTheCard() -> [Notice] {
    let mistake = line(of: FilePath("/run/layby-board/mistake")).map { Notice("R-174", $0) }
    // layby-update leaves the version there that it writes into a slot.
    let slot = KernelSlot().abandoned.map { $0.notice(version: line(of: FilePath("/data/slot-\($0.slot.rawValue)"))) }
    return [mistake, slot].compactMap { $0 }
  }
}
