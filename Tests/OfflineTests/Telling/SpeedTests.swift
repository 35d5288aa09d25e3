import Runtime
import Testing

@testable import Offline

@Suite("Speed")
struct SpeedTests {
  static func at(_ seconds: Double) -> Moment { Moment(nanoseconds: Int64(seconds * 1e9)) }

  @Test("a steady line has its speed, however long it lasts")
  func steady() {
    var speed = Speed()
    for step in 0..<300 { speed.took(100, at: Self.at(5 + Double(step) / 10)) }
    #expect(speed.perSecond(at: Self.at(34.9)) == 1_000)
    var young = Speed()
    young.took(500, at: Self.at(7))
    young.took(500, at: Self.at(8))
    #expect(young.perSecond(at: Self.at(8)) == 500)
  }

  @Test("what stands still slows down, and has none after eight seconds; a pause does not count afterwards")
  func pause() {
    var speed = Speed()
    for second in 0..<8 { speed.took(1_000, at: Self.at(Double(second))) }
    #expect(speed.perSecond(at: Self.at(7)) == 1_000 && speed.perSecond(at: Self.at(11)) == 500)
    #expect(speed.perSecond(at: Self.at(15)) == 0 && speed.perSecond(at: Self.at(1_000)) == 0)
    speed.took(300, at: Self.at(2_000))
    #expect(speed.perSecond(at: Self.at(2_000)) == 300)
  }
}
