import Runtime
import TestSupport
import Testing
import VirtualBoard

/// What is pressed while two seconds of sound are in the device already, as the other end of the loop hears it.
@Suite("Changes, heard", .enabled(if: Board.isWanted, Board.whyNot))
struct SoundChangesTests {
  /// An emulator that came late is asked again.
  private static let attempts = 5

  @Test(
    "pause, resume, skip, seek and volume make no step that the tone and a ramp do not make",
    arguments: TestTone.allCases)
  func clickFree(tone: TestTone) async throws {
    try await Board.with(.ready, alone: true) { board in
      let path = try tone.lay(on: board, seconds: 40)
      try board.startLayby()
      try board.waitUntilItPlays()
      for attempt in 1...Self.attempts {
        try board.play([path, path, path])
        let before = try board.breaksInTheSound()
        let heard = try board.hears {
          for _ in 0..<2 {
            try board.layby("pause")
            try board.says("sleep 0.4")
            try board.layby("play")
            try board.says("sleep 0.4")
            try board.layby("seek", "+5")
            try board.says("sleep 0.4")
            try board.layby("volume", "60")
            try board.layby("volume", "100")
            try board.says("sleep 0.4")
            try board.layby("next")
            try board.says("sleep 0.6")
          }
          try board.layby("pause")
          try board.says("sleep 0.6")
        }
        let (size, frame) = heard.largestStep
        // A decoder that is late in the emulator makes silence, and no step either.
        let after = try board.breaksInTheSound()
        if after.frames != before.frames && attempt < Self.attempts { continue }
        #expect(after.frames == before.frames, "the emulator was too slow, \(attempt) times")
        #expect(heard.peak > 0.9)
        #expect(size <= tone.most, "\(size) at \(frame) of \(heard.samples?.count ?? 0): \(heard.around(frame))")
        // It is a test only if a stop without a ramp does not pass it.
        #expect(Int64(tone.sample(220)) << 16 > tone.most)
        return
      }
    }
  }

  @Test("an album runs on from one track to the next, to the frame and to the bit")
  func gapless() async throws {
    try await Board.with(.playing, alone: true) { board in
      let album = try board.album
      let tracks = try album.prefix(2).map { try SoundTests.samples($0, on: board) }
      let whole = tracks.flatMap { $0 }
      for attempt in 1...Self.attempts {
        try board.layby("volume", "100")
        try board.layby("queue", "jump", "1")
        try board.waitUntilItPlays()
        try board.layby("seek", "\(tracks[0].count / 2 / 44_100 - 6)")
        try board.says("sleep 1")
        let before = try board.breaksInTheSound()
        let heard = try board.hears(seconds: 10)
        if try board.breaksInTheSound() != before && attempt < Self.attempts { continue }
        let samples = try #require(heard.samples16)
        let middle = samples.count / 4 * 2
        let place = try #require(whole.place(of: samples[middle..<middle + 8_820]), "it is nowhere in the album")
        let first = place - middle
        #expect(first >= 0 && samples.elementsEqual(whole[max(0, first)...].prefix(samples.count)))
        // The join is in it, with seconds on both sides.
        #expect(first + 88_200 < tracks[0].count && first + samples.count - 88_200 > tracks[0].count)
        return
      }
    }
  }

  @Test("a knob that is swept as fast as a hand can never makes it louder than the highest volume")
  func sweep() async throws {
    try await Board.with(.ready, alone: true) { board in
      let path = try TestTone.level.lay(on: board, seconds: 60)
      try board.says("printf '[sound]\\nmax_volume = 50\\n' > /data/layby.conf")
      try board.startLayby()
      try board.waitUntilItPlays()
      try board.play([path], volume: 30)
      let limit = 0.5 * 0.5 * 0.5
      let heard = try board.hears {
        for turn in [40, -60, 60, -30, 50, 50, -80, 90] { try board.turn(turn) }
        try board.says("sleep 1")
      }
      // The last turns may still be on their way: the emulator is slower than a hand.
      try board.waitUntil("the volume stands where it may not pass") { () throws(Fault) in
        try board.status()["volume"]?.whole == 50
      }
      #expect(heard.peak <= limit + 1e-6 && heard.peak > limit * 0.99, "\(heard.peak)")
      #expect(heard.largestStep.size <= TestTone.level.most)
    }
  }
}
