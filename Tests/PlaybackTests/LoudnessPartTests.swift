import Audio
import Formats
import Glibc
import Library
import Runtime
import TestSupport
import Testing

@testable import Playback

/// What was kept, in memory.
@MainLoop
private final class NoteBook: LoudnessStore {
  var kept: [FilePath: MeasuredLoudness] = [:]
  var order: [FilePath] = []

  func loudness(of paths: [FilePath]) async -> [FilePath: MeasuredLoudness] {
    kept.filter { paths.contains($0.key) }
  }

  func taggedLoudness(of paths: [FilePath]) async -> [FilePath: LoudnessFacts] { [:] }

  func keep(_ loudness: MeasuredLoudness, of path: FilePath) async {
    kept[path] = loudness
    order.append(path)
  }
}

@Suite("Loudness of what will be played")
struct LoudnessPartTests {
  private let folder = TempFolder()

  /// A WAV file of a square wave, so loud.
  private func write(_ name: String, loudness: Int16) throws -> FilePath {
    let path = folder.path / name
    let frames = 44_100
    var bytes = Array("RIFF".utf8) + Self.number(36 + frames * 4) + Array("WAVEfmt ".utf8) + Self.number(16)
    bytes += [1, 0, 2, 0] + Self.number(44_100) + Self.number(44_100 * 4) + [4, 0, 16, 0]
    bytes += Array("data".utf8) + Self.number(frames * 4)
    for frame in 0..<frames {
      let sample = UInt16(bitPattern: frame / 50 % 2 == 0 ? loudness : -loudness)
      bytes += [UInt8(sample & 0xFF), UInt8(sample >> 8), UInt8(sample & 0xFF), UInt8(sample >> 8)]
    }
    try AtomicFile.replace(path, with: bytes)
    return path
  }

  private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  @Test("is measured in the order in which it is wanted, only when allowed, and kept, be it that it cannot be known")
  func measures() async throws {
    let loud = try write("loud.wav", loudness: 20_000)
    let soft = try write("soft.wav", loudness: 2_000)
    let broken = folder.path / "broken.wav"
    try AtomicFile.replace(broken, with: Array("no music".utf8))
    let sound = try NotingSound()
    await TestMainLoop.alone {
      await onMainLoop {
        let notes = NoteBook()
        let part = LoudnessPart(storedIn: notes)
        var saved = SavedSession()
        _ = saved.queue.append([soft, broken, loud, soft])
        let transport = Transport(
          saved, rules: .init(), volume: Volume(percent: 50), sound: sound, store: nil, loudness: part,
          notices: NoticeBoard())
        let life = MainLoop.start { try? await part.run() }
        #expect(notes.kept.isEmpty && part.loudness(of: loud) == nil)
        part.lookAgain()
        for _ in 0..<20 { await Self.turn() }
        // Nobody wants to know.
        #expect(notes.kept.isEmpty)
        // Somebody does, and there is no power for it.
        transport.sounding.plan.chores = false
        transport.sounding.normaliser = .track
        for _ in 0..<20 { await Self.turn() }
        #expect(notes.kept.isEmpty)
        // It looks again once its pause is over.
        transport.sounding.plan.chores = true
        await MainLoop.loop.advance(by: LoudnessPart.rest)
        while notes.order.count < 3 { await Self.turn() }
        #expect(notes.order == [soft, broken, loud])
        let (softly, loudly) = (part.loudness(of: soft)?.lufs ?? 0, part.loudness(of: loud)?.lufs ?? 0)
        #expect(abs(loudly - softly - 20) < 0.1)
        #expect(part.loudness(of: broken)?.lufs == nil && part.loudness(of: broken) != nil)
        let facts = part.facts(of: loud)
        #expect(facts?.trackGain == NormaliserGain.target - loudly)
        // Of one folder: what is 20 dB softer than the rest does not make the album softer.
        #expect(facts?.albumGain.map { abs($0 - NormaliserGain.target + loudly) < 0.01 } == true)
        life.cancel()
        await life.value
      }
    }
  }

  /// The measuring thread works in real time, whatever the main loop's clock says.
  @MainLoop private static func turn() async {
    poll(nil, 0, 2)
    await withCheckedContinuation { continuation in MainLoop.loop.post { continuation.resume() } }
  }
}
