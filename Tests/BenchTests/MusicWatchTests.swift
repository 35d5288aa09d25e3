import Runtime
import Testing

@testable import bench

@Suite("Whether music is heard")
struct MusicWatchTests {
  private func sign(_ isPlaying: Bool, _ entry: String, _ seconds: Double) -> MusicSign {
    MusicSign(isPlaying: isPlaying, entry: entry, seconds: seconds)
  }

  private func verdicts(_ signs: [MusicSign?]) -> [Bool] {
    var watch = MusicWatch()
    return signs.map { watch.isHeard($0) }
  }

  @Test("it is when its place has moved on from the first one, and not before")
  func moves() {
    let signs = [
      nil, sign(false, "0", 59), sign(true, "0", 60), sign(true, "0", 60), sign(false, "0", 61),
      sign(true, "0", 60.001),
    ]
    #expect(verdicts(signs) == [false, false, false, false, false, true])
  }

  @Test("the first place is that of the first music, not of what stood before it")
  func first() {
    var watch = MusicWatch()
    for sign in [sign(false, "0", 59), sign(true, "0", 60), sign(true, "0", 61)] { _ = watch.isHeard(sign) }
    #expect(watch.first == sign(true, "0", 60))
  }

  @Test("another track begins the watch anew: a later place in it is no movement")
  func tracks() {
    #expect(verdicts([sign(true, "0", 1), sign(true, "1", 60), sign(true, "1", 61)]) == [false, false, true])
  }

  @Test("what layby answers is understood")
  func layby() throws {
    func answer(_ state: String, waits: Bool) throws -> JSON {
      let text =
        #"{"ok":true,"status":{"state":"\#(state)","index":2,"position_s":60.25,"waits_for_device":\#(waits)}}"#
      return try JSON(parsing: Array(text.utf8), limits: JSON.Limits(depth: 8, size: 1 << 10))
    }
    #expect(MusicSign(layby: try answer("playing", waits: false)) == sign(true, "2", 60.25))
    #expect(MusicSign(layby: try answer("playing", waits: true)) == sign(false, "2", 60.25))
    #expect(MusicSign(layby: try answer("paused", waits: false)) == sign(false, "2", 60.25))
    #expect(MusicSign(layby: ["ok": true, "status": ["state": "stopped", "index": nil]]) == nil)
  }

  @Test("what mpd answers is understood")
  func mpd() {
    #expect(MusicSign(mpd: ["volume: 100", "state: play", "song: 7", "elapsed: 3.500"]) == sign(true, "7", 3.5))
    #expect(MusicSign(mpd: ["state: pause", "song: 7", "elapsed: 3.500"]) == sign(false, "7", 3.5))
    #expect(MusicSign(mpd: ["state: stop", "nextsong: 1"]) == nil)
  }
}
