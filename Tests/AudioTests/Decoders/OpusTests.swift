import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Opus")
struct OpusTests {
  let folder = TempFolder()
  private var path: FilePath { folder.path / "a.opus" }

  private func peer(_ path: FilePath, channels: Int) throws -> [Int32] {
    stereo(try Peer.opusdec(path), channels: channels).map { sample in
      Int32(max(-2_147_483_648, min(2_147_483_647, (Double(sample) * 2_147_483_648).rounded(.toNearestOrEven))))
    }
  }

  @Test(
    "every sample is opusdec's own, and there are as many as were encoded",
    arguments: [
      (2, ["--bitrate", "128"]), (1, ["--bitrate", "32"]), (2, ["--bitrate", "16", "--speech"]),
      (2, ["--bitrate", "96", "--framesize", "2.5"]), (1, ["--bitrate", "24", "--framesize", "60"]),
      (2, ["--hard-cbr", "--bitrate", "256"]),
    ])
  func exact(channels: Int, options: [String]) throws {
    try Signal(rate: 48_000, channels: channels, frames: 60_007).writeOpus(path, options)
    let decoder = try openDecoder(path)
    #expect(
      decoder.format
        == AudioFormat(sampleRate: 48_000, channels: Int32(channels), bitsPerSample: 24, lossless: false))
    #expect(decoder.length == 60_007)
    let all = try decoder.readAll()
    #expect(all.count == 2 * 60_007 && decoder.damages == 0)
    #expect(difference(all, try peer(path, channels: channels)) == nil)
  }

  @Test("what is heard is in time with what was encoded: the pre-skip is left out, and nothing more")
  func inTime() throws {
    let signal = Signal(rate: 48_000, channels: 1, frames: 30_000)
    try signal.writeOpus(path, ["--bitrate", "256"])
    let heard = try openDecoder(path).readAll()
    let original = signal.leftJustified
    /// How well the two fit when one is moved by so many frames.
    func fit(_ shift: Int) -> Double {
      (5_000..<25_000).reduce(0.0) {
        $0 + Double(heard[2 * ($1 + shift)]) / 2_147_483_648 * Double(original[2 * $1]) / 2_147_483_648
      }
    }
    #expect((-30...30).max { fit($0) < fit($1) } == 0)
  }

  @Test("short ones are as long as they were", arguments: [1, 2, 119, 120, 959, 5_000])
  func short(frames: Int) throws {
    try Signal(rate: 48_000, frames: frames).writeOpus(path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == Int64(frames))
    #expect(try decoder.readAll().count == 2 * frames)
  }

  /// What Opus keeps of the past fades; in its mode for speech, slower.
  @Test(
    "a seek gives the very frame, its sound as near to straight decoding as Opus can",
    arguments: [(["--bitrate", "128"], -70.0), (["--bitrate", "20", "--speech"], -40.0)])
  func seeking(options: [String], decibels: Double) throws {
    try Signal(rate: 48_000, frames: 200_003).writeOpus(path, options)
    let found = try DecoderLaw.seek(path, seed: 23, within: Int64(pow(10, decibels / 20) * 2_147_483_648))
    #expect(found == nil)
  }

  @Test("portions change nothing")
  func portions() throws {
    try Signal(rate: 48_000, channels: 1, frames: 40_003).writeOpus(path)
    let found = try DecoderLaw.portions(path)
    #expect(found == nil)
  }

  @Test("the header's gain is applied, as in opusdec, and the gains of the tags are not", arguments: [-1_536, 700])
  func headerGain(gain: Int) throws {
    try Signal(rate: 48_000, frames: 20_000).writeOpus(path, ["--comment", "R128_TRACK_GAIN=-1280"])
    let plain = try openDecoder(path).readAll()
    var pages = OggPages(try Bytes.read(path))
    let word = UInt16(bitPattern: Int16(gain))
    pages.pages[0].body[16] = UInt8(truncatingIfNeeded: word)
    pages.pages[0].body[17] = UInt8(truncatingIfNeeded: word >> 8)
    try Bytes.write(pages.bytes, to: path)
    let decoder = try openDecoder(path)
    let heard = try decoder.readAll()
    #expect(difference(heard, try peer(path, channels: 2)) == nil)
    let factor = pow(10, Double(gain) / 20 / 256)
    let index = 1_002
    #expect(abs(Double(heard[index]) - Double(plain[index]) * factor) < 65_536)
    #expect(decoder.tags.loudness == LoudnessFacts(trackGain: 0))
  }

  @Test("a chain of streams is one track, and other channels are followed")
  func chains() throws {
    var bytes: [UInt8] = []
    var parts: [[Int32]] = []
    for (index, channels) in [2, 1, 6, 2].enumerated() {
      let part = folder.path / "\(index).opus"
      try Signal(rate: 48_000, channels: channels, frames: 20_000 + index, seed: UInt64(index + 1))
        .writeOpus(part, serial: index + 1)
      parts.append(try openDecoder(part).readAll())
      bytes += try Bytes.read(part)
    }
    try Bytes.write(bytes, to: path)
    let decoder = try openDecoder(path)
    let all = try decoder.readAll()
    #expect(decoder.length == 80_006 && decoder.damages == 0)
    #expect(difference(all, parts.flatMap { $0 }) == nil)
  }

  @Test("three and more channels are folded by Vorbis' order", arguments: [3, 6, 8])
  func folded(channels: Int) throws {
    try Signal(rate: 48_000, channels: channels, frames: 10_000).writeOpus(path, ["--bitrate", "512"])
    let peer = try Peer.opusdec(path)
    let all = try openDecoder(path).readAll()
    #expect(all.count == 20_000)
    let half = 0.5.squareRoot()
    let left: [Int: [Double]] = [3: [1, half, 0], 6: [1, half, 0, half, 0, 0], 8: [1, half, 0, half, 0, half, 0, 0]]
    let weights = try #require(left[channels])
    let sum = weights.reduce(0, +)
    var worst = 0.0
    for frame in 0..<10_000 {
      let expected =
        (0..<channels).reduce(0.0) { $0 + weights[$1] * max(-1, min(1, Double(peer[frame * channels + $1]))) } / sum
      worst = max(worst, abs(Double(all[2 * frame]) / 2_147_483_648 - expected))
    }
    #expect(worst < 1e-6)
  }

  @Test("tags are read, and a torn page is counted once")
  func tagsAndDamage() throws {
    try Signal(rate: 48_000, frames: 400_000).writeOpus(
      path, ["--title", "Präludium", "--artist", "Anna", "--album", "Suite", "--comment", "tracknumber=3"])
    let tags = try openDecoder(path).tags
    #expect(tags.title == "Präludium" && tags.artist == "Anna" && tags.album == "Suite" && tags.trackNumber == 3)
    var bytes = try Bytes.read(path)
    for index in bytes.count / 2..<bytes.count / 2 + 300 { bytes[index] = 0x55 }
    try Bytes.write(bytes, to: path)
    let decoder = try openDecoder(path)
    let heard = try decoder.readAll()
    #expect(decoder.damages == 1 && heard.count > 2 * 300_000 && heard.count <= 2 * 400_000)
  }
}
