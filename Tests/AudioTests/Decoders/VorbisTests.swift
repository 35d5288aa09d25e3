import Formats
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Ogg Vorbis")
struct VorbisTests {
  let folder = TempFolder()
  private var path: FilePath { folder.path / "a.ogg" }

  /// oggdec's 16 bits are ours, rounded.
  private func rounded(_ samples: [Int32]) -> [Int32] {
    samples.map { Int32(max(-32_768, min(32_767, (Double($0) / 65_536).rounded(.toNearestOrEven)))) }
  }

  private func peer(_ path: FilePath, channels: Int) throws -> [Int32] {
    stereo(try Peer.oggdec(path).map(Int32.init), channels: channels)
  }

  @Test(
    "every sample is oggdec's own, and there are as many as were encoded",
    arguments: [
      (44_100, 2, ["-q", "4"]), (44_100, 1, ["-q", "0"]), (48_000, 2, ["-q", "10"]), (96_000, 2, ["-q", "2"]),
      (8_000, 1, ["-q", "1"]), (22_050, 2, ["-b", "64"]), (192_000, 2, ["-q", "5"]),
    ])
  func exact(rate: Int, channels: Int, options: [String]) throws {
    try Signal(rate: Int32(rate), channels: channels, frames: 60_007).writeVorbis(path, options)
    let decoder = try openDecoder(path)
    #expect(
      decoder.format
        == AudioFormat(sampleRate: Int32(rate), channels: Int32(channels), bitsPerSample: 24, lossless: false))
    #expect(decoder.length == 60_007)
    let all = try decoder.readAll()
    #expect(all.count == 2 * 60_007 && decoder.damages == 0)
    #expect(difference(rounded(all), try peer(path, channels: channels), within: Self.rounding) == nil)
  }

  /// Halves go up in libvorbis for arm64, and to the even number in that for x86-64.
  private static var rounding: Int64 {
    #if arch(arm64)
      1
    #else
      0
    #endif
  }

  @Test(
    "short ones are as long as they were: none, one frame, less than a block", arguments: [1, 2, 63, 64, 700, 5_000])
  func short(frames: Int) throws {
    try Signal(frames: frames).writeVorbis(path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == Int64(frames))
    #expect(try decoder.readAll().count == 2 * frames)
  }

  @Test("a seek gives the very frame, forwards and backwards, and portions change nothing")
  func seeking() throws {
    try Signal(frames: 200_003).writeVorbis(path)
    let found = try DecoderLaw.seek(path, seed: 13)
    #expect(found == nil)
    try Signal(channels: 1, frames: 40_003).writeVorbis(path)
    let other = try DecoderLaw.portions(path)
    #expect(other == nil)
  }

  @Test("what the last granule cuts off is not heard", arguments: [1, 500, 1_000])
  func lastGranule(cut: Int) throws {
    try Signal(frames: 100_000).writeVorbis(path)
    let whole = try openDecoder(path).readAll()
    var pages = OggPages(try Bytes.read(path))
    pages.pages[pages.pages.count - 1].granule -= Int64(cut)
    try Bytes.write(pages.bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == Int64(100_000 - cut))
    #expect(difference(try decoder.readAll(), Array(whole.dropLast(2 * cut))) == nil)
    let found = try DecoderLaw.seek(path, seed: 17, seeks: 10)
    #expect(found == nil)
  }

  @Test(
    "granules that do not begin at nought move nothing: a part of a broadcast", arguments: [1, 64, 70_000, 1 << 40])
  func lateGranules(offset: Int64) throws {
    try Signal(frames: 600_000).writeVorbis(path)
    let whole = try openDecoder(path).readAll()
    var pages = OggPages(try Bytes.read(path))
    for index in pages.pages.indices where pages.pages[index].granule > 0 { pages.pages[index].granule += offset }
    try Bytes.write(pages.bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == 600_000)
    #expect(difference(try decoder.readAll(), whole) == nil)
    let found = try DecoderLaw.seek(path, seed: 17, seeks: 60, reading: 100)
    #expect(found == nil)
  }

  @Test("granules that cut into the first page do what they do in oggdec", arguments: [1, 500, 1_000])
  func earlyGranules(cut: Int64) throws {
    try Signal(frames: 100_000).writeVorbis(path)
    var pages = OggPages(try Bytes.read(path))
    for index in pages.pages.indices where pages.pages[index].granule > 0 { pages.pages[index].granule -= cut }
    try Bytes.write(pages.bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == 100_000 - cut)
    #expect(difference(rounded(try decoder.readAll()), try peer(path, channels: 2), within: Self.rounding) == nil)
  }

  @Test("a chain of streams is one track; other channels and other rates are followed")
  func chains() throws {
    let rates: [(Int32, Int)] = [(44_100, 2), (44_100, 1), (44_100, 6), (44_100, 2)]
    var bytes: [UInt8] = []
    var parts: [[Int32]] = []
    for (index, (rate, channels)) in rates.enumerated() {
      let part = folder.path / "\(index).ogg"
      try Signal(rate: rate, channels: channels, frames: 20_000 + index, seed: UInt64(index + 1))
        .writeVorbis(part, serial: index + 1)
      parts.append(try openDecoder(part).readAll())
      bytes += try Bytes.read(part)
    }
    try Bytes.write(bytes, to: path)
    let decoder = try openDecoder(path)
    let all = try decoder.readAll()
    #expect(decoder.length == 80_006 && decoder.damages == 0)
    #expect(difference(all, parts.flatMap { $0 }) == nil)
    let found = try DecoderLaw.seek(path, seed: 19)
    #expect(found == nil)

    let slow = folder.path / "slow.ogg"
    try Signal(rate: 22_050, frames: 5_000).writeVorbis(slow, serial: 77)
    let after = folder.path / "after.ogg"
    try Signal(frames: 5_000).writeVorbis(after, serial: 78)
    try Bytes.write(bytes + Bytes.read(slow) + Bytes.read(after), to: path)
    let joined = try openDecoder(path)
    #expect(joined.length == 95_006)
    let whole = try joined.readAll()
    #expect(joined.damages == 0)
    #expect(whole.count == 2 * 95_006)
    #expect(difference(Array(whole.prefix(all.count)), all) == nil)
    #expect(difference(Array(whole.suffix(10_000)), try openDecoder(after).readAll()) == nil)
    let half = try openDecoder(slow)
    let resampled = try ResampledDecoder(half, rate: 44_100).readAll()
    #expect(difference(Array(whole.dropFirst(all.count).prefix(resampled.count)), resampled) == nil)
    let wrong = try DecoderLaw.seek(path, seed: 43, within: 1 << 12)
    #expect(wrong == nil)

    // Of a stream that is still coming the chain is found on the way.
    let loop = try EventLoop("line")
    try loop.start()
    let coming = try openDecoder(SlowLine(Bytes.read(path), on: loop))
    let came = difference(try coming.readAll(), whole)
    #expect(came == nil)
    #expect(coming.damages == 0)
  }

  @Test("three and more channels are folded, each to its own side", arguments: 3...8)
  func folded(channels: Int) throws {
    try Signal(channels: channels, frames: 10_000).writeVorbis(path, ["-q", "9"])
    let peer = try Peer.oggdec(path)
    let half = 0.5.squareRoot()
    // Weights of the left side by Vorbis' order: left, centre, right, the sides, behind, bass.
    let left: [[Double]] = [
      [1, half, 0], [1, 0, half, 0], [1, half, 0, half, 0], [1, half, 0, half, 0, 0], [1, half, 0, half, 0, 0.5, 0],
      [1, half, 0, half, 0, half, 0, 0],
    ]
    let right: [[Double]] = [
      [0, half, 1], [0, 1, 0, half], [0, half, 1, 0, half], [0, half, 1, 0, half, 0], [0, half, 1, 0, half, 0.5, 0],
      [0, half, 1, 0, half, 0, half, 0],
    ]
    let sum = left[channels - 3].reduce(0, +)
    let all = try openDecoder(path).readAll()
    #expect(all.count == 20_000)
    var worst = 0.0
    for frame in 0..<10_000 {
      for (side, weights) in [left[channels - 3], right[channels - 3]].enumerated() {
        let expected = (0..<channels).reduce(0.0) { $0 + weights[$1] * Double(peer[frame * channels + $1]) } / sum
        worst = max(worst, abs(Double(all[2 * frame + side]) / 65_536 - expected))
      }
    }
    #expect(worst < 1, "\(worst) steps of 16 bits")
  }

  @Test("tags are read, with several artists and what they say of loudness")
  func tags() throws {
    try Signal(frames: 2_000).writeVorbis(
      path,
      ["--utf8", "-t", "Präludium", "-a", "Anna", "-c", "artist=Bea", "-l", "Suite", "-N", "3"]
        + ["-c", "REPLAYGAIN_TRACK_GAIN=-6.54 dB", "-c", "replaygain_track_peak=0.988"])
    let tags = try openDecoder(path).tags
    #expect(tags.title == "Präludium" && tags.artist == "Bea; Anna" && tags.album == "Suite" && tags.trackNumber == 3)
    #expect(tags.loudness == LoudnessFacts(trackGain: -6.54, trackPeak: 0.988))
  }

  @Test("a torn page costs its frames and is counted once")
  func damaged() throws {
    try Signal(frames: 400_000).writeVorbis(path)
    var bytes = try Bytes.read(path)
    for index in bytes.count / 2..<bytes.count / 2 + 300 { bytes[index] = 0x55 }
    try Bytes.write(bytes, to: path)
    let decoder = try openDecoder(path)
    let heard = try decoder.readAll()
    #expect(decoder.damages == 1 && heard.count > 2 * 300_000 && heard.count <= 2 * 400_000)
  }
}
