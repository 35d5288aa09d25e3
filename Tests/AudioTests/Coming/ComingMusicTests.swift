import Glibc
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Audio

@Suite("Music that is not all here yet")
struct ComingMusicTests {
  let folder = TempFolder()
  let loop: EventLoop
  static let address = FilePath("source:shop/1")
  static let nowhere = FilePath("source:shop/2")

  init() throws {
    loop = try EventLoop("line")
    try loop.start()
  }

  private func flac(_ signal: Signal, _ name: String = "a") throws -> (path: FilePath, bytes: [UInt8]) {
    let path = folder.path / "\(name).flac"
    try signal.writeFLAC(path)
    return (path, try AtomicFile.read(path, limit: 1 << 26))
  }

  private func record(_ finder: any MusicFinder) throws -> (SoundRig, FilePath) {
    let wave = folder.path / "out.wav"
    return (try SoundRig(WaveOutput(wave), finder: finder), wave)
  }

  /// Until the decode thread waits for it.
  private func untilWaited(_ line: SlowLine) { until { line.isWaited } }

  private func until(_ isSo: () -> Bool) {
    let end = Moment.now + .seconds(10)
    while !isSo(), Moment.now < end { sched_yield() }
  }

  @Test(
    "in pieces of any size it is the same as the file, whether its length is known or not", arguments: [true, false])
  func pieces(knowsLength: Bool) throws {
    let signal = Signal(frames: 150_000)
    let (_, bytes) = try flac(signal)
    let line = SlowLine(bytes, knowsLength: knowsLength, on: loop)
    let (deck, wave) = try record(KnownPlaces([Self.address: { .coming(line) }]))
    #expect(deck.play([Self.address]))
    #expect(difference(try Wave(wave).samples, signal.samples) == nil)
    #expect(deck.faults.isEmpty)
  }

  @Test("FLAC is sought in as it comes, to the very frame")
  func seeks() throws {
    let (path, bytes) = try flac(Signal(frames: 200_000))
    let line = SlowLine(bytes, on: loop)
    let far = try openDecoder(ComingSource(line, ForeignHelp()), asking: nil)
    let near = try openDecoder(path)
    for frame in [150_000, 1_000, 199_000] as [Int64] {
      try far.seek(toFrame: frame)
      try near.seek(toFrame: frame)
      #expect(difference(try far.readSome(1_000), try near.readSome(1_000)) == nil, "\(frame)")
    }
  }

  @Test("MP3 begins before its end is here, and is sought in without what stands before")
  func seeksMP3() throws {
    let path = folder.path / "a.mp3"
    try Signal(frames: 2_000_000).writeMP3(path)
    let bytes = try AtomicFile.read(path, limit: 1 << 26)
    let line = SlowLine(bytes, upTo: bytes.count / 8, on: loop)
    let decoder = try openDecoder(ComingSource(line, ForeignHelp()), asking: nil)
    let first = try decoder.readSome(1_000)
    #expect(difference(first, try openDecoder(path).readSome(1_000)) == nil)
    line.come()
    try decoder.seek(toFrame: 1_500_000)
    #expect(try decoder.readSome(1_000).count == 2_000)
    let asked = line.asked.filter { $0 > bytes.count / 4 }
    #expect(asked.first.map { $0 > bytes.count / 2 } == true, "\(line.asked)")
  }

  @Test("a line that stalls is waited for, and it goes on where it was")
  func stalls() throws {
    let signal = Signal(frames: 150_000)
    let (_, bytes) = try flac(signal)
    let line = SlowLine(bytes, upTo: bytes.count / 2, on: loop)
    let (deck, wave) = try record(KnownPlaces([Self.address: { .coming(line) }]))
    deck.sound.resume()
    deck.sound.start(1, Self.address, at: .beginning, generation: 1)
    #expect(deck.wait(for: { $0 == .heard(entry: 1, generation: 1) }))
    untilWaited(line)
    line.come()
    deck.sound.followNothing()
    #expect(deck.wait(for: { $0 == .drained(generation: 1) }))
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
    #expect(difference(try Wave(wave).samples, signal.samples) == nil)
  }

  @Test("whoever skips, seeks or ends does not wait for the line, and lets go of it")
  func skips() throws {
    let (path, bytes) = try flac(Signal(frames: 20_000))
    var line: SlowLine? = SlowLine(bytes, upTo: bytes.count / 2, on: loop)
    let held = Held(line: line)
    let (deck, _) = try record(OneLine(line, KnownPlaces([:], lost: [Self.nowhere])))
    deck.sound.resume()
    deck.sound.start(1, Self.address, at: .beginning, generation: 1)
    if let line { untilWaited(line) }
    line = nil
    // Nobody ever says where this one is.
    deck.sound.start(2, Self.nowhere, at: .beginning, generation: 2)
    deck.sound.start(3, path, at: .beginning, generation: 3)
    deck.sound.followNothing()
    #expect(deck.wait(for: { $0 == .drained(generation: 3) }))
    #expect(deck.heard.last == 3 && deck.faults.isEmpty)
    // What is on its way on the loop has it a moment longer.
    until { held.line == nil }
    #expect(held.line == nil)
    deck.sound.start(4, Self.nowhere, at: .beginning, generation: 4)
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
  }

  @Test("one that breaks in its middle is told with the reason, and the next one plays")
  func breaks() throws {
    let (signal, next) = (Signal(frames: 150_000), Signal(frames: 30_000, seed: 2))
    let (_, bytes) = try flac(signal)
    let (path, _) = try flac(next, "b")
    let line = SlowLine(bytes, upTo: bytes.count / 2, on: loop)
    line.fail(Fault(.passing, "O-999", "the line is gone for good"))
    let (deck, wave) = try record(KnownPlaces([Self.address: { .coming(line) }]))
    deck.sound.resume()
    deck.sound.start(1, Self.address, at: .beginning, generation: 1)
    deck.sound.follow(2, path)
    #expect(deck.wait(for: { if case .decode(.finished(2, _, _)) = $0 { true } else { false } }))
    deck.sound.followNothing()
    #expect(deck.wait(for: { $0 == .drained(generation: 1) }))
    deck.sound.shutdown()
    #expect(deck.wait(for: { $0 == .closed }))
    #expect(deck.faults == ["O-999"] && deck.heard == [1, 2])
    let heard = try Wave(wave).samples
    let before = heard.count - next.samples.count
    #expect(before > 0)
    #expect(difference(heard, Array(signal.samples.prefix(before)) + next.samples) == nil)
  }

  @Test("what has become whole is a file like any other")
  func whole() throws {
    let signal = Signal(frames: 30_000)
    let (path, _) = try flac(signal)
    let (deck, wave) = try record(KnownPlaces([Self.address: { .file(path) }]))
    #expect(deck.play([Self.address]))
    #expect(difference(try Wave(wave).samples, signal.samples) == nil)
  }

  private struct Held { weak var line: SlowLine? }

  /// A line that is handed out once and not kept.
  private final class OneLine: MusicFinder {
    private let line: Mutex<SlowLine?>
    private let others: KnownPlaces

    init(_ line: SlowLine?, _ others: KnownPlaces) {
      self.line = Mutex(line)
      self.others = others
    }

    func find(
      _ path: FilePath, then: @escaping @Sendable (Result<FoundMusic, Fault>) -> Void
    ) -> (@Sendable () -> Void)? {
      guard path == ComingMusicTests.address, let line = line.withLock({ $0.take() }) else {
        return others.find(path, then: then)
      }
      then(.success(.coming(line)))
      return {}
    }
  }
}
