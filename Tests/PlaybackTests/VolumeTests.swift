import Glibc
import Playback
import Testing

@Suite("The most that a volume may be, changed")
struct VolumeLimitTests {
  @Test("it is no louder from that moment on, and no way leads beyond it", arguments: 0...100)
  func limited(maximum: Int) {
    var volume = Volume(percent: 80)
    volume.limit(to: maximum)
    #expect(volume.percent == min(80, maximum) && volume.gain <= pow(Double(maximum) / 100, 3) + 1e-9)
    volume.turn(by: 300)
    volume.rise(for: .seconds(10))
    #expect(volume.percent == maximum && volume.gain <= pow(Double(maximum) / 100, 3) + 1e-9)
    volume.limit(to: 100)
    #expect(volume.percent == maximum)
  }
}
