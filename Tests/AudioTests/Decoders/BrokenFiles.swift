import Formats
import Glibc
import Runtime
import TestSupport

@testable import Audio

/// A file that is wrong in one way, and what must become of it.
struct BrokenFile: Sendable {
  enum Fate: Sendable {
    /// With a fault of one of these codes.
    case refused([String])
    /// At least so many frames are heard, and not more than the most that any file here may give.
    case plays(Int)
    /// Whatever: but soon, and without harm.
    case either
  }

  var name: String
  var bytes: [UInt8]
  var fate: Fate

  init(_ name: String, _ fate: Fate, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    self.fate = fate
  }

  /// Frames of the sound from which they are made.
  static let frames = 20_000
}

/// What the broken ones are made from: the same sound in each format, in order.
struct WholeFiles {
  let flac: [UInt8]
  let slowFLAC: [UInt8]
  let monoFLAC: [UInt8]
  let oggFLAC: [UInt8]
  let mp3: [UInt8]
  let slowMP3: [UInt8]
  let monoMP3: [UInt8]
  let barMP3: [UInt8]
  let vorbis: [UInt8]
  let opus: [UInt8]
  let shortVorbis: [UInt8]
  let shortOpus: [UInt8]
  let signal = Signal(frames: BrokenFile.frames)
  var wave: WaveBytes { WaveBytes(signal) }
  var aiff: AIFFBytes { AIFFBytes(signal, codec: "AIFF") }

  init() throws {
    let folder = TempFolder()
    func make(_ write: (FilePath) throws -> Void) throws -> [UInt8] {
      let path = folder.path / "a"
      try write(path)
      return try Bytes.read(path)
    }
    let (signal, slow) = (signal, Signal(rate: 22_050, frames: BrokenFile.frames))
    let mono = Signal(channels: 1, frames: BrokenFile.frames)
    flac = try make { try signal.writeFLAC($0, ["-T", "title=Broken"]) }
    slowFLAC = try make { try slow.writeFLAC($0) }
    monoFLAC = try make { try mono.writeFLAC($0) }
    oggFLAC = try make { try signal.writeFLAC($0, ["--ogg"]) }
    mp3 = try make { try signal.writeMP3($0, ["-b", "128"]) }
    slowMP3 = try make { try slow.writeMP3($0, ["-b", "64", "-t"]) }
    monoMP3 = try make { try mono.writeMP3($0, ["-b", "128", "-t"]) }
    barMP3 = try make { try signal.writeMP3($0, ["-b", "128", "-t"]) }
    // Long enough for several pages.
    vorbis = try make { try Signal(frames: 3 * BrokenFile.frames).writeVorbis($0) }
    opus = try make { try Signal(rate: 48_000, frames: BrokenFile.frames).writeOpus($0, ["--max-delay", "50"]) }
    shortVorbis = try make { try Signal(frames: 1).writeVorbis($0) }
    shortOpus = try make { try Signal(rate: 48_000, frames: 1).writeOpus($0) }
  }
}

/// Bytes as a file, of which it is counted how much was asked.
final class CountedSource: ByteSource {
  private let bytes: [UInt8]
  let name: String
  private(set) var position: Int64 = 0
  private(set) var reads = 0
  private(set) var bytesRead = 0

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  var length: Int64? { Int64(bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    reads += 1
    guard position < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - Int(position))
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(position)...].prefix(count)))
    }
    position += Int64(count)
    bytesRead += count
    return count
  }

  func seek(to position: Int64) throws(Fault) {
    guard position >= 0 else { throw Fault(.malformed, "T-6", "a seek before the beginning") }
    self.position = position
  }
}

extension [UInt8] {
  func with(_ other: some Collection<UInt8>, at index: Int) -> [UInt8] {
    var changed = self
    changed.replaceSubrange(index..<Swift.min(count, index + other.count), with: other.prefix(count - index))
    return changed
  }

  func inserting(_ other: some Collection<UInt8>, at index: Int) -> [UInt8] {
    Array(self[..<index]) + Array(other) + Array(self[index...])
  }

  static func noise(_ count: Int, seed: UInt64 = 9) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// Where `text` stands for the first time.
  func place(of text: some Collection<UInt8>) -> Int {
    indices.first { self[$0...].starts(with: text) } ?? 0
  }
}

/// Hands one value from a thread to the one that waits for it.
final class OneTime<Value: Sendable>: @unchecked Sendable {  // by the semaphore
  private var value: Value?
  private let there = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(there, 0, 0) }

  deinit { there.deallocate() }

  func give(_ value: Value) {
    self.value = value
    sem_post(there)
  }

  func take() -> Value {
    while true {
      while sem_wait(there) != 0 {}
      if let value { return value }
    }
  }
}
