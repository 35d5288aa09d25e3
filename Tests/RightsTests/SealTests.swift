import Ciphers
import Formats
import Runtime
import TestSupport
import Testing

@testable import Seals

/// Bytes in memory, of which some may still be coming.
final class MemorySource: ByteSource {
  let name = "made up"
  var bytes: [UInt8]
  var isComing = false
  private(set) var position: Int64 = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var length: Int64? { Int64(bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard position < bytes.count else { return 0 }
    let some = bytes[Int(position)...].prefix(buffer.count)
    buffer.copyBytes(from: some)
    position += Int64(some.count)
    return some.count
  }

  func seek(to position: Int64) { self.position = position }
}

/// A track, sealed with a key that is made of a number.
struct SealedTrack {
  let plain: [UInt8]
  let sealed: [UInt8]
  let key: [UInt8]

  init(_ count: Int, _ suite: CipherSuite = .aes256GCM, number: UInt8 = 1) throws {
    var generator = SeededGenerator(seed: UInt64(count) &+ UInt64(number))
    plain = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    key = [UInt8](repeating: number, count: 32)
    let id = try #require(KeyID([UInt8](repeating: number, count: 16)))
    let header = SealHeader(suite, key: id, plainLength: Int64(count), chunkBits: 12)
    var bytes = key
    var sealer = try Sealer(header, key: Secret(taking: &bytes))
    var sealed: [UInt8] = []
    try sealer.seal(MemorySource(plain)) { sealed += $0 }
    self.sealed = sealed
  }

  /// All of it, by short reads.
  static func opened(_ sealed: [UInt8], by key: [UInt8], isComing: Bool = false) throws(Fault) -> [UInt8] {
    let source = MemorySource(sealed)
    source.isComing = isComing
    let opening = try opening(source, by: key)
    return try opening.peek(Int(opening.length ?? 0), at: 0)
  }

  static func opening(_ source: MemorySource, by key: [UInt8]) throws(Fault) -> any ByteSource {
    try unsealed(source, by: OneKey(bytes: key))
  }
}

struct OneKey: TrackKeys {
  let bytes: [UInt8]

  func key(_ id: KeyID, of name: String) throws(Fault) -> Secret {
    var bytes = bytes
    return try Secret(taking: &bytes)
  }
}

@Suite("Sealed tracks")
struct SealTests {
  @Test(
    "what was sealed opens again, whatever its length", arguments: CipherSuite.allCases,
    [1, 15, 16, 4_095, 4_096, 4_097, 8_192, 20_000])
  func roundTrip(suite: CipherSuite, count: Int) throws {
    let track = try SealedTrack(count, suite)
    #expect(track.sealed.count == 64 + count + 16 * ((count + 4_095) / 4_096))
    #expect(try SealedTrack.opened(track.sealed, by: track.key) == track.plain)
    #expect(!track.sealed.dropFirst(64).starts(with: track.plain.prefix(16)) || count < 4)
  }

  @Test("any part of it is read from anywhere")
  func anywhere() throws {
    let track = try SealedTrack(50_000)
    let source = try SealedTrack.opening(MemorySource(track.sealed), by: track.key)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let place = Int.random(in: 0...50_100, using: &generator)
      let count = Int.random(in: 1...9_000, using: &generator)
      let wanted = track.plain.dropFirst(place).prefix(count)
      #expect(try source.peek(count, at: Int64(place)) == Array(wanted))
    }
  }

  @Test("what is plain stays as it is; without keys nothing sealed opens")
  func plain() throws {
    let source = MemorySource([1, 2, 3])
    #expect(try unsealed(source, by: nil) === source)
    let sealed = MemorySource(try SealedTrack(100).sealed)
    #expect(try faultOf { _ = try unsealed(sealed, by: nil) }.code == "E-108")
  }

  @Test("a byte of it that is not as it was is refused, wherever it stands")
  func flipped() throws {
    let track = try SealedTrack(9_000)
    for place in track.sealed.indices where place < 64 + 40 || place % 97 == 0 || place > 9_080 {
      var bytes = track.sealed
      bytes[place] ^= 0x40
      let fault = try #require(Self.fault(bytes, track.key), "byte \(place)")
      let isMark = place < 4
      #expect(isMark || fault.code.hasPrefix("E-10"), "byte \(place): \(fault)")
    }
  }

  /// Nil when all of it opens; for what is taken for plain, a fault too.
  private static func fault(_ bytes: [UInt8], _ key: [UInt8]) -> Fault? {
    do throws(Fault) {
      let source = MemorySource(bytes)
      if try SealedTrack.opening(source, by: key) === source { return Fault(.malformed, "T-1", "it is plain") }
      _ = try SealedTrack.opened(bytes, by: key)
      return nil
    } catch { return error }
  }

  @Test("chunks that were swapped, repeated, left out or of another track are refused; so is what was cut off")
  func shuffled() throws {
    let track = try SealedTrack(3 * 4_096)
    let other = try SealedTrack(3 * 4_096, number: 2)
    let size = 4_096 + 16
    let head = Array(track.sealed[..<64])
    func chunk(_ number: Int, of track: SealedTrack) -> [UInt8] {
      Array(track.sealed[(64 + number * size)..<(64 + (number + 1) * size)])
    }
    let (one, two, three) = (chunk(0, of: track), chunk(1, of: track), chunk(2, of: track))
    #expect(Self.fault(head + one + two + three, track.key) == nil)
    for wrong in [
      head + two + one + three, head + one + one + three, head + one + two + chunk(2, of: other),
      Array(other.sealed[..<64]) + one + two + three,
    ] {
      #expect(Self.fault(wrong, track.key)?.code == "E-107")
    }
    #expect(Self.fault(head + one + two, track.key)?.code == "E-105")
    #expect(Self.fault(head + one + two + three + [0], track.key)?.code == "E-105")
    #expect(Self.fault(Array(track.sealed[..<40]), track.key)?.code == "E-101")
    #expect(Self.fault(track.sealed, other.key)?.code == "E-107")
  }

  @Test("what is still coming opens as far as it is here")
  func coming() throws {
    let track = try SealedTrack(10_000)
    let source = MemorySource(Array(track.sealed[..<(64 + 4_112 + 100)]))
    source.isComing = true
    let opening = try SealedTrack.opening(source, by: track.key)
    #expect(opening.isComing && opening.length == 10_000)
    #expect(try opening.peek(4_096, at: 0) == Array(track.plain[..<4_096]))
    #expect(throws: Fault.self) { try opening.peek(10, at: 5_000) }
    source.bytes = track.sealed
    #expect(try opening.peek(10, at: 5_000) == Array(track.plain[5_000..<5_010]))
  }

  @Test("a seal of a later version says so")
  func later() throws {
    var bytes = try SealedTrack(100).sealed
    bytes[4] = 2
    #expect(Self.fault(bytes, [])?.kind == .unsupported)
  }
}
