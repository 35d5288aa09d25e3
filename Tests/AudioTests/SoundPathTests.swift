import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Sound path")
struct SoundPathTests {
  let folder = TempFolder()

  private func record() throws -> (SoundRig, FilePath) {
    let wave = folder.path / "out.wav"
    return (try SoundRig(WaveOutput(wave)), wave)
  }

  @Test("a split original is heard as if it had never been split", arguments: [16, 24, 32])
  func gapless(bits: Int) throws {
    let whole = Signal(bits: bits, frames: 100_003)
    let parts = try [0..<30_001, 30_001..<30_050, 30_050..<100_003].enumerated().map { index, range in
      let path = folder.path / "\(index).flac"
      try whole.slice(range).writeFLAC(path)
      return path
    }
    let (deck, wave) = try record()
    #expect(deck.play(parts))
    let heard = try Wave(wave)
    #expect(heard.bits == bits && heard.rate == 44_100)
    #expect(difference(heard.samples, whole.samples) == nil)
    #expect(deck.heard == [1, 2, 3] && deck.faults.isEmpty)
  }

  @Test("split MP3 has the original's length, and each part is mpg123's own")
  func gaplessMP3() throws {
    let whole = Signal(frames: 90_001)
    var expected: [Int32] = []
    let parts = try [0..<40_001, 40_001..<90_001].enumerated().map { index, range in
      let path = folder.path / "\(index).mp3"
      try whole.slice(range).writeMP3(path)
      try Tool.run("mpg123", ["-q", "-w", "\(folder.path / "peer.wav")", "\(path)"])
      expected += try Wave(folder.path / "peer.wav").samples
      return path
    }
    let (deck, wave) = try record()
    #expect(deck.play(parts))
    let heard = try Wave(wave)
    #expect(heard.samples.count == 2 * 90_001)
    #expect(difference(heard.samples, expected) == nil)
  }

  @Test("what cannot be played is told and passed over; what can be, plays")
  func broken() throws {
    let good = Signal(frames: 20_000)
    let path = folder.path / "good.flac"
    try good.writeFLAC(path)
    let text = folder.path / "text.mp3"
    try Bytes.write(Array("no music".utf8), to: text)
    let (deck, wave) = try record()
    #expect(deck.play([text, path, folder.path / "gone.flac", folder.path, path]))
    #expect(deck.faults == ["A-111", "A-101", "A-103"])
    #expect(deck.heard == [2, 5])
    #expect(difference(try Wave(wave).samples, good.samples + good.samples) == nil)
  }

  @Test("it starts at the very frame, or time, that was asked for")
  func places() throws {
    let signal = Signal(frames: 60_000)
    let path = folder.path / "a.flac"
    try signal.writeFLAC(path)
    for (place, frame) in [(TrackPlace.frame(12_345), 12_345), (.time(.milliseconds(500)), 22_050), (.frame(-5), 0)] {
      let (deck, wave) = try record()
      #expect(deck.play([path], from: place))
      #expect(difference(try Wave(wave).samples, Array(signal.samples[(2 * frame)...])) == nil)
    }
  }

  @Test("another rate goes into another file")
  func rates() throws {
    let first = Signal(frames: 10_000)
    let second = Signal(rate: 48_000, frames: 10_000, seed: 2)
    try first.writeFLAC(folder.path / "1.flac")
    try second.writeFLAC(folder.path / "2.flac")
    let (deck, wave) = try record()
    #expect(deck.play([folder.path / "1.flac", folder.path / "2.flac"]))
    #expect(difference(try Wave(wave).samples, first.samples) == nil)
    let next = try Wave(folder.path / "out-2.wav")
    #expect(next.rate == 48_000 && difference(next.samples, second.samples) == nil)
  }

  @Test("a skip drops what was decoded of the old, whatever the moment")
  func skips() throws {
    let path = folder.path / "a.flac"
    try Signal(frames: 400_000).writeFLAC(path)
    let deck = try SoundRig(DiscardingOutput(), ringCapacity: 1 << 14)
    deck.sound.resume()
    let seed: UInt64 = 9
    var generator = SeededGenerator(seed: seed)
    for generation in UInt32(1)...200 {
      deck.sound.start(
        UInt64(generation), path, at: .frame(Int64.random(in: 0..<399_000, using: &generator)), generation: generation)
      guard Bool.random(using: &generator) else { continue }
      #expect(
        deck.wait(for: { $0 == .heard(entry: UInt64(generation), generation: generation) }), "seed \(seed)")
      #expect(deck.sound.heard.map { $0.generation == generation } ?? true)
    }
    deck.sound.askBeat()
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
    #expect(deck.heard == deck.heard.sorted())
  }

  @Test("both threads answer when asked for a sign of life")
  func beat() throws {
    let deck = try SoundRig(NullOutput())
    let path = folder.path / "a.flac"
    try Signal(frames: 100_000).writeFLAC(path)
    deck.sound.resume()
    deck.sound.start(1, path, at: .beginning, generation: 1)
    deck.sound.askBeat()
    // Heard comes from the output thread, opened from the decode thread; both have then looked at the question.
    #expect(deck.wait(for: { $0 == .heard(entry: 1, generation: 1) }))
    // Ten seconds on the slowest machine; it is there at once, or never.
    var looks = 0
    while !deck.sound.isOutputAlive && looks < 10_000 {
      looks += 1
      poll(nil, 0, 1)
    }
    #expect(deck.sound.isOutputAlive)
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
  }

  @Test("a full disk is told as one, and ends the recording")
  func fullDisk() throws {
    let path = folder.path / "a.flac"
    try Signal(frames: 100_000).writeFLAC(path)
    #expect("\(folder.path)/full.wav".withCString { link in "/dev/full".withCString { symlink($0, link) } } == 0)
    let deck = try SoundRig(WaveOutput(folder.path / "full.wav"))
    deck.sound.resume()
    deck.sound.start(1, path, at: .beginning, generation: 1)
    var kind: Fault.Kind?
    #expect(
      deck.wait(for: {
        if case .deviceLost(let fault) = $0 { kind = fault.kind }
        return kind != nil
      }))
    #expect(kind == .full)
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
  }
}
