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

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
}
