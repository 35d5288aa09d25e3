import Glibc
import Runtime
import TestSupport
import Testing

@testable import Supervisor

private func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

extension StartVerdict {
  fileprivate var isSafe: Bool { self != .normal }
}

@Suite("Starts")
struct StartsTests {
  @Test("the third bad end within a minute makes the start after it a safe one")
  func rule() {
    var history = StartHistory(bootID: "a", resets: 0)
    let verdicts = [0, 10, 20, 30, 40].map { history.begin(at: at($0)) }
    #expect(verdicts[..<3].allSatisfy { $0 == .normal })
    #expect(verdicts[3] == .safe(because: "it ended badly 3 times within a minute", silent: false))
    #expect(verdicts[4].isSafe, "a safe run that ends badly is followed by a safe one")
  }

  @Test("a start that hangs leads to safe mode too, however far apart its ends are")
  func neverReady() {
    var history = StartHistory(bootID: "a", resets: 0)
    let safe = ([0, 65, 130, 195] as [Int64]).map { history.begin(at: at($0)).isSafe }
    #expect(safe == [false, false, false, true])
    #expect(StartHistory(bytes: history.bytes) == history)
    history.becameReady()
    #expect(StartHistory(bytes: history.bytes) == history)
    #expect(!history.begin(at: at(260)).isSafe, "it came to itself")
    var ready = StartHistory(bootID: "a", resets: 0)
    let verdicts = ([0, 65, 130, 195, 260] as [Int64]).map { second -> StartVerdict in
      defer { ready.becameReady() }
      return ready.begin(at: at(second))
    }
    #expect(verdicts.allSatisfy { $0 == .normal }, "those that played are forgotten after a minute")
  }

  @Test("giving up in order is no bad end, and forgives none")
  func gaveUp() {
    var history = StartHistory(bootID: "a", resets: 0)
    for second in 0..<3 as Range<Int64> { _ = history.begin(at: at(second)) }
    history.gaveUp()
    #expect(history.begin(at: at(3)) == .normal)
    #expect(history.begin(at: at(4)).isSafe)
  }

  @Test("safe mode that does not help either is followed by silence, until a run lasts")
  func silence() {
    var history = StartHistory(bootID: "a", resets: 0)
    func isSilent(_ verdict: StartVerdict) -> Bool {
      if case .safe(_, let silent) = verdict { silent } else { false }
    }
    #expect(
      (0...7).map { isSilent(history.begin(at: at($0))) } == [false, false, false, false, false, true, true, true])
    var hung = StartHistory(bootID: "b", resets: 9)
    #expect(isSilent(hung.begin(at: at(0))))
    hung.survived()
    #expect(hung.begin(at: at(100)) == .normal)
  }

  @Test(
    "ends a minute apart count, those further apart do not", arguments: [(30, true), (31, false)] as [(Int64, Bool)])
  func window(gap: Int64, isSafe: Bool) {
    var history = StartHistory(bootID: "a", resets: 0)
    let verdicts = (0..<20 as Range<Int64>).map { number -> StartVerdict in
      defer { history.becameReady() }
      return history.begin(at: at(number * gap))
    }
    #expect(verdicts.contains { $0.isSafe } == isSafe)
  }

  @Test("a run of a minute, and a stop that was wanted, forgive what was before")
  func forgiven() {
    for forgive in [{ $0.survived() }, { $0.endCleanly() }] as [(inout StartHistory) -> Void] {
      var history = StartHistory(bootID: "a", resets: 2)
      #expect(history.begin(at: at(0)) == .normal)
      #expect(history.begin(at: at(1)).isSafe)
      forgive(&history)
      #expect(history.begin(at: at(2)) == .normal)
      #expect(history.begin(at: at(3)) == .normal)
    }
  }

  @Test("after a clean end the next start has nothing to count, after a run of a minute its own end")
  func ownEnd() {
    var clean = StartHistory(bootID: "a", resets: 0)
    var long = clean
    _ = clean.begin(at: at(0))
    _ = long.begin(at: at(0))
    clean.endCleanly()
    long.survived()
    #expect([1, 2, 3, 4].map { clean.begin(at: at($0)).isSafe } == [false, false, false, true])
    #expect([61, 62, 63, 64].map { long.begin(at: at($0)).isSafe } == [false, false, true, true])
  }

  @Test("resets by the watchdog and crashes add up")
  func resets() {
    let verdicts = (0...4).map { resets -> StartVerdict in
      var history = StartHistory(bootID: "a", resets: resets)
      _ = history.begin(at: at(0))
      return history.begin(at: at(5))
    }
    #expect(verdicts.map(\.isSafe) == [false, false, true, true, true])
    #expect(
      verdicts[2]
        == .safe(
          because: "it ended badly once within a minute, and the watchdog had to reset the board 2 times", silent: false
        ))
  }

  @Test("a history is read as it was written; cut, longer or otherwise damaged it is none", arguments: 1...10)
  func file(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var history = StartHistory(bootID: "4f2c-\(seed)", resets: Int.random(in: 0...3, using: &random))
    for second in 0..<Int64.random(in: 0...5, using: &random) { _ = history.begin(at: at(second)) }
    let bytes = history.bytes
    #expect(StartHistory(bytes: bytes) == history)
    #expect(bytes.count <= StartHistory.largestFile)
    for length in 0..<bytes.count { #expect(StartHistory(bytes: Array(bytes[..<length])) == nil, "seed \(seed)") }
    #expect(StartHistory(bytes: bytes + [0x0A]) == nil)
    for _ in 0..<500 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // What can be read is something that could have been written.
      if let read = StartHistory(bytes: damaged) { #expect(read.bytes == damaged, "seed \(seed)") }
      _ = StartHistory(bytes: (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  @Test("a count of resets is read as it was written, and each boot counts once")
  func resetCount() {
    var count = ResetCount()
    func counts(_ reset: ResetReason?, in boot: String) -> Bool { count.count(reset, in: boot) }
    func forgives() -> Bool { count.forgive() }
    #expect([counts(nil, in: "a"), counts(.lowPower, in: "a"), forgives()] == [false, false, false])
    #expect([counts(.watchdog, in: "a"), counts(.watchdog, in: "a")] == [true, false])
    #expect([forgives(), forgives()] == [true, false])
    #expect(!counts(.watchdog, in: "a"), "forgiven is not forgotten")
    #expect(counts([.watchdog, .overheated], in: "b") && count.count == 1)
    #expect(ResetCount(bytes: count.bytes) == count)
    for length in 0..<count.bytes.count { #expect(ResetCount(bytes: Array(count.bytes[..<length])) == nil) }
  }
}

@Suite("Start ledger")
struct StartLedgerTests {
  private let folder = TempFolder()
  private var run: FilePath { folder.path / "run" }
  private var state: FilePath { folder.path / "state" }

  private func ledger(_ boot: String, _ second: Int64, _ reset: ResetReason? = nil) -> StartLedger {
    StartLedger(run: run, state: state, bootID: boot, now: at(second), reset: reset)
  }

  @Test("crashes are found by the next process, and a plain start writes nothing to the disk")
  func crashes() {
    let verdicts = (Int64(0)..<4).map { second -> Bool in
      let ledger = ledger("a", second)
      defer { #expect(ledger.isFirstOfBoot == (second == 0)) }
      defer { #expect(ledger.faults == []) }
      return ledger.begin().isSafe
    }
    #expect(verdicts == [false, false, false, true])
    #expect(state.withCString { access($0, F_OK) } != 0)
  }

  @Test("what stood in the run folder of another boot does not count")
  func otherBoot() {
    for boot in 0..<10 { #expect(ledger("boot-\(boot)", 5).begin() == .normal) }
  }

  @Test("the third board in a row that the watchdog resets within a minute starts safely, and so its next processes")
  func resets() {
    for boot in 1...2 { #expect(ledger("\(boot)", 9, .watchdog).begin() == .normal) }
    #expect(ledger("cut", 9, []).begin() == .normal)
    #expect(ledger("3", 9, .watchdog).begin().isSafe)
    #expect(ledger("3", 90, .watchdog).begin().isSafe)
    let last = ledger("3", 200, .watchdog)
    #expect(last.begin().isSafe)
    last.survived()
    #expect(ledger("4", 9, .watchdog).begin() == .normal)
  }

  @Test("a process that starts while another runs is no crash of that one, and changes nothing")
  func second() throws {
    let first = ledger("a", 0)
    #expect(first.begin() == .normal)
    let before = try AtomicFile.read(run / "starts", limit: 1_000)
    for second in Int64(1)..<10 {
      let other = ledger("a", second)
      #expect(other.begin() == .normal)
      if second > 5 { other.endCleanly() }
      #expect(try AtomicFile.read(run / "starts", limit: 1_000) == before)
    }
    withExtendedLifetime(first) {}
  }

  @Test("where nothing can be written or read it starts, and says why it will not remember")
  func unwritable() throws {
    try AtomicFile.replace(folder.path / "file", with: [1])
    let nowhere = folder.path / "file" / "run"
    let ledger = StartLedger(run: nowhere, state: nowhere, bootID: "a", now: at(0), reset: .watchdog)
    #expect(ledger.begin() == .normal)
    #expect(!ledger.faults.isEmpty)
    ledger.survived()
    ledger.endCleanly()
    #expect(ledger.faults.count <= 4)
  }

  @Test("damaged files count as empty, also a very long one")
  func damaged() throws {
    try Folder.make(run)
    try Folder.make(state)
    for bytes in [[], Array("layby starts 1\n".utf8), [UInt8](repeating: 0xFF, count: 5_000_000)] {
      try AtomicFile.replace(run / "starts", with: bytes)
      try AtomicFile.replace(state / "resets", with: bytes)
      #expect(ledger("a", 5).begin() == .normal)
    }
  }

  @Test("a start with a long history writes no more than one without")
  func cheap() throws {
    func size() throws -> [Int] {
      try Folder.names(in: run).map { try AtomicFile.read(run / $0.description, limit: 1 << 20).count }
    }
    _ = ledger("a", 0).begin()
    let first = try size().reduce(0, +)
    for second in Int64(1)...200 { _ = ledger("a", second * 100).begin() }
    #expect(try size().reduce(0, +) < 40 * first + 4_096)
  }

  @Test("the kernel names this boot")
  func bootID() {
    #expect(StartLedger.currentBootID().utf8.count == 36)
    #expect(StartLedger.currentBootID() == StartLedger.currentBootID())
  }
}
