import Library
import Runtime
import Store
import TestSupport
import Testing

@testable import Playback

@Suite("Where music was chosen")
struct OriginTests {
  private let table: OriginTable

  init() throws {
    let folder = TempFolder()
    table = OriginTable(
      connection: try Database.open(
        in: folder.path, name: "state.db", migrations: StateSchema.migrations, durability: .full,
        afterUncleanStop: false, today: "2026-11-21"
      ).connection)
  }

  @Test("an entry knows where it came from, and those put there by hand come from nowhere", arguments: [1, 2, 3])
  func model(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model: [Origin?] = [nil]
    for step in 0..<200 {
      let count = Int.random(in: 1...9, using: &random)
      let kinds: [Listening.Origin] = [.album, .playlist, .search, .folder]
      let origin = Bool.random(using: &random) ? kinds.randomElement(using: &random).map { Origin($0, "\(step)") } : nil
      if let origin { try table.note(origin, of: count, from: EntryID(number: UInt64(model.count))) }
      model += Array(repeating: origin, count: count)
      let id = Int.random(in: 1..<model.count, using: &random)
      #expect(try table.origin(of: EntryID(number: UInt64(id))) == model[id], "seed \(seed), entry \(id)")
    }
    for id in model.indices.dropFirst() {
      #expect(try table.origin(of: EntryID(number: UInt64(id))) == model[id], "seed \(seed), entry \(id)")
    }
    #expect(try table.origin(of: EntryID(number: UInt64(model.count))) == nil)
  }

  @Test("the oldest are forgotten, and a long name is cut")
  func bounded() throws {
    func name(_ number: Int, _ length: Int) -> String { "\(number % 2)" + String(repeating: "a", count: length - 1) }
    for number in 1...Int(OriginTable.limit) + 5 {
      try table.note(Origin(.album, name(number, 300)), of: 1, from: EntryID(number: UInt64(number)))
    }
    #expect(try table.origin(of: EntryID(number: 5)) == nil)
    #expect(try table.origin(of: EntryID(number: 6)) == Origin(.album, name(6, 200)))
  }

  @Test("what is added track by track from one place shares a row, so that none of it is forgotten")
  func shared() throws {
    let last = Int(OriginTable.limit) * 2
    for number in 1...last { try table.note(Origin(.files), of: 1, from: EntryID(number: UInt64(number))) }
    for number in [1, last / 2, last] {
      #expect(try table.origin(of: EntryID(number: UInt64(number))) == Origin(.files))
    }
    // Not over what was put there by hand in between, nor over another place.
    try table.note(Origin(.files), of: 1, from: EntryID(number: UInt64(last + 2)))
    try table.note(Origin(.stick), of: 1, from: EntryID(number: UInt64(last + 3)))
    #expect(try table.origin(of: EntryID(number: UInt64(last + 1))) == nil)
    #expect(try table.origin(of: EntryID(number: UInt64(last + 2))) == Origin(.files))
    #expect(try table.origin(of: EntryID(number: UInt64(last + 3))) == Origin(.stick))
  }
}
