import Application
import Runtime
import Testing

@testable import Panel

@Suite("The way back after going elsewhere in a song")
struct PlaceBeforeTests {
  private static let begin = Moment(nanoseconds: 1_000_000_000)

  @Test("leads to where a search began; one that went back has none, and the way back has a way back")
  func searches() {
    var before = PlaceBefore()
    #expect(before.place(in: 1) == nil && before.place(in: nil) == nil)
    for (seconds, goal) in [(0, 100), (1, 400), (25, 9_000), (54, 9_005)] as [(Int64, Int64)] {
      before.go(to: .seconds(goal), from: .seconds(goal == 100 ? 60 : 1), in: 1, at: Self.begin + .seconds(seconds))
      #expect(before.place(in: 1) == .seconds(60) && before.place(in: 2) == nil)
    }
    // Later that is another one, also when it leads to where the first one began.
    before.go(to: .seconds(60), from: .seconds(9_050), in: 1, at: Self.begin + .seconds(84))
    #expect(before.place(in: 1) == .seconds(9_050))
    // Within a search it is undone.
    before.go(to: .seconds(9_050), from: .seconds(60), in: 1, at: Self.begin + .seconds(90))
    #expect(before.place(in: 1) == nil)
    // Who goes elsewhere then, however soon, has a way back again.
    before.go(to: .seconds(400), from: .seconds(9_052), in: 1, at: Self.begin + .seconds(92))
    #expect(before.place(in: 1) == .seconds(9_052))
    // And who gives that up is where they were, though the music went on while they looked.
    before.go(to: .seconds(9_040), from: .seconds(402), in: 1, at: Self.begin + .seconds(95))
    #expect(before.place(in: 1) == nil)
    // Another song has its own.
    before.go(to: .seconds(5), from: .seconds(7), in: 2, at: Self.begin + .seconds(91))
    #expect(before.place(in: 2) == .seconds(7) && before.place(in: 1) == nil)
  }
}
