import Runtime
import TestSupport
import Testing

@Suite("A disk that forgets")
struct DiskModelTests {
  private static let old = Array("old".utf8)
  private static let new = Array("new, and longer".utf8)

  /// What each way to cut leaves of `operations`, begun on a disk with `start` on it.
  private func left(
    _ operations: [DiskLog.Operation], on start: [String: DiskImage.Content] = [:], _ cut: Cut, seed: UInt64 = 1
  ) throws -> DiskImage {
    var image = DiskImage()
    image.contents = start
    var model = DiskModel(image)
    try model.perform(DiskLog(operations))
    var dice = SeededGenerator(seed: seed)
    return model.image(cut, &dice)
  }

  private static let made: [DiskLog.Operation] = [
    .opened(name: "a", file: 7, made: true), .written(file: 7, at: 0, new),
  ]

  @Test("what was written and not synced is there after a kill, and gone after a cut")
  func unsynced() throws {
    #expect(try left(Self.made, .nothingLost)["a"] == Self.new)
    #expect(try left(Self.made, .namesFirst)["a"] == [])
    #expect(try left(Self.made, .promisesOnly).contents.isEmpty)
  }

  @Test("a new file that was synced has its contents and its name", arguments: Cut.allCases)
  func synced(cut: Cut) throws {
    #expect(try left(Self.made + [.synced(file: 7)], cut)["a"] == Self.new)
  }

  @Test("a change after the sync is not promised")
  func changedAfterwards() throws {
    let log = Self.made + [.synced(file: 7), .resized(file: 7, to: 3), .written(file: 7, at: 1, Self.old)]
    #expect(try left(log, .promisesOnly)["a"] == Self.new)
    #expect(try left(log, .nothingLost)["a"] == Array("nold".utf8))
  }

  @Test("a name is promised when its folder was synced")
  func folders() throws {
    let start: [String: DiskImage.Content] = ["a": .file(Self.old), "b": .file(Self.new)]
    let log: [DiskLog.Operation] = [.removed("a"), .renamed(from: "b", to: "c")]
    #expect(try left(log, on: start, .promisesOnly).contents == start)
    #expect(try left(log + [.folderSynced("")], on: start, .promisesOnly).contents == ["c": .file(Self.new)])
    #expect(try left(log, on: start, .namesFirst).contents == ["c": .file(Self.new)])
  }

  @Test("a file in a folder whose own name was forgotten is forgotten with it")
  func lostFolder() throws {
    let log: [DiskLog.Operation] = [
      .folderMade("f"), .opened(name: "f/a", file: 7, made: true), .synced(file: 7), .folderSynced("f"),
    ]
    #expect(try left(log, .promisesOnly).contents.isEmpty)
    #expect(try left(log + [.folderSynced("")], .promisesOnly).contents == ["f": .folder, "f/a": .file([])])
  }

  @Test("a file number that is used again means the new file")
  func reusedNumber() throws {
    let log: [DiskLog.Operation] =
      Self.made + [.synced(file: 7), .removed("a"), .opened(name: "b", file: 7, made: true)]
      + [.written(file: 7, at: 0, Self.old), .synced(file: 7), .folderSynced("")]
    #expect(try left(log, .promisesOnly).contents == ["b": .file(Self.old)])
  }

  @Test("torn writes are torn between sectors only, and every sector may be lost or kept")
  func tearing() throws {
    let start: [String: DiskImage.Content] = ["a": .file([UInt8](repeating: 1, count: 2048))]
    let log: [DiskLog.Operation] = [
      .opened(name: "a", file: 7, made: false),
      .written(file: 7, at: 100, [UInt8](repeating: 2, count: 1500)),
    ]
    var patterns: Set<[Int]> = []
    for seed in UInt64(1)...400 {
      let bytes = try #require(try left(log, on: start, .torn, seed: seed)["a"])
      #expect(bytes.count == 2048)
      let kept = [100..<512, 512..<1024, 1024..<1536, 1536..<1600].map { sector in Set(bytes[sector]) }
      #expect(kept.allSatisfy { $0.count == 1 }, "seed \(seed)")
      #expect(bytes[..<100].allSatisfy { $0 == 1 } && bytes[1600...].allSatisfy { $0 == 1 }, "seed \(seed)")
      patterns.insert(kept.compactMap { $0.first.map(Int.init) })
    }
    #expect(patterns.count == 16)
  }

  @Test("torn names keep their order: of two renames never the later one alone")
  func tornNames() throws {
    let start: [String: DiskImage.Content] = ["a": .file(Self.old), "b": .file(Self.new)]
    let log: [DiskLog.Operation] = [.renamed(from: "a", to: "c"), .renamed(from: "b", to: "d")]
    var seen: Set<[String]> = []
    for seed in UInt64(1)...100 { seen.insert(try left(log, on: start, .torn, seed: seed).contents.keys.sorted()) }
    #expect(seen == [["a", "b"], ["b", "c"], ["c", "d"]])
  }

  @Test("what the model does not know is a fault, not a guess")
  func unknown() {
    #expect(throws: Fault.self) { try left([.unknown("fallocate")], .nothingLost) }
    #expect(throws: Fault.self) { try left([.written(file: 9, at: 0, [1])], .nothingLost) }
    #expect(throws: Fault.self) { try left([.opened(name: "a", file: 9, made: false)], .nothingLost) }
    #expect(throws: Fault.self) { try left([.renamed(from: "a", to: "b")], .nothingLost) }
  }
}
