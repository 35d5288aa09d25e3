import Runtime
import TestSupport
import Testing
import VirtualBoard

/// The volume tells of each detent: from 10 per cent up, and back.
@Suite("Detents of the board's knob, by the thousand", .enabled(if: Board.isWanted, Board.whyNot))
struct DetentsTests {
  /// In one go: 80 of 100 per cent, by 2 each.
  private static let together = 40
  private static let lowest = 10
  private static let step = 2

  private static var detents: Int { Board.isLong ? 10_000 : 500 }

  private static func volume(_ board: VirtualBoard) throws(Fault) -> Int {
    Int(try board.status()["volume"]?.whole ?? -1)
  }

  private static func set(_ board: VirtualBoard, to volume: Int) throws {
    try board.layby("volume", "\(volume)")
    try board.waitUntil("the volume is \(volume)") { () throws(Fault) in try Self.volume(board) == volume }
  }

  @Test("at 2 ms an edge none is lost and none is wrong")
  func all() async throws {
    try await Board.with(.playing) { board in
      try Self.set(board, to: Self.lowest)
      for number in 0..<Self.detents / Self.together {
        let isUp = number % 2 == 0
        try board.make(Hands.spin(isUp ? Self.together : -Self.together, microseconds: 2_000))
        let expected = Self.lowest + (isUp ? Self.together * Self.step : 0)
        var volume = -1
        try board.waitUntil("\(expected) in turn \(number)", within: .seconds(30), instead: { "it is \(volume)" }) {
          () throws(Fault) in
          volume = try Self.volume(board)
          return volume == expected
        }
      }
      // And stays there: no edge comes late.
      let last = try Self.volume(board)
      try board.says("sleep 1")
      #expect(try Self.volume(board) == last)
    }
  }

  private static func listen(_ board: VirtualBoard) throws {
    // So that a press of the play button always means the other of the two.
    try board.layby("repeat", "all")
    try board.start("exec layby events", into: "/tmp/events")
    try board.waitUntil("events are told") { () throws(Fault) in
      try board.layby("volume", "50")
      try board.layby("volume", "\(lowest)")
      return try board.shell("test -s /tmp/events").code == 0
    }
  }

  /// Turns so many detents as `moves` has them, each time from the same volume, and counts what is given. Whatever is
  /// given lies in the direction of the turn: the volume never goes back on the way.
  private static func count(
    _ board: VirtualBoard, _ what: String, _ moves: (Int) -> [Hands.Move]
  ) throws -> (given: Int, made: Int) {
    var (given, made) = (0, 0)
    for number in 0..<detents / together {
      let way = number % 2 == 0 ? 1 : -1
      let start = way > 0 ? lowest : lowest + together * step
      try set(board, to: start)
      try board.says(": > /tmp/events")
      try board.make(moves(way * together))
      // The last of it is a button's edge, so all before it was read when that has been obeyed.
      let state = try board.state()
      try board.press(.play)
      try board.waitUntil("turn \(number) is over", within: .seconds(60)) { () throws(Fault) in
        try board.state() != state
      }
      let end = try volume(board)
      let steps = (end - start) * way / step
      #expect((0...together).contains(steps), "\(what), turn \(number): \(start) to \(end)")
      let told = try board.says("cat /tmp/events").split(separator: "\n").compactMap { line in
        try? JSON(parsing: String(line))["volume"]?.whole
      }
      #expect(told == (way > 0 ? told.sorted() : told.sorted(by: >)), "\(what), turn \(number): \(told)")
      given += steps
      made += together
    }
    print("\(what): \(given) of \(made) detents were given, none the other way")
    return (given, made)
  }

  @Test("at half a millisecond an edge none is the other way")
  func quick() async throws {
    try await Board.with(.playing) { board in
      try Self.listen(board)
      let (given, _) = try Self.count(board, "0.5 ms an edge") { Hands.spin($0, microseconds: 500) }
      #expect(given > 0)
    }
  }

  @Test("with contacts that bounce at every edge none is the other way, and at a hand's pace none is lost")
  func bouncing() async throws {
    try await Board.with(.playing) { board in
      try Self.listen(board)
      var generator = SeededGenerator(seed: 7)
      func swings() -> [Int] { (0..<160).map { _ in Int.random(in: 0...3, using: &generator) } }
      let (given, made) = try Self.count(board, "bouncing, 6 ms an edge") { detents in
        Hands.spin(detents, microseconds: 6_000, swings: swings())
      }
      #expect(given == made)
      for pace in [2_000, 500] {
        _ = try Self.count(board, "bouncing, \(pace) microseconds an edge") { detents in
          Hands.spin(detents, microseconds: pace, swings: swings())
        }
      }
    }
  }
}
