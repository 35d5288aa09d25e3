import Runtime
import Testing

@testable import Playback

@Suite("Music that does not come in time")
struct StallTests {
  @Test("nobody is told as long as something is left to be heard, or it does not play")
  func quiet() {
    var stall = Stall()
    let changes = [
      stall.waits(isPlaying: true, unheard: .seconds(5)), stall.waits(isPlaying: true, unheard: Stall.silence),
      stall.waits(isPlaying: false, unheard: .zero), stall.over(),
    ]
    #expect(changes == [nil, nil, nil, nil] && !stall.isOn)
  }

  @Test("silence is told once, and once that it is over")
  func told() {
    var stall = Stall()
    for _ in 0..<3 {
      let begun = [
        stall.waits(isPlaying: true, unheard: .milliseconds(100)), stall.waits(isPlaying: true, unheard: .zero),
      ]
      #expect(begun == [.begins, nil] && stall.isOn)
      let ended = [stall.over(), stall.over()]
      #expect(ended == [.ends, nil])
    }
  }

  @Test("a line that brings a little all the time is over with when a second is there, and not before")
  func trickles() {
    var stall = Stall()
    let changes = [0, 200, 400, 900, 1_000, 900, 100].map { left in
      stall.waits(isPlaying: true, unheard: .milliseconds(left))
    }
    #expect(changes == [.begins, nil, nil, nil, .ends, nil, .begins])
  }

  @Test("who pauses while nothing comes is told of nothing new")
  func pauses() {
    var stall = Stall()
    let changes = [true, false, false].map { stall.waits(isPlaying: $0, unheard: .zero) }
    #expect(changes == [.begins, nil, nil] && stall.isOn)
  }
}
