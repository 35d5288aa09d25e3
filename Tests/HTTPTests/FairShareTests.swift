import Runtime
import TestSupport
import Testing

@testable import HTTP

@Suite("What is capped is dealt out fairly")
struct FairShareTests {
  private func claims(_ bytes: Int64..., urgency: TransferRequest.Urgency = .whenever) -> [FairShare.Claim] {
    bytes.enumerated().map { FairShare.Claim(id: UInt64($0), urgency: urgency, bytes: $1) }
  }

  @Test("everybody gets the same when all want more than there is")
  func same() {
    var share = FairShare(bytesASecond: 30_000)
    let dealt = share.deal(after: .milliseconds(100), to: claims(9_000, 9_000, 9_000))
    #expect(dealt == [0: 1_000, 1: 1_000, 2: 1_000])
  }

  @Test("what a modest one leaves goes to the others")
  func modest() {
    var share = FairShare(bytesASecond: 30_000)
    #expect(share.deal(after: .milliseconds(100), to: claims(9_000, 400, 9_000)) == [0: 1_300, 1: 400, 2: 1_300])
  }

  @Test("those that somebody listens to are served first")
  func listening() {
    var share = FairShare(bytesASecond: 30_000)
    let listened = [FairShare.Claim(id: 7, urgency: .listening, bytes: 2_000)]
    #expect(share.deal(after: .milliseconds(100), to: claims(9_000, 9_000) + listened) == [7: 2_000, 0: 500, 1: 500])
  }

  @Test("a break is not made up for by a flood")
  func flood() {
    var share = FairShare(bytesASecond: 1_000)
    #expect(share.deal(after: .seconds(3_600), to: claims(.max)) == [0: 200])
  }

  @Test(
    "laws: never more than is due or wanted, nothing kept back, equals are equal",
    arguments: 1...50 as ClosedRange<UInt64>)
  func laws(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    let rate = Int64.random(in: 1...5_000_000, using: &dice)
    var share = FairShare(bytesASecond: rate)
    var (dealt, elapsed): (Int64, Int64) = (0, 0)
    for _ in 0..<200 {
      let wanted = (0..<Int.random(in: 1...6, using: &dice)).map { id in
        FairShare.Claim(
          id: UInt64(id), urgency: Bool.random(using: &dice) ? .listening : .whenever,
          bytes: Int64.random(in: 0...300_000, using: &dice))
      }
      let time = Int64.random(in: 0...200_000_000, using: &dice)
      let parts = share.deal(after: .nanoseconds(time), to: wanted)
      elapsed += time
      let sum = parts.values.reduce(0, +)
      dealt += sum
      for claim in wanted { #expect(parts[claim.id] ?? 0 <= claim.bytes, "seed \(seed)") }
      let hungry = wanted.filter { (parts[$0.id] ?? 0) < $0.bytes }
      for one in hungry {
        for other in wanted where other.urgency == one.urgency {
          #expect((parts[other.id] ?? 0) <= (parts[one.id] ?? 0) + Int64(wanted.count), "seed \(seed)")
        }
      }
    }
    #expect(Double(dealt) <= Double(rate) * Double(elapsed) / 1e9 + 1, "seed \(seed)")
  }

  @Test("what one took too much is paid by those after it, by time or by their parts")
  func debts() {
    var share = FairShare(bytesASecond: 10_000)
    share.owe(1_500)
    #expect(share.deal(after: .milliseconds(100), to: claims(9_000)) == [:])
    #expect(share.deal(after: .milliseconds(100), to: claims(9_000)) == [0: 500])
    share.owe(1_500)
    #expect(share.deal(after: .milliseconds(350), to: claims(9_000)) == [0: 2_000])
  }

  @Test("small shares add up: nothing is rounded away")
  func crumbs() {
    var share = FairShare(bytesASecond: 10)
    var sum: Int64 = 0
    for _ in 0..<1_000 { sum += share.deal(after: .milliseconds(50), to: claims(100)).values.reduce(0, +) }
    #expect(sum == 500)
  }
}
