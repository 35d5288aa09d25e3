import Glibc
import Runtime
import Synchronization

/// Keeps the starts' history over crashes and boots, and so decides on safe mode: `begin` before anything that could
/// crash, `survived` after a minute, `endCleanly` at a stop that was wanted.
///
/// Two small files, each replaced as a whole. `starts` in the run folder (in memory; kept while the service restarts)
/// has the crashes of this boot. `resets` in the state folder has what a boot must not forget; it is written only when
/// the watchdog has reset the board, and when that is forgiven, so that a plain start costs the disk nothing.
///
/// A second process on the same run folder keeps out of it: the first one lives, so its run has not ended badly. The
/// kernel's lock on `starts.lock` tells, and ends with the process.
///
/// Nothing here stops a start: a file that cannot be read or is damaged counts as empty, and what could not be done
/// stands in `faults`. All calls may come from any thread, one after the other; they may wait for the disk.
package final class StartLedger: Sendable {
  private struct Book {
    var history: StartHistory?
    var isFirstOfBoot = true
    var lastRunDied = false
    var faults: [Fault] = []
  }

  private let run: FilePath
  private let state: FilePath?
  private let lock: Descriptor
  /// No other process has this run folder.
  package let isAlone: Bool
  private let bootID: String
  private let now: Moment
  private let reset: ResetReason?
  private let book = Mutex(Book())

  /// `state` is nil when nothing can be kept over a boot: then a reset of this boot counts, earlier ones are unknown.
  package init(run: FilePath, state: FilePath?, bootID: String, now: Moment, reset: ResetReason?) {
    lock = Self.lock(in: run)
    isAlone = lock.number < 0 || Self.take(lock.number)
    self.run = run / "starts"
    self.state = state.map { $0 / "resets" }
    // It stands in lines, between spaces.
    self.bootID =
      bootID.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F } && bootID.utf8.count <= 64
      ? bootID : ""
    self.now = now
    self.reset = reset
  }

  /// A process that has just died may still be on its way out with the lock in its hands.
  private static func take(_ lock: Int32) -> Bool {
    for _ in 0..<50 {
      if flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return true }
      usleep(1_000)
    }
    return false
  }

  /// Number -1 when there can be none; then the file beside it cannot be written either, and that is told.
  private static func lock(in folder: FilePath) -> Descriptor {
    do throws(Fault) {
      try Folder.make(folder, mode: 0o750)
      return try Descriptor.open(folder / "starts.lock", O_RDWR | O_CREAT, code: "R-165")
    } catch {
      Log("starts").info("no lock", ["reason": error.message])
      return Descriptor(taking: -1)
    }
  }

  /// The kernel's name for this boot.
  package static func currentBootID() -> String {
    do throws(Fault) {
      let bytes = try AtomicFile.read(FilePath("/proc/sys/kernel/random/boot_id"), limit: 256)
      return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    } catch {
      Log("starts").warning("the boot has no name", ["reason": error.message])
      return ""
    }
  }

  /// The first start of this boot: what the board has to say of its reset is news.
  package var isFirstOfBoot: Bool { book.withLock { $0.isFirstOfBoot } }

  /// The run before this one, in this boot, did not end by itself.
  package var lastRunDied: Bool { book.withLock { $0.lastRunDied } }

  /// What could not be read or written, for the notice board.
  package var faults: [Fault] { book.withLock { $0.faults } }

  package func begin() -> StartVerdict {
    guard isAlone else { return .normal }
    let verdict = book.withLock { book -> StartVerdict in
      let known = read(run, limit: StartHistory.largestFile, &book).flatMap { StartHistory(bytes: $0) }
      var history: StartHistory
      if let known, known.bootID == bootID {
        history = known
        book.isFirstOfBoot = false
        book.lastRunDied = known.running != nil
      } else {
        history = StartHistory(bootID: bootID, resets: countResets(&book))
      }
      let verdict = history.begin(at: now)
      book.history = history
      write(history.bytes, to: run, &book)
      return verdict
    }
    if case .safe(let reason, let silent) = verdict {
      Log("starts").warning("safe mode", ["because": reason, "silent": silent])
    }
    return verdict
  }

  package func becameReady() { note { $0.becameReady() } }

  package func gaveUp() { note { $0.gaveUp() } }

  private func note(_ change: (inout StartHistory) -> Void) {
    book.withLock { book in
      guard var history = book.history else { return }
      change(&history)
      book.history = history
      write(history.bytes, to: run, &book)
    }
  }

  package func survived() { forgive { $0.survived() } }

  package func endCleanly() { forgive { $0.endCleanly() } }

  private func forgive(_ change: (inout StartHistory) -> Void) {
    book.withLock { book in
      guard var history = book.history else { return }
      let hadResets = history.resets > 0
      change(&history)
      book.history = history
      write(history.bytes, to: run, &book)
      guard hadResets, let state, var resets = readResets(&book), resets.forgive() else { return }
      write(resets.bytes, to: state, &book)
    }
  }

  /// With that of this boot.
  private func countResets(_ book: inout Book) -> Int {
    var resets = readResets(&book) ?? ResetCount()
    guard resets.count(reset, in: bootID) else { return resets.count }
    if let state {
      do throws(Fault) { try Folder.make(state.folder) } catch { note(error, &book) }
      write(resets.bytes, to: state, &book)
    }
    return resets.count
  }

  private func readResets(_ book: inout Book) -> ResetCount? {
    state.flatMap { read($0, limit: ResetCount.largestFile, &book) }.flatMap { ResetCount(bytes: $0) }
  }

  private func read(_ path: FilePath, limit: Int, _ book: inout Book) -> [UInt8]? {
    do throws(Fault) { return try AtomicFile.read(path, limit: limit) } catch {
      if error.kind != .missing { note(error, &book) }
      return nil
    }
  }

  private func write(_ bytes: [UInt8], to path: FilePath, _ book: inout Book) {
    do throws(Fault) { try AtomicFile.replace(path, with: bytes) } catch { note(error, &book) }
  }

  private func note(_ fault: Fault, _ book: inout Book) {
    Log("starts").warning("not kept", ["reason": fault.message])
    if book.faults.count < 4 { book.faults.append(fault) }
  }
}
