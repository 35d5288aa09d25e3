import TestSupport
import Testing

@testable import Offline

@Suite("What is fetched unasked")
struct SmartDownloadsTests {
  private static func song(_ number: Int) -> ItemKey { ItemKey(source: "shop", item: "\(number)") }
  private static func offer(_ number: Int, _ bytes: Int64 = 1) -> SmartDownloads.Offer {
    SmartDownloads.Offer(song(number), because: [.list("\(number)")], bytes: bytes)
  }
  private static let day: Int64 = 86_400

  @Test("what is claimed comes with its words; what is claimed no more goes")
  func follows() {
    var smart = SmartDownloads()
    #expect(smart.round([Self.offer(1), Self.offer(2)], at: 0) == .init(new: [Self.song(1), Self.song(2)]))
    #expect(smart.chosen[Self.song(2)]?.reasons == [.list("2")])
    #expect(smart.round([Self.offer(3), Self.offer(2)], at: 1) == .init(new: [Self.song(3)], gone: [Self.song(1)]))
    #expect(smart.round([], at: 2).gone == [Self.song(2), Self.song(3)] && smart.chosen.isEmpty)
  }

  @Test("the surest go into the budget first, and push out what is less sure")
  func budget() {
    var smart = SmartDownloads()
    smart.budget = 10
    #expect(smart.round([Self.offer(1, 6), Self.offer(2, 5), Self.offer(3, 4)], at: 0).new == [1, 3].map(Self.song))
    let change = smart.round([Self.offer(4, 7), Self.offer(1, 6), Self.offer(3, 3)], at: 1)
    #expect(change == .init(new: [Self.song(4)], gone: [Self.song(1)]) && smart.bytes == 10)
  }

  @Test("a round brings fifty, and the next one fifty more beside them")
  func fifty() {
    var smart = SmartDownloads()
    let all = (0..<120).map { Self.offer($0) }
    #expect(smart.round(all, at: 0).new == (0..<50).map(Self.song))
    #expect(smart.round(all, at: 1) == .init(new: (50..<100).map(Self.song)))
    #expect(smart.round(all, at: 2).new.count == 20 && smart.chosen.count == 120)
  }

  @Test("what the owner sent away stays away for a season, what made room for some days")
  func refused() {
    var smart = SmartDownloads()
    let offers = [Self.offer(1), Self.offer(2)]
    _ = smart.round(offers, at: 100)
    let said = [smart.dismiss(Self.song(1), at: 100), smart.gaveUp(Self.song(2), at: 100)]
    let again = [smart.dismiss(Self.song(1), at: 100), smart.gaveUp(Self.song(9), at: 100)]
    #expect(said == [true, true] && again == [false, false])
    for (days, new) in [(0, []), (2, []), (4, [2]), (80, []), (91, [1])] as [(Int64, [Int])] {
      #expect(smart.round(offers, at: 100 + days * Self.day).new == new.map(Self.song), "\(days)")
    }
    #expect(smart.refused.isEmpty)
  }

  @Test("a clock that was years ahead refuses nothing for years; one that was a day ahead changes nothing")
  func clock() {
    var smart = SmartDownloads()
    _ = smart.round([Self.offer(2)], at: 0)
    _ = smart.dismiss(Self.song(2), at: 200 * Self.day)
    #expect(smart.isRefused(Self.song(2), at: 199 * Self.day))
    _ = smart.round([Self.offer(1)], at: 0)
    _ = smart.dismiss(Self.song(1), at: 900_000_000)
    #expect(smart.isRefused(Self.song(1), at: 900_000_000))
    #expect(smart.round([Self.offer(1)], at: 100).new == [Self.song(1)])
  }

  @Test("a walk: never over budget, never fifty-one at once, never what was refused, and what is told is what changes")
  func walk() {
    for seed in 1...40 as ClosedRange<UInt64> {
      var (random, smart, date) = (SeededGenerator(seed: seed), SmartDownloads(), 1_000 as Int64)
      smart.budget = 400
      for step in 0..<200 {
        let before = smart
        date += Int64.random(in: 0...40 * Self.day, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: _ = smart.dismiss(Self.song(.random(in: 0..<90, using: &random)), at: date)
        case 1: _ = smart.gaveUp(Self.song(.random(in: 0..<90, using: &random)), at: date)
        default:
          let offers = (0..<90).shuffled(using: &random).prefix(.random(in: 0...90, using: &random)).map {
            Self.offer($0, .random(in: 0...20, using: &random))
          }
          let change = smart.round(offers, at: date)
          let now = Set(smart.chosen.keys)
          #expect(now == Set(before.chosen.keys).subtracting(change.gone).union(change.new), "seed \(seed), \(step)")
          #expect(change.new.count <= 50 && smart.bytes <= 400, "seed \(seed), \(step)")
          #expect(now.allSatisfy { !before.isRefused($0, at: date) }, "seed \(seed), \(step)")
          #expect(now.isSubset(of: offers.map(\.item)), "seed \(seed), \(step)")
        }
      }
    }
  }
}

@Suite("Plays as the prediction sees them")
struct PredictionHistoryTests {
  private static let song = ItemKey(source: "shop", item: "1")

  @Test("day and hour are those where the listener is, and a silence of an hour ends a session")
  func sessions() {
    let hour: Int64 = 3_600
    // In the evening of the first of January 1970, two hours ahead of the world's clock.
    let dates = [21 * hour, 21 * hour + 600, 22 * hour + 1_200, 24 * hour]
    let plays = Prediction.plays(dates.map { ItemPlay(Self.song, at: $0) }.reversed()) { _ in 2 * hour }
    #expect(plays.map(\.day) == [0, 0, 1, 1] && plays.map(\.hour) == [23, 23, 0, 2])
    #expect(plays.map(\.session) == [0, 0, 1, 2])
  }

  @Test("before 1970 a day begins at midnight, too, and no date is the end of the program")
  func early() {
    #expect(Prediction.local(-1) { _ in 0 } == (-1, 23))
    #expect(Prediction.local(.max) { _ in 3_600 } == (0, 0))
  }
}
