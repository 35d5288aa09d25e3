import Formats
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Audio

/// A file of a terabyte, of which only the beginning is there; behind it come zeros, or bytes that make no sense.
private final class HoleSource: ByteSource {
  enum Hole: CaseIterable, Sendable { case zeros, nonsense }

  let name = "a file with a hole"
  let length: Int64? = 1 << 40
  private(set) var position: Int64 = 0
  private(set) var bytesRead = 0
  /// Called after each read.
  var afterRead: () -> Void = {}
  private let bytes: [UInt8]
  private let hole: Hole

  init(_ bytes: [UInt8], _ hole: Hole) { (self.bytes, self.hole) = (bytes, hole) }

  func seek(to position: Int64) { self.position = position }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = Int(min(Int64(buffer.count), (1 << 40) - position))
    for index in 0..<count {
      let place = position + Int64(index)
      buffer[index] = place < bytes.count ? bytes[Int(place)] : hole == .zeros ? 0 : Self.nonsense(place)
    }
    position += Int64(count)
    bytesRead += count
    afterRead()
    return count
  }

  /// The same at the same place.
  private static func nonsense(_ place: Int64) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt64(place) &* 0x9E37_79B9_7F4A_7C15) >> 41)
  }
}

@Suite("Searching a damaged file")
struct SearchTests {
  enum Kind: String, CaseIterable, Sendable { case flac, oggFLAC, mp3, vorbis, opus }

  private func head(_ kind: Kind) throws -> [UInt8] {
    let folder = TempFolder()
    let path = folder.path / "a"
    let signal = Signal(rate: 48_000, frames: 60_000)
    switch kind {
    case .flac: try signal.writeFLAC(path)
    case .oggFLAC: try signal.writeFLAC(path, ["--ogg"])
    case .mp3: try signal.writeMP3(path, ["-b", "128", "-t"])
    case .vorbis: try signal.writeVorbis(path)
    case .opus: try signal.writeOpus(path)
    }
    return try Bytes.read(path)
  }

  /// More than the head of any file here and what is searched behind it.
  private static let fewMegabytes = 34 << 20

  @Test("ends a few megabytes behind the last good frame", arguments: Kind.allCases)
  func givesUp(kind: Kind) throws {
    let bytes = try head(kind)
    for hole in HoleSource.Hole.allCases {
      let source = HoleSource(bytes, hole)
      let decoder = try openDecoder(source, asking: nil)
      let opening = source.bytesRead
      #expect(opening < 2 * Self.fewMegabytes, "\(hole): opening read \(opening) bytes")
      let heard = try decoder.readSome(200_000).count / 2
      #expect(heard > 50_000 && heard < 70_000, "\(hole): \(heard) frames")
      let read = source.bytesRead - opening
      #expect(read < Self.fewMegabytes, "\(hole): \(read) bytes were read")
    }
  }

  @Test("does not decode thousands of frames of FLAC that only begin like some")
  func falseFrames() throws {
    let source = HoleSource(FalseFrames.file(count: 100_000), .zeros)
    let decoder = try openDecoder(source, asking: nil)
    let opening = source.bytesRead
    #expect(try decoder.readSome(1_000).isEmpty)
    let read = source.bytesRead - opening
    #expect(read < 1 << 20, "\(read) bytes were read")
  }

  @Test("ends at once when something else is to be played", arguments: Kind.allCases)
  func isInterrupted(kind: Kind) throws {
    let source = HoleSource(try head(kind), .nonsense)
    let box = Flag()
    var help = ForeignHelp()
    help.program = nil
    help.mustStop = { box.isSet }
    let decoder = try openDecoder(source, asking: help)
    _ = try decoder.readSome(20_000)
    var readBefore = 0
    // From then on it is inside the hole.
    source.afterRead = {
      guard source.position > 600_000, !box.isSet else { return }
      readBefore = source.bytesRead
      box.isSet = true
    }
    let fault = try faultOf { try decoder.readSome(200_000) }
    #expect(fault.isGivingUp, "\(fault)")
    let after = source.bytesRead - readBefore
    #expect(readBefore > 0 && after < 2 * InterruptibleSource.step, "\(after) bytes were read")
  }
}

/// Frames of FLAC whose header is right, of which each promises eight channels of 65,535 samples in thirty bytes, and
/// of which the last channel is none.
private enum FalseFrames {
  static func file(count: Int) -> [UInt8] {
    let (rate, channels): (UInt64, UInt64) = (44_100 << 44, 7 << 41)
    let (bits, length): (UInt64, UInt64) = (15 << 36, 44_100 * 600)
    let rateChannelsBitsLength = rate | channels | bits | length
    var file = Array("fLaC".utf8) + [0x80, 0, 0, 34, 0, 16, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0]
    file += (0..<8).map { UInt8(truncatingIfNeeded: rateChannelsBitsLength >> (56 - 8 * UInt64($0))) }
    file += [UInt8](repeating: 0, count: 16)
    var frame: [UInt8] = [0xFF, 0xF8, 0x70, 0x70, 0, 0xFF, 0xFE]
    frame.append(sum(frame))
    for _ in 0..<7 { frame += [0x00, 0x12, 0x34] }
    frame.append(0x80)
    for _ in 0..<count { file += frame }
    return file
  }

  /// CRC-8 with the polynomial x^8 + x^2 + x + 1.
  private static func sum(_ bytes: [UInt8]) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 7 : sum << 1 }
    }
  }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
}
