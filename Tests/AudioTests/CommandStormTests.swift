import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

/// Both sound threads at work in real time while commands come in from a third, as fast as a person with two hands and
/// more: what the thread sanitizer is to look at. A minute under the sanitizer and in the long proofs.
@Suite("A storm of commands")
struct CommandStormTests {
  private let folder = TempFolder()

  private static var length: Duration {
    let isLong = getenv("LAYBY_LONG") != nil
    let isWatched = dlopen(nil, RTLD_NOW).map { dlsym($0, "__tsan_init") != nil } ?? false
    return isLong || isWatched ? .seconds(60) : .seconds(3)
  }

  private func album() throws -> [FilePath] {
    var paths: [FilePath] = []
    for (index, rate) in [Int32(44_100), 44_100, 48_000].enumerated() {
      let path = folder.path / "\(index).flac"
      try Signal(rate: rate, frames: 200_000, seed: UInt64(index)).writeFLAC(path)
      paths.append(path)
    }
    let path = folder.path / "3.mp3"
    try Signal(frames: 120_000).writeMP3(path)
    return paths + [path]
  }

  @Test("leaves both threads alive, and nothing is heard that was not wanted any more")
  func storm() throws {
    let paths = try album()
    let deck = try SoundRig(NullOutput())
    let seed = UInt64.random(in: 0...9_999)
    var dice = SeededGenerator(seed: seed)
    var generation: UInt32 = 0
    var commands = 0
    let end = Moment.now + Self.length
    while Moment.now < end {
      commands += 1
      let path = paths[Int.random(in: 0..<paths.count, using: &dice)]
      switch Int.random(in: 0..<12, using: &dice) {
      case 0, 1:
        generation += 1
        let place = TrackPlace.time(.milliseconds(Int.random(in: 0..<5_000, using: &dice)))
        deck.sound.start(UInt64(generation), path, at: place, generation: generation)
      case 2, 3: deck.sound.follow(UInt64(generation), path)
      case 4: deck.sound.followNothing()
      case 5: deck.sound.pause()
      case 6, 7: deck.sound.resume()
      case 8: deck.sound.setGain(Double.random(in: 0...1, using: &dice))
      case 9:
        var shape = SoundShape()
        shape.crossfade = .milliseconds(Int.random(in: 0...800, using: &dice))
        shape.effects.normaliser = .track
        if Bool.random(using: &dice) { shape.effects.equaliser.bands = [EqualiserBand(.peak, 1_000, 6)] }
        deck.sound.setShape(shape)
      case 10:
        generation += 1
        deck.sound.halt(generation: generation)
      default: deck.sound.askBeat()
      }
      while let news = deck.sound.nextNews() { deck.news.append(news) }
      if let heard = deck.sound.heard { #expect(heard.generation <= generation, "seed \(seed)") }
      poll(nil, 0, Int32.random(in: 0...30, using: &dice))
    }
    #expect(commands > 10)
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }), "seed \(seed)")
    #expect(deck.faults.isEmpty, "seed \(seed)")
  }
}
