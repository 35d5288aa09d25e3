import Glibc
import Runtime
import Synchronization
import TestSupport
import Testing

/// The proof that a cut power line costs five seconds and nothing else. A round is a life of the real program that
/// ends by `kill -9`, the disk as a cut could have left it, and the next start on that disk.
///
/// `LAYBY_LONG=1` makes 106 rounds of them; `LAYBY_SEED=17` repeats one.
@Suite("A power cut", .enabled(if: !Sanitizer.isThere, "a preloaded library and a sanitizer do not go together"))
struct PowerCutTests {
  private static let isLong = getenv("LAYBY_LONG") != nil
  private static let onlySeed = getenv("LAYBY_SEED").flatMap { UInt64(String(cString: $0)) }

  /// Every named step of a save that happens with a healthy disk.
  static let steps = [
    "replace.written", "replace.synced", "replace.renamed", "place.begun", "place.written", "place.synced",
    "queue.begun", "queue.written", "queue.committed", "transaction.written", "transaction.committed",
  ]

  /// Each step the first time, then some of them later on, and kills at any moment.
  private static var rounds: [Round] {
    let deaths: [Round.Death] =
      steps.map { .atStep($0, 1) }
      // The first file of a start that is replaced is the book of starts, which need not outlive a cut.
      + [2, 3].flatMap { count in steps.prefix(3).map { .atStep($0, count) } }
      + Array(repeating: .killed, count: 12)
      + [2, 3, 5].flatMap { count in steps.dropFirst(3).map { .atStep($0, count) } }
      + Array(repeating: .killed, count: 53)
    let all = deaths.enumerated().map { Round(seed: UInt64($0 + 1), death: $1) }
    if let onlySeed { return all.filter { $0.seed == onlySeed } }
    return Array(all.prefix(isLong ? 106 : 29))
  }

  @Test("costs five seconds of position at most, nothing acknowledged, and no database")
  func rounds() async throws {
    let music = try Music.made.get()
    let rounds = Self.rounds
    // A life mostly waits for what it is left alone with; twelve of them take less than one processor.
    let outcomes = await Lanes.run(rounds, atOnce: 12) { $0.run(music) }
    for (round, outcome) in zip(rounds, outcomes) {
      let story = outcome.story.joined(separator: "\n  ")
      #expect(outcome.complaints.isEmpty, "seed \(round.seed), \(round.death)\n  \(story)")
    }
    for step in Self.steps where Self.onlySeed == nil {
      let reached = zip(rounds, outcomes).contains { round, outcome in
        if case .atStep(step, _) = round.death { outcome.reachedStep } else { false }
      }
      #expect(reached, "no round died at \(step)")
    }
    print("\(rounds.count) rounds, \(outcomes.count { $0.reachedStep }) of them died inside a save")
  }
}

/// A step that is added to a save without being died at here would be a hole in the proof.
@Suite("The steps inside a save")
struct StepsTests {
  /// Happens only when a database is damaged: see SetAsideTests.
  private static let notOnHealthyDisks = ["aside.renamed"]
  /// Rounds have no rights. KeysBrokerTests dies at these, but for the last: that is reached with a TPM only, and nothing
  /// dies at it yet.
  private static let ofRights = ["rights.former", "rights.numbered", "licences.added", "rights.sealed"]

  @Test("are all among those at which rounds die")
  func all() throws {
    let top = FilePath(String(#filePath.dropLast("/Tests/PowerCutTests/PowerCutTests.swift".count)))
    var found: Set<String> = []
    var folders = [top / "Sources"]
    while let folder = folders.popLast() {
      for name in try Folder.names(in: folder) {
        var status = stat()
        guard (folder / "\(name)").withCString({ lstat($0, &status) }) == 0 else { continue }
        // Offline is no part of the program yet, so no round can die there.
        if status.st_mode & S_IFMT == S_IFDIR, name.description != "Offline" { folders.append(folder / "\(name)") }
        guard name.ending == "swift" else { continue }
        let text = try AtomicFile.read(folder / "\(name)", limit: 1 << 20)
        let parts = String(decoding: text, as: UTF8.self).split(separator: "Steps.reach(\"").dropFirst()
        for part in parts { found.insert(String(part.prefix { $0 != "\"" })) }
      }
    }
    #expect(found == Set(PowerCutTests.steps + Self.notOnHealthyDisks + Self.ofRights))
  }
}

/// Work that mostly waits, some at once, on threads of its own: the language's pool is for what does not block.
enum Lanes {
  fileprivate struct State<Result: Sendable>: Sendable {
    var next = 0
    var results: [Int: Result] = [:]
  }

  static func run<Item: Sendable, Result: Sendable>(
    _ items: [Item], atOnce: Int, _ work: @escaping @Sendable (Item) -> Result
  ) async -> [Result] {
    guard !items.isEmpty else { return [] }
    let state = Shared(State<Result>())
    return await withCheckedContinuation { continuation in
      for _ in 0..<min(atOnce, items.count) {
        let lane: @Sendable () -> Void = {
          while let index = state.value.withLock({ $0.take(items.count) }) {
            let result = work(items[index])
            let all = state.value.withLock { $0.add(result, at: index, of: items.count) }
            if let all { continuation.resume(returning: all) }
          }
        }
        do throws(Fault) { try NamedThread.start("round", stackBytes: 1 << 20, lane) } catch {
          fatalError("no thread for a round: \(error)")
        }
      }
    }
  }

  /// One thing, with its result or what it throws.
  static func aside<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let results = await run([0], atOnce: 1) { _ in Swift.Result { try work() } }
    return try results[0].get()
  }

  fileprivate final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
  }
}

extension Lanes.State {
  fileprivate mutating func take(_ count: Int) -> Int? {
    guard next < count else { return nil }
    defer { next += 1 }
    return next
  }

  /// All of them, once the last is there.
  fileprivate mutating func add(_ result: Result, at index: Int, of count: Int) -> [Result]? {
    results[index] = result
    return results.count == count ? (0..<count).compactMap { results[$0] } : nil
  }
}
