import Runtime
import TestSupport
import Testing

@testable import Panel

@Suite("Tries of a PIN")
struct PinGuardTests {
  private static let start = Moment(nanoseconds: 0)

  /// A hand that types something wrong whenever it may, and how long it waited each time.
  private struct Burglar {
    var guardian: PinGuard
    var now = PinGuardTests.start
    var waits: [Duration] = []

    init(_ guardian: PinGuard) { self.guardian = guardian }

    mutating func tryOnce() {
      var wait = guardian.begin(at: now)
      if let first = wait {
        waits.append(first)
        #expect(isClosed(at: now + first - .milliseconds(1)))
        now = now + first
        wait = guardian.begin(at: now)
      }
      #expect(wait == nil)
      let isIn = guardian.end("0000", is: "4711")
      #expect(!isIn)
    }

    func isClosed(at moment: Moment) -> Bool {
      var copy = guardian
      return copy.begin(at: moment) != nil
    }
  }

  @Test("five wrong ones cost nothing, each further one takes longer, and ten minutes at most")
  func waits() {
    var burglar = Burglar(PinGuard(at: Self.start))
    for _ in 0..<14 { burglar.tryOnce() }
    #expect(burglar.waits == [30, 60, 120, 240, 480, 600, 600, 600, 600].map { .seconds($0) })
    var guardian = burglar.guardian
    let (wait, isIn) = (guardian.begin(at: burglar.now + .seconds(600)), guardian.end("4711", is: "4711"))
    #expect(wait == nil && isIn && guardian.tries == 0)
    #expect(!Burglar(guardian).isClosed(at: burglar.now + .seconds(600)))
  }

  @Test("a plug that is pulled gives nothing back: who was closed out waits as long again")
  func restarts() {
    let again = Burglar(PinGuard(tries: 7, at: Self.start))
    #expect(again.isClosed(at: Self.start + .seconds(119)) && !again.isClosed(at: Self.start + .seconds(120)))
    #expect(PinGuard(tries: -3, at: Self.start).tries == 0)
    let broken = Burglar(PinGuard(tries: .max, at: Self.start))
    #expect(broken.isClosed(at: Self.start + .seconds(599)) && !broken.isClosed(at: Self.start + .seconds(600)))
  }

  @Test("four digits last for weeks against a hand that never rests")
  func exhaustive() {
    var burglar = Burglar(PinGuard(at: Self.start))
    for _ in 0..<5_000 { burglar.tryOnce() }
    #expect(burglar.now - Self.start > .seconds(30 * 86_400))
  }

  @Test(
    "only the same is the same",
    arguments: [
      ("4711", "4711", true), ("4711", "4712", false), ("471", "4711", false), ("47110", "4711", false), ("", "", true),
      ("4711\0", "4711", false), ("1234567890123", "123456789012", false),
    ])
  func compares(typed: String, pin: String, isSame: Bool) { #expect(PinGuard.areSame(typed, pin) == isSame) }
}
