import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("From a stream to a file and back")
struct HandOverTests {
  let folder = TempFolder()
  let loop: EventLoop

  init() throws {
    loop = try EventLoop("line")
    try loop.start()
  }

  private static let addresses = (0..<5).map { FilePath("source:shop/\($0)") }

  /// An album that was one recording, cut at odd places.
  private func album(_ whole: Signal, _ format: GaplessTests.Format) throws -> [FilePath] {
    let places = [0, 40_001, 41_154, 90_000, 110_777, whole.frames]
    var paths: [FilePath] = []
    for (index, start) in places.dropLast().enumerated() {
      let path = folder.path / "\(index)"
      try whole.slice(start..<places[index + 1]).write(format, to: path, serial: index + 1)
      paths.append(path)
    }
    return paths
  }

  private func record(_ paths: [FilePath], _ finder: (any MusicFinder)?, _ name: String) throws -> ([Int32], SoundRig) {
    let wave = folder.path / "\(name).wav"
    let deck = try SoundRig(WaveOutput(wave), finder: finder)
    #expect(deck.play(paths))
    #expect(deck.faults.isEmpty)
    return (try Wave(wave).leftJustified, deck)
  }

  @Test(
    "pieces that come, lie here, and come again are the one recording without a frame too many or too few",
    arguments: [GaplessTests.Format.flac, .mp3, .vorbis, .opus])
  func pieces(format: GaplessTests.Format) throws {
    let whole = Signal(rate: format == .opus ? 48_000 : 44_100, frames: 150_007)
    let paths = try album(whole, format)
    let (expected, _) = try record(paths, nil, "files")
    #expect(expected.count == 2 * whole.frames)
    var places: [FilePath: @Sendable () -> FoundMusic] = [:]
    // The first, the second and the last come; the third has become whole, the fourth is a file of the library's.
    for index in [0, 1, 4] {
      let line = SlowLine(try Bytes.read(paths[index]), on: loop)
      places[Self.addresses[index]] = { .coming(line) }
    }
    let here = paths[2]
    places[Self.addresses[2]] = { .file(here) }
    var queue = Self.addresses
    queue[3] = paths[3]
    let (heard, deck) = try record(queue, KnownPlaces(places), "mixed")
    #expect(difference(heard, expected) == nil)
    #expect(deck.heard == [1, 2, 3, 4, 5])
    if format == .flac { #expect(difference(heard, whole.leftJustified) == nil) }
  }

  @Test("where a stream breaks off, the file behind it begins with its first frame, and so does the stream behind that")
  func breaks() throws {
    let (first, second) = (Signal(frames: 60_000), Signal(frames: 20_000, seed: 2))
    let third = Signal(frames: 20_000, seed: 3)
    let paths = (0..<3).map { folder.path / "\($0).flac" }
    for (signal, path) in zip([first, second, third], paths) { try signal.writeFLAC(path) }
    let broken = try Bytes.read(paths[0])
    let cut = SlowLine(broken, upTo: broken.count / 2, on: loop)
    cut.fail(Fault(.passing, "O-205", "the connection broke"))
    let last = SlowLine(try Bytes.read(paths[2]), on: loop)
    let wave = folder.path / "out.wav"
    let finder = KnownPlaces([Self.addresses[0]: { .coming(cut) }, Self.addresses[2]: { .coming(last) }])
    let deck = try SoundRig(WaveOutput(wave), finder: finder)
    deck.sound.resume()
    deck.sound.start(1, Self.addresses[0], at: .beginning, generation: 1)
    deck.sound.follow(2, paths[1])
    #expect(deck.wait(for: { if case .decode(.opened(2, _, _)) = $0 { true } else { false } }))
    deck.sound.follow(3, Self.addresses[2])
    #expect(deck.wait(for: { if case .decode(.opened(3, _, _)) = $0 { true } else { false } }))
    deck.sound.followNothing()
    #expect(deck.wait(for: { $0 == .drained(generation: 1) }))
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
    #expect(deck.faults == ["O-205"] && deck.heard == [1, 2, 3])
    let heard = try Wave(wave).samples
    let rest = second.samples + third.samples
    #expect(heard.count > rest.count)
    #expect(difference(heard, Array(first.samples.prefix(heard.count - rest.count)) + rest) == nil)
  }
}
