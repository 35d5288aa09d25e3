import Runtime
import TestSupport
import Testing

@testable import Audio

/// Each test's line ends where it says, and who asks for more is refused.
@Suite("What must be here of a stream before it is heard")
struct FirstSoundTests {
  typealias Format = GaplessTests.Format

  let folder = TempFolder()
  let loop: EventLoop
  /// A device is given so many first.
  private static let frames = 1_024
  private static let more = Fault(.passing, "T-9", "more is asked for than is needed")

  init() throws {
    loop = try EventLoop("line")
    try loop.start()
  }

  private func made(_ format: Format, frames: Int, _ path: FilePath) throws -> [UInt8] {
    try Signal(rate: format == .opus ? 48_000 : 44_100, frames: frames).write(format, to: path)
    return try Bytes.read(path)
  }

  @Test(
    "the first frames of any format come out of its first bytes, whatever stands at its end",
    arguments: [
      (Format.mp3, 4_000), (.wave, 6_000), (.aiff, 6_000), (.flac, 30_000), (.oggFLAC, 80_000), (.vorbis, 16_000),
      (.opus, 32_000),
    ])
  func little(format: Format, enough: Int) throws {
    let path = folder.path / "a"
    var bytes = try made(format, frames: 400_000, path)
    try #require(bytes.count > 2 * enough)
    if format == .wave || format == .aiff {
      // What is told of it behind the sound.
      bytes += Array("LIST".utf8) + [UInt8](repeating: 0, count: 1_000)
    }
    let line = SlowLine(bytes, upTo: enough, on: loop)
    line.fail(Self.more)
    let heard = try openDecoder(line).readSome(Self.frames)
    let expected = try openDecoder(path).readSome(Self.frames)
    #expect(heard.count == 2 * Self.frames && difference(heard, expected) == nil)
  }

  @Test(
    "Ogg whose end was not looked at is the same to the last sample, as long as its source says, and sought in exactly",
    arguments: [Format.vorbis, .opus])
  func ogg(format: Format) throws {
    let path = folder.path / "a"
    let bytes = try made(format, frames: 200_000, path)
    let near = try openDecoder(path)
    let all = try near.readAll()
    let far = try openDecoder(SlowLine(bytes, on: loop))
    #expect(far.length == nil)
    #expect(difference(try far.readAll(), all) == nil)
    let sought = try openDecoder(SlowLine(bytes, lasting: .seconds(4), on: loop))
    #expect(sought.length == 4 * Int64(near.format.sampleRate))
    for frame in [150_000, 1_000, 199_500] as [Int64] {
      try sought.seek(toFrame: frame)
      try near.seek(toFrame: frame)
      #expect(difference(try sought.readSome(1_000), try near.readSome(1_000)) == nil, "\(frame)")
      #expect(sought.length == near.length)
    }
  }

  @Test(
    "a large cover in front of the music is not waited for, and nothing else of the tag is lost",
    arguments: [Format.mp3, .flac])
  func cover(format: Format) throws {
    let path = folder.path / "a"
    let length = 300_000
    let plain = try made(format, frames: 100_000, path)
    var bytes = plain
    if format == .mp3 {
      let picture = "image/png\u{0}\u{3}\u{0}" + String(repeating: "x", count: length)
      bytes = ID3Bytes(["TIT2": "Before", "APIC": picture, "TPE1": "Behind"]).bytes + plain
    } else {
      // Behind the first block, which has 38 bytes with its head.
      let head: [UInt8] = [6, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
      bytes.insert(contentsOf: head + [UInt8](repeating: 0x78, count: length), at: 42)
    }
    try Bytes.write(bytes, to: path)
    let near = try openDecoder(path)
    // As much of it as comes before anybody can know that it is one.
    let line = SlowLine(bytes, but: 8_000..<length, on: loop)
    line.becomeWhole()
    let far = try openDecoder(line)
    #expect(far.length == near.length && far.tags == near.tags)
    #expect(format == .flac || far.tags.title == "Before" && far.tags.artist == "Behind")
    #expect(difference(try far.readAll(), try near.readAll()) == nil)
    for frame in [60_000, 100] as [Int64] {
      try far.seek(toFrame: frame)
      try near.seek(toFrame: frame)
      #expect(difference(try far.readSome(1_000), try near.readSome(1_000), within: 1 << 16) == nil, "\(frame)")
    }
  }

  @Test(
    "a tag that is written otherwise is read as it stands",
    arguments: [[0x02, 0, 0], [0x04, 0, 0x80], [0x03, 0, 0x40]] as [[UInt8]])
  func otherTags(mark: [UInt8]) throws {
    let path = folder.path / "a"
    let plain = try made(.mp3, frames: 50_000, path)
    // 100,000 bytes in it, in sevens of bits.
    let tag = Array("ID3".utf8) + mark + [0, 6, 13, 32] + [UInt8](repeating: 0, count: 100_000)
    try Bytes.write(tag + plain, to: path)
    let far = try openDecoder(SlowLine(tag + plain, on: loop))
    #expect(difference(try far.readAll(), try openDecoder(path).readAll()) == nil)
  }

  @Test("whatever stands in a tag, however wrong its lengths are, the sound behind it is the same", arguments: 1...12)
  func anyTag(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let path = folder.path / "a"
    let plain = try made(.mp3, frames: 20_000, path)
    let isThird = seed % 2 == 0
    var inside: [UInt8] = []
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let name = ["TIT2", "APIC", "PRIV", "GEOB"].randomElement(using: &random) ?? "APIC"
      let size = Int.random(in: 0...40_000, using: &random)
      // Some programs write the one version's lengths into the other.
      let isPlain = isThird != (Int.random(in: 0..<8, using: &random) == 0)
      inside += Array(name.utf8)
      for place in [3, 2, 1, 0] {
        let part = isPlain ? size >> (8 * place) & 0xFF : size >> (7 * place) & 0x7F
        inside.append(UInt8(part))
      }
      inside += [0, 0]
      for _ in 0..<size { inside.append(UInt8.random(in: 0...255, using: &random)) }
    }
    inside += [UInt8](repeating: 0, count: Int.random(in: 0...70_000, using: &random))
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      inside[Int.random(in: 0..<inside.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    var bytes: [UInt8] = Array("ID3".utf8) + [isThird ? 3 : 4, 0, 0]
    for place in [3, 2, 1, 0] { bytes.append(UInt8(inside.count >> (7 * place) & 0x7F)) }
    bytes += inside
    bytes += plain
    try Bytes.write(bytes, to: path)
    let far = try openDecoder(SlowLine(bytes, on: loop)).readAll()
    #expect(difference(far, try openDecoder(path).readAll()) == nil, "seed \(seed)")
  }

  @Test("MP3 is sought in to the very frame where it was heard, and everywhere once all of it is here")
  func exact() throws {
    let path = folder.path / "a.mp3"
    try Signal(frames: 600_000).writeMP3(path, ["-V", "4"])
    let line = SlowLine(try Bytes.read(path), on: loop)
    let (far, near) = (try openDecoder(line), try openDecoder(path))
    func isSame(_ frame: Int64) throws -> Bool {
      try far.seek(toFrame: frame)
      try near.seek(toFrame: frame)
      return difference(try far.readSome(3_000), try near.readSome(3_000), within: 1 << 16) == nil
    }
    _ = try far.readSome(150_000)
    #expect(try isSame(90_000))
    // Reckoned, for all that is known not everything is here.
    try far.seek(toFrame: 450_000)
    #expect(try far.readSome(3_000).count == 6_000)
    line.becomeWhole()
    for frame in [500_000, 300_000, 590_000, 7] as [Int64] { #expect(try isSame(frame), "\(frame)") }
  }
}
