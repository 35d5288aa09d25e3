import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Retry")
struct RetryTests {
  private static func pause(_ verdict: Retry.Verdict) -> Duration? {
    if case .again(let pause) = verdict { pause } else { nil }
  }

  @Test("two pauses, of up to 2 and up to 4 seconds, and at the third failure its own trouble ends it")
  func three() throws {
    for seed in 0..<200 as Range<UInt64> {
      var (retry, random) = (Retry(), SeededGenerator(seed: seed))
      let first = try #require(Self.pause(retry.failed(.wrongHash, using: &random)))
      let second = try #require(Self.pause(retry.failed(.encoded, using: &random)))
      #expect(first > .zero && first <= .seconds(2) && second > .zero && second <= .seconds(4), "seed \(seed)")
      #expect(retry.failed(.notMusic, using: &random) == .give(up: .notMusic))
    }
  }

  @Test("what others have used up is not laid to the item's charge: its own trouble has to come three times as well")
  func othersFault() {
    var (retry, random) = (Retry(), SeededGenerator(seed: 13))
    for _ in 1..<Retry.limit { #expect(Self.pause(retry.failed(.network(.reset), using: &random)) != nil) }
    for _ in 1..<Retry.limit {
      for _ in 0..<5 { #expect(retry.failed(.network(.reset), using: &random) == .wait(.server)) }
      #expect(Self.pause(retry.failed(.notMusic, using: &random)) != nil)
    }
    var cut = Retry(attempts: retry.attempts, hasNewAddress: false, furthest: 0, last: .network(.reset))
    #expect(retry.failed(.wrongHash, using: &random) == .give(up: .wrongHash))
    // A power cut costs it nothing that was others' fault.
    for _ in 1..<Retry.limit { #expect(Self.pause(cut.failed(.wrongHash, using: &random)) != nil) }
    #expect(cut.failed(.wrongHash, using: &random) == .give(up: .wrongHash))
    cut = Retry(attempts: Retry.limit - 1, hasNewAddress: false, furthest: 0, last: .wrongHash)
    #expect(cut.failed(.wrongHash, using: &random) == .give(up: .wrongHash))
  }

  @Test("pauses are spread over all that is allowed, so that many do not come back together")
  func jitter() {
    var random = SeededGenerator(seed: 5)
    var tenths: [Int: Int] = [:]
    for _ in 0..<2_000 {
      var retry = Retry()
      let pause = Self.pause(retry.failed(.stalled, using: &random)) ?? .zero
      tenths[min(Int(pause.milliseconds / 200), 9), default: 0] += 1
    }
    #expect(tenths.count == 10)
    for (tenth, count) in tenths { #expect((120...320).contains(count), "\(tenth): \(count)") }
  }

  @Test("progress forgets attempts; the same bytes once more are none")
  func progress() {
    var (retry, random) = (Retry(), SeededGenerator(seed: 2))
    for number in 1...50 as ClosedRange<Int64> {
      #expect(Self.pause(retry.failed(.network(.reset), using: &random)) != nil)
      retry.reached(number * Retry.step)
    }
    for _ in 0..<2 { #expect(Self.pause(retry.failed(.network(.reset), using: &random)) != nil) }
    // It started over, and is not as far as it was.
    retry.reached(49 * Retry.step)
    #expect(retry.failed(.network(.reset), using: &random) == .wait(.server))
  }

  @Test("a byte at a time is no progress")
  func drops() {
    var (retry, random) = (Retry(), SeededGenerator(seed: 3))
    for number in 1...2 as ClosedRange<Int64> {
      retry.reached(number)
      #expect(Self.pause(retry.failed(.stalled, using: &random)) != nil)
    }
    retry.reached(3)
    #expect(retry.failed(.stalled, using: &random) == .wait(.server))
  }

  @Test("what a server asks for is waited, and a little more, and not for ever")
  func serverAsks() throws {
    var (retry, random) = (Retry(), SeededGenerator(seed: 4))
    let pause = try #require(Self.pause(retry.failed(.httpStatus(429), serverAsks: .seconds(90), using: &random)))
    #expect(pause >= .seconds(90) && pause <= .seconds(92))
    let longest = retry.failed(.httpStatus(429), serverAsks: .seconds(365 * 86_400), using: &random)
    let bounded = try #require(Self.pause(longest))
    #expect(bounded >= Retry.longestPause && bounded <= Retry.longestPause + .seconds(4))
    retry = Retry()
    let past = try #require(Self.pause(retry.failed(.httpStatus(429), serverAsks: .seconds(-9), using: &random)))
    #expect(past > .zero && past <= .seconds(2))
  }

  @Test(
    "an address is fetched anew once without using an attempt up, and once more after progress",
    arguments: [401, 403, 410])
  func address(status: Int) {
    var (retry, random) = (Retry(), SeededGenerator(seed: 6))
    let trouble = Trouble.httpStatus(status)
    #expect(retry.failed(trouble, using: &random) == .address)
    #expect(retry.attempts == 0)
    #expect(retry.failed(trouble, using: &random) == .give(up: trouble))
    retry.reached(Retry.step)
    #expect(retry.failed(trouble, using: &random) == .address)
  }

  @Test("unknown trouble is tried once more")
  func unknown() {
    var (retry, random) = (Retry(), SeededGenerator(seed: 7))
    #expect(Self.pause(retry.failed(.unknown, using: &random)) != nil)
    #expect(retry.failed(.unknown, using: &random) == .give(up: .unknown))
  }

  @Test(
    "what is nobody's fault uses nothing up",
    arguments: [
      (Trouble.portal, WaitReason.portal), (.noSpace, .space), (.clockWrong, .clock), (.tls(.pin), .untrusted),
      (.tls(.untrusted), .untrusted), (.signIn, .signIn), (.httpStatus(511), .portal), (.source, .source),
      (.page, .server),
    ])
  func waits(trouble: Trouble, reason: WaitReason) {
    var (retry, random) = (Retry(), SeededGenerator(seed: 8))
    for _ in 0..<20 { #expect(retry.failed(trouble, using: &random) == .wait(reason)) }
    #expect(retry == Retry())
  }

  @Test("what cannot become better is given up at once", arguments: [400, 404, 407, 409, 451])
  func final(status: Int) {
    var (retry, random) = (Retry(), SeededGenerator(seed: 9))
    #expect(retry.failed(.httpStatus(status), using: &random) == .give(up: .httpStatus(status)))
  }

  @Test(
    "every trouble ends, however often it comes: given up when it is the item's own, and else waiting for its reason")
  func ends() {
    for trouble in NamingTests.troubles {
      var (retry, random) = (Retry(), SeededGenerator(seed: 10))
      var verdicts: [Retry.Verdict] = []
      for _ in 0..<4 { verdicts.append(retry.failed(trouble, using: &random)) }
      if case .wait = verdicts[0] { continue }
      let end = trouble.waitsAfterAll.map { Retry.Verdict.wait($0) } ?? .give(up: trouble)
      #expect(verdicts.last == end, "\(trouble)")
    }
  }

  @Test(
    "what is not the item's own trouble is tried three times, then waits, and once for each time that is over",
    arguments: [
      (.network(.noName), .server), (.network(.refused), .server), (.network(.timedOut), .server),
      (.network(.reset), .server), (.stalled, .server), (.httpStatus(503), .server), (.httpStatus(500), .server),
      (.httpStatus(429), .server), (.httpStatus(408), .server), (.tls(.expired), .server), (.tls(.other), .server),
      (.redirect(.loop), .server), (.changed, .server), (.wrongRange, .server), (.wrongLength, .server),
      (.disk(.write), .disk),
      (.disk(.open), .disk),
    ] as [(Trouble, WaitReason)])
  func waitsInTheEnd(trouble: Trouble, reason: WaitReason) {
    var (retry, random) = (Retry(), SeededGenerator(seed: 11))
    for _ in 1..<Retry.limit { #expect(Self.pause(retry.failed(trouble, using: &random)) != nil) }
    for _ in 0..<5 { #expect(retry.failed(trouble, using: &random) == .wait(reason)) }
    #expect(retry.attempts == Retry.limit - 1)
    retry.reached(Retry.step)
    #expect(Self.pause(retry.failed(trouble, using: &random)) != nil)
  }

  @Test("a server that says when to come back is asked then; one that says at once waits like any other")
  func comesBack() throws {
    for (asked, waits) in [(Duration.seconds(60), false), (.seconds(7_200), false), (.seconds(59), true)] {
      var (retry, random) = (Retry(), SeededGenerator(seed: 12))
      for _ in 1..<Retry.limit { _ = retry.failed(.httpStatus(429), using: &random) }
      for _ in 0..<10 {
        let verdict = retry.failed(.httpStatus(429), serverAsks: asked, using: &random)
        if waits { #expect(verdict == .wait(.server)) } else { #expect(try #require(Self.pause(verdict)) >= asked) }
      }
      #expect(retry.attempts < Retry.limit)
    }
  }
}
