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
    #expect((1_000...1_020).contains(speed.perSecond(at: Self.at(34.9))))
    var young = Speed()
    for step in 0..<4 { young.took(500, at: Self.at(7.6 + Double(step) / 4)) }
    #expect(young.perSecond(at: Self.at(8.5)) == 0, "not known yet")
    #expect(young.perSecond(at: Self.at(8.6)) == 2_000)
  }

  @Test("what stands still slows down, and has none after eight seconds; a pause does not count afterwards")
  func pause() {
    var speed = Speed()
    for second in 0..<8 { speed.took(1_000, at: Self.at(Double(second))) }
    let (steady, slower) = (speed.perSecond(at: Self.at(8)), speed.perSecond(at: Self.at(12)))
    #expect(steady == 1_000 && slower > 0 && slower < steady)
    #expect(speed.perSecond(at: Self.at(15)) == 0 && speed.perSecond(at: Self.at(1_000)) == 0)
    speed.took(300, at: Self.at(2_000))
    speed.took(300, at: Self.at(2_001))
    #expect(speed.perSecond(at: Self.at(2_001)) == 600)
  }
}
