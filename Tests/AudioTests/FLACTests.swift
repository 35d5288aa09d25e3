import Formats
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("FLAC")
struct FLACTests {
  let folder = TempFolder()

  @Test(
    "every sample is the source's, whatever the depth, rate and channels",
    arguments: [
      (8, 1, 8_000), (8, 2, 44_100), (16, 1, 44_100), (16, 2, 44_100), (16, 2, 96_000), (24, 2, 48_000),
      (24, 1, 192_000), (24, 2, 384_000), (32, 2, 44_100),
    ])
  func exact(bits: Int, channels: Int, rate: Int) throws {
    let signal = Signal(rate: Int32(rate), channels: channels, bits: bits, frames: 30_011)
    let path = folder.path / "a.flac"
    try signal.writeFLAC(path)
    let decoder = try openDecoder(path)
    #expect(
      decoder.format
        == AudioFormat(
          sampleRate: Int32(rate), channels: Int32(channels), bitsPerSample: Int32(bits), lossless: true))
    #expect(decoder.length == 30_011)
    #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)
    #expect(try decoder.readAll().isEmpty && decoder.damages == 0)
  }

  @Test("a seek gives the very frame, at random places, at the ends and past them")
  func seeking() throws {
    let signal = Signal(frames: 100_003)
    let path = folder.path / "a.flac"
    try signal.writeFLAC(path)
    let all = signal.leftJustified
    let decoder = try openDecoder(path)
    let seed: UInt64 = 7
    var generator = SeededGenerator(seed: seed)
    for frame in [0, 100_002, 100_003, 200_000, 1]
      + (0..<60).map({ _ in Int.random(in: 0..<100_003, using: &generator) })
    {
      try decoder.seek(toFrame: Int64(frame))
      let expected = frame < 100_003 ? Array(all[2 * frame..<min(all.count, 2 * (frame + 500))]) : []
      #expect(difference(try decoder.readSome(500), expected) == nil, "frame \(frame), seed \(seed)")
    }
  }

  @Test("tags are read, cleaned and bounded")
  func tags() throws {
    let path = folder.path / "a.flac"
    let long = String(repeating: "x", count: 2_000)
    try Signal(frames: 1_000).writeFLAC(
      path,
      ["-T", "title=Präludium\u{1B}[31m\n1", "-T", "ARTIST=Anna", "-T", "Artist=Bea", "-T", "album=\(long)"]
        + ["-T", "tracknumber=03/12"])
    let tags = try openDecoder(path).tags
    #expect(tags.title == "Präludium [31m 1" && tags.artist == "Anna; Bea" && tags.trackNumber == 3)
    #expect(tags.album?.count == Tags.longest)
  }

  @Test("three megabytes of comments that are hard to compare as Unicode cost no more than plain ones")
  func hardComments() throws {
    let path = folder.path / "a.flac"
    try Signal(frames: 1_000).writeFLAC(path, ["-T", "title=Air"])
    let file = try Bytes.read(path)
    func write(_ text: String, to path: FilePath) throws {
      func sized(_ bytes: [UInt8]) -> [UInt8] { (0..<4).map { UInt8(bytes.count >> (8 * $0) & 0xFF) } + bytes }
      let comments = (0..<190).map { sized(Array(($0 % 2 == 0 ? "\(text)=\(text)" : "x=\(text)\(text)").utf8)) }
      let block = sized([]) + [UInt8(comments.count), 0, 0, 0] + comments.flatMap { $0 }
      let head = [4, UInt8(block.count >> 16), UInt8(block.count >> 8 & 0xFF), UInt8(block.count & 0xFF)]
      // Behind the mark and the first block, which are 42 bytes.
      try Bytes.write(file[..<42] + head + block + file[42...], to: path)
    }
    let (hard, plain) = (folder.path / "hard.flac", folder.path / "plain.flac")
    let marks = combiningMarks(bytes: 16_000)
    try write(marks, to: hard)
    try write(String(repeating: "a", count: marks.utf8.count), to: plain)
    #expect(try timesAsLong({ _ = try openDecoder(hard).tags }, as: { _ = try openDecoder(plain).tags }) < 20)
  }

  @Test("an ID3 tag before the music is passed over, for seeks too")
  func leadingTag() throws {
    let signal = Signal(frames: 50_000)
    let path = folder.path / "a.flac"
    try signal.writeFLAC(path)
    let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + [UInt8](repeating: 0, count: 256)
    try Bytes.write(tag + Bytes.read(path), to: path)
    let decoder = try openDecoder(path)
    try decoder.seek(toFrame: 40_000)
    #expect(difference(try decoder.readAll(), Array(signal.leftJustified[80_000...])) == nil)
  }

  @Test("a seek that must decode its way is exact, and stops within a block when it is told to")
  func slowSeek() throws {
    final class OneWay: ByteSource {
      let file: FileSource
      init(_ path: FilePath) throws(Fault) { file = try FileSource(path) }
      var name: String { file.name }
      var length: Int64? { file.length }
      var position: Int64 { file.position }
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int { try file.read(into: buffer) }
      func seek(to position: Int64) throws(Fault) {
        if position > 0 { throw Fault(.unsupported, "T-5", "only back to the beginning") }
        try file.seek(to: position)
      }
    }
    let signal = Signal(frames: 100_000)
    let path = folder.path / "a.flac"
    try signal.writeFLAC(path)
    let decoder = try FLACDecoder(OneWay(path))
    #expect(try decoder.seek(toFrame: 80_000, unless: { false }))
    #expect(difference(try decoder.readAll(), Array(signal.leftJustified[160_000...])) == nil)
    var looks = 0
    let arrived = try decoder.seek(toFrame: 80_000) {
      looks += 1
      return looks == 3
    }
    #expect(!arrived && looks == 3)
  }

  @Test("damage in the middle costs the frames it hit, and is counted")
  func damaged() throws {
    let signal = Signal(frames: 200_000)
    let path = folder.path / "a.flac"
    try signal.writeFLAC(path)
    var bytes = try Bytes.read(path)
    for index in bytes.count / 2..<bytes.count / 2 + 1_000 { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    try Bytes.write(bytes, to: path)
    let decoder = try openDecoder(path)
    let heard = try decoder.readAll()
    #expect(decoder.damages > 0 && heard.count > 2 * 180_000)
    #expect(difference(Array(heard.suffix(100_000)), Array(signal.leftJustified.suffix(100_000))) == nil)
  }
}

@Suite("Channel fold")
struct ChannelFoldTests {
  private func fold(_ channels: [Int32]) -> (Int32, Int32)? {
    guard let fold = ChannelFold(channels: channels.count) else { return nil }
    let samples = UnsafeMutablePointer<Int32>.allocate(capacity: channels.count)
    let planes = UnsafeMutablePointer<UnsafePointer<Int32>?>.allocate(capacity: channels.count)
    let frame = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
    defer {
      samples.deallocate()
      planes.deallocate()
      frame.deallocate()
    }
    for (index, sample) in channels.enumerated() {
      samples[index] = sample
      planes[index] = UnsafePointer(samples + index)
    }
    fold.fold(planes, count: 1, shift: 0, into: frame)
    return (frame[0], frame[1])
  }

  @Test("everything at full scale stays within scale, and silence is silence", arguments: 1...8)
  func bounds(channels: Int) throws {
    for sample in [Int32.max, .min, 0] {
      let (left, right) = try #require(fold(Array(repeating: sample, count: channels)))
      for side in [left, right] {
        #expect(sample == 0 ? side == 0 : abs(Int64(side) - Int64(sample)) < 16)
      }
    }
  }

  @Test("left stays left, the centre is in both 3 dB softer, the bass channel in none")
  func places() throws {
    let loud: Int32 = 1 << 30
    let left = try #require(fold([loud, 0, 0, 0, 0, 0]))
    #expect(left.0 > 0 && left.1 == 0)
    let centre = try #require(fold([0, 0, loud, 0, 0, 0]))
    #expect(centre.0 == centre.1 && abs(Double(centre.0) / Double(left.0) - 0.5.squareRoot()) < 1e-6)
    let bass = try #require(fold([0, 0, 0, loud, 0, 0]))
    #expect(bass == (0, 0))
    let behind = try #require(fold([0, 0, 0, 0, 0, loud]))
    #expect(behind.0 == 0 && behind.1 == centre.1)
  }
}
