import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("How far one gets")
struct ReachabilityTests {
  private static let home = Reachability.Route(name: "wlan0", ssid: [65], address: "10.0.0.2")
  private static func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

  /// Answers whatever is asked, for so long.
  private func after(_ answers: [Reachability.ProbeResult]) -> Reachability {
    var reach = Reachability(canAsk: true)
    reach.hear(.line(Self.home), at: Self.at(0))
    for answer in answers {
      guard let due = reach.due, let number = reach.comeDue(at: due) else { continue }
      reach.hear(.answered(number, answer), at: due)
    }
    return reach
  }

  @Test(
    "it is what was answered last, and one question without an answer ends nothing",
    arguments: [
      ([], .local), ([.expected], .internet), ([.other], .portal), ([.nothing], .local),
      ([.other, .expected], .internet),
      ([.expected, .nothing], .internet), ([.expected, .nothing, .nothing], .local), ([.expected, .other], .portal),
      ([.expected, .nothing, .expected, .nothing], .internet), ([.other, .nothing], .local),
    ] as [([Reachability.ProbeResult], Reachability.Reach)])
  func answers(answers: [Reachability.ProbeResult], expected: Reachability.Reach) {
    #expect(after(answers).reach == expected)
  }

  @Test("without a way it is none and nothing is asked; another network is another, of which nothing is known")
  func lines() {
    var reach = after([.expected])
    let asked = reach.ask()
    reach.hear(.line(Reachability.Route(name: "wlan0", ssid: [66])), at: Self.at(9))
    #expect(reach.reach == .local && reach.due == Self.at(9))
    reach.hear(.answered(asked, .expected), at: Self.at(10))
    #expect(reach.reach == .local, "an answer over another network")
    reach.hear(.line(nil), at: Self.at(11))
    #expect(reach.reach == .none && reach.due == nil)
    reach.hear(.proved, at: Self.at(12))
    reach.hear(.suspected, at: Self.at(12))
    #expect(reach.reach == .none && reach.due == nil)
  }

  @Test("the same way once more changes nothing and asks nothing")
  func same() {
    var reach = after([.expected])
    let before = reach
    reach.hear(.line(Self.home), at: Self.at(99))
    #expect(reach == before)
  }

  @Test("a transfer that was served a page has it asked at once; one that got what it wanted proves it")
  func transfers() throws {
    var reach = after([.expected])
    reach.hear(.suspected, at: Self.at(30))
    #expect(reach.reach == .internet && !reach.isProven && reach.due == Self.at(30))
    let asked = reach.comeDue(at: Self.at(30))
    let number = try #require(asked)
    reach.hear(.answered(number, .other), at: Self.at(31))
    #expect(reach.reach == .portal && reach.due == Self.at(31) + Reachability.whenPortal)
    reach.hear(.proved, at: Self.at(40))
    #expect(reach.reach == .internet && reach.isProven && reach.due == Self.at(40) + Reachability.whenReached)
  }

  @Test("where nobody can ask, a way is believed, and a page for five minutes")
  func unasked() {
    var reach = Reachability(canAsk: false)
    reach.hear(.line(Self.home), at: Self.at(0))
    #expect(reach.reach == .internet && reach.due == nil)
    reach.hear(.suspected, at: Self.at(5))
    #expect(reach.reach == .portal && reach.due == Self.at(5) + Reachability.suspicion)
    #expect(reach.comeDue(at: Self.at(6)) == nil && reach.reach == .portal)
    #expect(reach.comeDue(at: Self.at(305)) == nil && reach.reach == .internet && reach.due == nil)
    // Nobody has seen it.
    #expect(!reach.isProven)
    reach.hear(.proved, at: Self.at(306))
    #expect(reach.isProven && reach.due == nil)
    reach.hear(.suspected, at: Self.at(307))
    #expect(!reach.isProven)
  }

  @Test("a question that was put before the page came does not say whose page it is")
  func askedBefore() throws {
    var reach = after([.expected])
    let before = reach.ask()
    reach.hear(.suspected, at: Self.at(30))
    reach.hear(.answered(before, .expected), at: Self.at(31))
    #expect(!reach.isProven && reach.due == Self.at(30))
    let asked = reach.comeDue(at: Self.at(31))
    let number = try #require(asked)
    reach.hear(.answered(number, .expected), at: Self.at(32))
    #expect(reach.isProven)
  }

  @Test("it is asked more and more seldom while nobody answers, and never more than every five seconds for long")
  func pauses() {
    var reach = Reachability(canAsk: true)
    reach.hear(.line(Self.home), at: Self.at(0))
    var pauses: [Int64] = []
    for _ in 0..<9 {
      guard let due = reach.due, let number = reach.comeDue(at: due) else { break }
      reach.hear(.answered(number, .nothing), at: due)
      pauses.append((reach.due.map { $0 - due } ?? .zero).milliseconds / 1_000)
    }
    #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300])
  }

  @Test("whatever happens in whatever order: none without a way, else never none; it waits or it asks")
  func walk() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    for canAsk in [true, false] {
      var reach = Reachability(canAsk: canAsk)
      var (now, hasLine, open) = (Self.at(0), false, [0])
      for step in 0..<3_000 {
        now = now + .seconds(Int64.random(in: 0...90, using: &dice))
        switch Int.random(in: 0..<6, using: &dice) {
        case 0:
          hasLine = Bool.random(using: &dice)
          let line = Reachability.Route(name: "x", ssid: [UInt8.random(in: 0...2, using: &dice)])
          reach.hear(.line(hasLine ? line : nil), at: now)
        case 1: reach.hear(.suspected, at: now)
        case 2: reach.hear(.proved, at: now)
        case 3:
          let answer = Reachability.ProbeResult.allCases.randomElement(using: &dice) ?? .nothing
          reach.hear(.answered(open.randomElement(using: &dice) ?? 0, answer), at: now)
        default: if let number = reach.comeDue(at: now) { open.append(number) }
        }
        open = open.suffix(3)
        #expect((reach.reach == .none) == !hasLine, "seed \(seed), step \(step)")
        if !hasLine { #expect(reach.due == nil, "seed \(seed), step \(step)") }
        if reach.isProven { #expect(reach.reach == .internet, "seed \(seed), step \(step)") }
        if !canAsk { #expect(reach.reach != .local, "seed \(seed), step \(step)") }
        if let due = reach.due { #expect(due - now <= Reachability.whenReached, "seed \(seed), step \(step)") }
      }
    }
  }

  @Test(
    "an answer is judged by status and beginning; a server in need is no portal",
    arguments: [
      (204, "", nil, .expected), (200, "", nil, .other), (302, "", nil, .other), (511, "", nil, .other),
      (503, "", nil, .nothing), (nil, "", nil, .nothing), (200, "ok\n", "ok", .other), (204, "ok\n", "ok", .expected),
      (204, "<html>", "ok", .other), (404, "", nil, .other),
    ] as [(Int?, String, String?, Reachability.ProbeResult)])
  func judged(status: Int?, body: String, wanted: String?, answer: Reachability.ProbeResult) {
    let expectation = ProbeExpectation(status: 204, body: wanted.map { Array($0.utf8) })
    #expect(expectation.answer(status: status, body: Array(body.utf8)) == answer)
  }
}

@Suite("The line's speed from real transfers")
struct BandwidthEstimateTests {
  private let megabit: Int64 = 125_000

  @Test("a steady line is what it is, from the first half second on, however it is measured")
  func steady() throws {
    for piece in [60, 100, 1_000, 5_000] as [Int64] {
      var estimate = BandwidthEstimate()
      #expect(estimate.bitsPerSecond == nil)
      var time: Int64 = 0
      while time < 20_000 {
        estimate.take(megabit * 8 * piece / 1_000, in: .milliseconds(piece))
        time += piece
        if time >= 600 { #expect(abs(try #require(estimate.bitsPerSecond) - 8_000_000) < 2_000, "\(piece) ms") }
      }
    }
  }

  @Test("what is short does not count alone: a thousand tiny answers say no more than their sum")
  func short() throws {
    var estimate = BandwidthEstimate()
    for _ in 0..<30 { estimate.take(megabit * 8, in: .seconds(1)) }
    let before = try #require(estimate.bitsPerSecond)
    // One answer that lay ready: very many bytes a second, for no time.
    estimate.take(20_000, in: .microseconds(100))
    #expect(estimate.bitsPerSecond == before)
    estimate.take(20_000, in: .milliseconds(60))
    let after = try #require(estimate.bitsPerSecond)
    #expect(abs(after - before) < before / 50)
  }

  @Test("it falls within seconds when the line gets worse, and rises more slowly")
  func turns() throws {
    var estimate = BandwidthEstimate()
    for _ in 0..<60 { estimate.take(megabit * 20, in: .seconds(1)) }
    for _ in 0..<6 { estimate.take(megabit, in: .seconds(1)) }
    #expect(try #require(estimate.bitsPerSecond) < 6_500_000)
    for _ in 0..<60 { estimate.take(megabit, in: .seconds(1)) }
    for _ in 0..<6 { estimate.take(megabit * 20, in: .seconds(1)) }
    #expect(try #require(estimate.bitsPerSecond) < 8_500_000)
    for _ in 0..<60 { estimate.take(megabit * 20, in: .seconds(1)) }
    #expect(try #require(estimate.bitsPerSecond) > 19_000_000)
  }

  @Test("a line that stands still is known as that, a limit of our own is none of the line's, and another line is new")
  func others() throws {
    var estimate = BandwidthEstimate()
    for _ in 0..<30 { estimate.take(megabit * 8, in: .seconds(1)) }
    let before = try #require(estimate.bitsPerSecond)
    for _ in 0..<30 { estimate.take(1_000, in: .seconds(1), wasHeldBack: true) }
    for wrong in [(-1, 1_000), (megabit, 0), (megabit, -5), (megabit, 3_600_000)] as [(Int64, Int64)] {
      estimate.take(wrong.0, in: .milliseconds(wrong.1))
    }
    #expect(estimate.bitsPerSecond == before)
    for _ in 0..<30 { estimate.take(0, in: .seconds(1)) }
    #expect(try #require(estimate.bitsPerSecond) < before / 100)
    estimate.forget()
    #expect(estimate.bitsPerSecond == nil)
  }

  @Test("whatever is measured, it lies between the slowest and the fastest")
  func walk() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    var estimate = BandwidthEstimate()
    for step in 0..<5_000 {
      let time = Int64.random(in: 50...8_000, using: &dice)
      let rate = Int64.random(in: 1...40, using: &dice)
      estimate.take(max(rate * megabit * time / 1_000, 16_384), in: .milliseconds(time))
      guard let known = estimate.bitsPerSecond else { continue }
      #expect((999_000...40_001_000).contains(known), "seed \(seed), step \(step)")
    }
  }
}
