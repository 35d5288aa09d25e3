import Canvas
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Wishes for pictures")
struct ArtWishesTests {
  typealias Wishes = ArtWishes<Int>

  private func wish(_ number: Int) -> Wishes.Request {
    Wishes.Request(music: FilePath("/\(number)"), frame: .square(8))
  }

  @Test("the wish made last is done first, and the same wishes are one work")
  func order() {
    var wishes = Wishes()
    for (ticket, number) in [(1, 1), (2, 2), (3, 1), (4, 3), (5, 1)] {
      #expect(wishes.add(ticket, wish(number)).isEmpty)
    }
    #expect(wishes.next() == wish(1))
    #expect(wishes.add(6, wish(1)).isEmpty)
    #expect(wishes.finish(givenUp: false) == [1, 3, 5, 6])
    #expect(wishes.next() == wish(3))
    #expect(wishes.finish(givenUp: false) == [4])
    #expect(wishes.next() == wish(2))
    #expect(wishes.finish(givenUp: false) == [2])
    #expect(wishes.next() == nil && wishes.isEmpty)
  }

  @Test("what nobody wants is not begun, and given up when it is")
  func cancelled() {
    var wishes = Wishes()
    for ticket in 1...3 { _ = wishes.add(ticket, wish(ticket == 3 ? 2 : 1)) }
    let isGivenUp = wishes.cancel(3)
    #expect(!isGivenUp)
    #expect(wishes.next() == wish(1))
    let (first, second) = (wishes.cancel(1), wishes.cancel(2))
    #expect(!first && second && !wishes.isWanted)
    #expect(wishes.finish(givenUp: true).isEmpty)
    #expect(wishes.next() == nil)
  }

  @Test("given up and wished for again, it is taken up once more")
  func again() {
    var wishes = Wishes()
    _ = wishes.add(1, wish(1))
    _ = wishes.next()
    _ = wishes.cancel(1)
    _ = wishes.add(2, wish(1))
    #expect(wishes.isWanted)
    #expect(wishes.finish(givenUp: true).isEmpty)
    #expect(wishes.next() == wish(1))
    #expect(wishes.finish(givenUp: false) == [2])
  }

  @Test(
    "on a random walk every ticket is answered once or was cancelled, and the line is never too long", arguments: 1...5)
  func walk(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var wishes = Wishes(most: 6)
    var (open, last): ([Int: Wishes.Request], Int) = ([:], 0)
    func settle(_ tickets: [Int]) {
      for ticket in tickets { #expect(open.removeValue(forKey: ticket) != nil, "seed \(seed)") }
    }
    for _ in 0..<3_000 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        last += 1
        let made = wish(.random(in: 0..<12, using: &random))
        open[last] = made
        settle(wishes.add(last, made))
      case 3:
        guard let ticket = open.keys.sorted().randomElement(using: &random) else { continue }
        let wish = open.removeValue(forKey: ticket)
        let mustStop = wishes.cancel(ticket)
        let others = open.values.contains { $0 == wish }
        #expect(mustStop == (wish == wishes.atWork && !others), "seed \(seed)")
      default:
        guard let work = wishes.atWork ?? wishes.next() else { continue }
        let isWanted = open.values.contains(work)
        #expect(wishes.isWanted == isWanted, "seed \(seed)")
        let givenUp = !isWanted || Int.random(in: 0..<4, using: &random) == 0
        let answered = wishes.finish(givenUp: givenUp)
        #expect(answered.allSatisfy { open[$0] == work }, "seed \(seed)")
        settle(answered)
        if !givenUp { #expect(!open.values.contains(work), "seed \(seed)") }
      }
      #expect(wishes.waitingCount <= 6)
      let wanted = Set(open.values).subtracting(wishes.atWork.map { [$0] } ?? [])
      #expect(wanted.count == wishes.waitingCount, "seed \(seed)")
    }
    while wishes.next() != nil { settle(wishes.finish(givenUp: false)) }
    #expect(open.isEmpty && wishes.isEmpty, "seed \(seed)")
  }
}
