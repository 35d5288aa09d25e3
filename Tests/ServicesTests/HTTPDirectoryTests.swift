import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Services

@Suite("A web server's folder as a source")
struct HTTPDirectoryTests {
  /// Gives its answers one after the other, the last of them for ever, and holds them back when it is told to.
  final class ScriptedFolder: FileFetching {
    private let answers: Mutex<[FetchedFile]>
    private let asked = Mutex<[String]>([])
    private let held = Mutex<(isHolding: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    init(_ answers: [FetchedFile], isHolding: Bool = false) {
      self.answers = Mutex(answers)
      held.withLock { $0.isHolding = isHolding }
    }

    /// Addresses, with the version that was named.
    var questions: [String] { asked.withLock { $0 } }

    func letGo() {
      let waiting = held.withLock { held in
        defer { held = (false, []) }
        return held.waiting
      }
      for one in waiting { one.resume() }
    }

    func fetch(_ url: String, unless tag: String?, limit: Int) async throws(MediaFailure) -> FetchedFile {
      asked.withLock { $0.append(url + (tag.map { " " + $0 } ?? "")) }
      await withCheckedContinuation { continuation in
        let isHeld = held.withLock { held in
          if held.isHolding { held.waiting.append(continuation) }
          return held.isHolding
        }
        if !isHeld { continuation.resume() }
      }
      return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
  }

  static func index(_ items: String..., tag: String? = "\"1\"") -> FetchedFile {
    FetchedFile(
      status: 200, tag: tag, type: "application/json",
      bytes: DirectoryIndexTests.index(items.map { DirectoryIndexTests.item($0) }.joined(separator: ",")))
  }

  func source(_ folder: ScriptedFolder) throws -> HTTPDirectory {
    HTTPDirectory(id: "shop", folder: try #require(FolderAddress("https://music.example/m")), fetching: folder)
  }

  @Test("an item's place is its path in the folder, with its size and sum; the index is asked for once")
  func resolves() async throws {
    let folder = ScriptedFolder([Self.index("a b/1.flac", "2.mp3")])
    let source = try source(folder)
    let place = try await source.resolve("a b/1.flac", at: .lossless, isAnew: false)
    #expect(
      place
        == MediaPlace(
          url: "https://music.example/m/a%20b/1.flac", size: 10, hash: DirectoryIndexTests.sum, ending: "flac"))
    _ = try await source.resolve("2.mp3", at: .low, isAnew: false)
    #expect(folder.questions == ["https://music.example/m/layby-index.json"])
  }

  @Test("an address that was no good is looked up in a new index; what is gone from it is not there")
  func resolvesAnew() async throws {
    let folder = ScriptedFolder([Self.index("1"), Self.index("2", tag: "\"2\"")])
    let source = try source(folder)
    _ = try await source.resolve("1", at: .high, isAnew: false)
    await #expect { _ = try await source.resolve("1", at: .high, isAnew: true) } throws: { error in
      (error as? MediaFailure)?.reason == .notThere
    }
    #expect(folder.questions.last == "https://music.example/m/layby-index.json \"1\"")
  }

  @Test(
    "what is no index is told for what it is",
    arguments: [
      (FetchedFile(status: 401), MediaFailure.Reason.status(401)), (FetchedFile(status: 404), .status(404)),
      (FetchedFile(status: 200, type: "text/html", bytes: Array("<html>".utf8)), .page),
      (FetchedFile(status: 200, bytes: Array("{}".utf8)), .malformed), (FetchedFile(status: 304), .status(304)),
    ])
  func refuses(answer: FetchedFile, reason: MediaFailure.Reason) async throws {
    let source = try source(ScriptedFolder([answer]))
    await #expect { _ = try await source.changes(since: nil) } throws: { ($0 as? MediaFailure)?.reason == reason }
  }

  @Test("a bad index does not take the place of a good one")
  func keepsGood() async throws {
    let source = try source(ScriptedFolder([Self.index("1"), FetchedFile(status: 500)]))
    _ = try await source.changes(since: nil)
    await #expect(throws: MediaFailure.self) { _ = try await source.changes(since: "\"1\"") }
    #expect(try await source.resolve("1", at: .low, isAnew: false).size == 10)
  }

  @Test("changes are told since a version that is known; of any other nobody knows anything")
  func changes() async throws {
    let unchanged = FetchedFile(status: 304)
    let newer = Self.index("1", "2", tag: "\"2\"")
    let source = try source(ScriptedFolder([Self.index("1"), unchanged, newer, unchanged]))
    let first = try await source.changes(since: "\"0\"")
    #expect(first.isEverything && first.token == "\"1\"")
    let second = try await source.changes(since: "\"1\"")
    #expect(second.isEmpty && second.token == "\"1\"")
    let third = try await source.changes(since: "\"1\"")
    #expect(third.changed == ["2"] && third.token == "\"2\"" && !third.isEverything)
    #expect(try await source.changes(since: "\"1\"").isEverything)
  }

  private final class HandClock: Sendable {
    private let moment = Mutex(Moment(nanoseconds: 0))
    var now: Moment { moment.withLock { $0 } }
    func pass(_ seconds: Int64) { moment.withLock { $0 = $0 + .seconds(seconds) } }
  }

  @Test(
    "an index that is missing or broken is asked for after a minute, two, and an hour at most, whatever is wanted of it"
  )
  func reluctant() async throws {
    for broken in [FetchedFile(status: 404), FetchedFile(status: 503), FetchedFile(status: 200, bytes: [1])] {
      let (folder, clock) = (ScriptedFolder([broken]), HandClock())
      let address = try #require(FolderAddress("https://music.example/m"))
      let source = HTTPDirectory(id: "shop", folder: address, fetching: folder, now: { clock.now })
      var asked: [Int64] = []
      for second in stride(from: 0, to: 20_000 as Int64, by: 20) {
        let before = folder.questions.count
        for isAnew in [false, true] {
          await #expect { _ = try await source.resolve("1", at: .high, isAnew: isAnew) } throws: { error in
            (error as? MediaFailure)?.isOfSource == true
          }
        }
        if folder.questions.count > before { asked.append(second) }
        clock.pass(20)
        if asked.count == 9 { break }
      }
      #expect(asked == [0, 60, 180, 420, 900, 1_860, 3_780, 7_380, 10_980])
      // Whoever asks by hand is not put off, nor anybody when it may be otherwise by now.
      let before = folder.questions.count
      await #expect(throws: MediaFailure.self) { _ = try await source.items(of: ContainerID(.album, "a")) }
      source.forgetFailure()
      await #expect(throws: MediaFailure.self) { _ = try await source.resolve("1", at: .high, isAnew: false) }
      #expect(folder.questions.count == before + 2)
    }
  }

  @Test("what is in the index or not is the item's, and a line that broke is no answer to be remembered")
  func reluctantOnly() async throws {
    let source = try source(ScriptedFolder([Self.index("1")]))
    await #expect { _ = try await source.resolve("2", at: .high, isAnew: false) } throws: { error in
      (error as? MediaFailure)?.isOfSource == false
    }
    #expect(try await source.resolve("1", at: .high, isAnew: false).size == 10)
    var reluctance = SourceBackoff()
    let now = Moment(nanoseconds: 0)
    reluctance.heard(MediaFailure(.network, Fault(.passing, "T-1", "it broke")), at: now)
    #expect(reluctance.failure(at: now) == nil)
    reluctance.heard(MediaFailure(.malformed, Fault(.malformed, "T-2", "no index")), at: now)
    #expect(reluctance.failure(at: now) != nil)
    reluctance.heard(nil, at: now)
    #expect(reluctance == SourceBackoff())
  }

  @Test("many who ask at once cause one question")
  func together() async throws {
    let folder = ScriptedFolder([Self.index("1")], isHolding: true)
    let source = try source(folder)
    let tasks = (0..<20).map { _ in Task { try await source.resolve("1", at: .low, isAnew: false).size } }
    while folder.questions.isEmpty { await Task.yield() }
    folder.letGo()
    for task in tasks { #expect(try await task.value == 10) }
    #expect(folder.questions.count == 1)
  }
}
