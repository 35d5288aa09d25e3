import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Resampler")
struct ResamplerTests {
  private func run(_ input: [Int32], from: Int32, to: Int32, parts: () -> Int = { 1_000 }) throws -> [Int32] {
    let resampler = try Resampler(from: from, to: to)
    var heard: [Int32] = []
    var room = [Int32](repeating: 0, count: 2_000)
    var start = 0
    while start < input.count / 2 {
      let count = min(parts(), input.count / 2 - start)
      var done = 0
      while done < count {
        let (used, made) = try input[(2 * (start + done))..<(2 * (start + count))].withUnsafeBufferPointer { part in
          try room.withUnsafeMutableBufferPointer { room in
            guard let part = part.baseAddress, let into = room.baseAddress else { return (0, 0) }
            return try resampler.process(part, count: count - done, into: into, room: 1_000)
          }
        }
        heard += room[..<(2 * made)]
        done += used
      }
      start += count
    }
    while true {
      let made = try room.withUnsafeMutableBufferPointer { room in
        guard let into = room.baseAddress else { return 0 }
        return try resampler.flush(into: into, room: min(1_000, max(1, parts())))
      }
      if made == 0 { return heard }
      heard += room[..<(2 * made)]
    }
  }

  private static let rates: [(Int32, Int32)] = [
    (44_100, 48_000), (48_000, 44_100), (44_100, 96_000), (192_000, 48_000), (8_000, 44_100), (22_050, 44_100),
    (96_000, 44_100), (44_099, 48_000),
  ]

  @Test("as many frames come out as the rates say, rounded", arguments: rates)
  func lengths(from: Int32, to: Int32) throws {
    for frames in [0, 1, 2, 147, 1_001, 5_000] {
      let input = EffectSignals.integers(bits: 16, seed: 1, frames: frames)
      let exact = (Double(frames) * Double(to) / Double(from)).rounded()
      #expect(try run(input, from: from, to: to).count == 2 * Int(exact), "\(frames)")
      #expect(Resampler.length(of: Int64(frames), from: from, to: to) == Int64(exact))
    }
    #expect(Resampler.length(of: .max, from: 8_000, to: 192_000) == .max)
    #expect(Resampler.length(of: -5, from: 8_000, to: 192_000) == 0)
  }

  @Test("a tone stays that tone: whatever else there is lies 120 dB below", arguments: rates)
  func purity(from: Int32, to: Int32) throws {
    let hertz = 1_000.0
    let heard = try run(EffectSignals.tone(hertz, 0.5, rate: from, frames: Int(from) / 2), from: from, to: to)
    // Away from both ends, where the filter hears silence.
    let (start, end) = (Int(to) / 8, Int(to) * 3 / 8)
    var (wrong, right) = (0.0, 0.0)
    for frame in start..<end {
      let exact = 0.5 * sin(2 * .pi * hertz * Double(frame) / Double(to))
      let error = Double(heard[2 * frame]) * 0x1p-31 - exact
      wrong += error * error
      right += exact * exact
      #expect(heard[2 * frame] == heard[2 * frame + 1])
    }
    let ratio = 10 * log10(right / wrong)
    #expect(ratio > 120, "\(ratio) dB")
  }

  @Test("how the input is cut up makes no difference", arguments: [UInt64(1), 2])
  func parts(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for (from, to) in Self.rates.prefix(4) {
      let input = EffectSignals.integers(bits: 24, seed: seed, frames: 4_000)
      let whole = try run(input, from: from, to: to)
      let cut = try run(input, from: from, to: to) { Int.random(in: 1...600, using: &generator) }
      #expect(whole == cut, "seed \(seed), \(from) to \(to)")
    }
  }

  @Test("rates that no music has are refused")
  func refusal() throws {
    #expect(try faultOf { () throws(Fault) in try Resampler(from: 44_100, to: 10) }.code == "A-200")
    #expect(try faultOf { () throws(Fault) in try Resampler(from: 0, to: 44_100) }.code == "A-200")
  }
}

@Suite("Resampled decoder")
struct ResampledDecoderTests {
  private static let sound = EffectSignals.integers(bits: 16, seed: 3, frames: 30_000)

  private func decoder(to rate: Int32, from: Int32 = 44_100) throws -> ResampledDecoder {
    try ResampledDecoder(HeldDecoder(Self.sound, rate: from), rate: rate)
  }

  private func rest(_ decoder: any Decoder, part: Int = 700) throws -> [Int32] {
    var heard: [Int32] = []
    var room = [Int32](repeating: 0, count: 2 * part)
    while true {
      let count = try room.withUnsafeMutableBufferPointer { room in
        guard let into = room.baseAddress else { return 0 }
        return try decoder.read(into: into, count: part)
      }
      if count == 0 { return heard }
      heard += room[..<(2 * count)]
    }
  }

  @Test("it is the inner one at another rate, and passes on what that one says", arguments: [48_000, 96_000, 22_050])
  func whole(rate: Int32) throws {
    let decoder = try decoder(to: rate)
    #expect(decoder.format == AudioFormat(sampleRate: rate, channels: 2, bitsPerSample: 16, lossless: true))
    let length = Resampler.length(of: 30_000, from: 44_100, to: rate)
    #expect(decoder.length == length && decoder.lengthIsStated && decoder.damages == 3)
    #expect(decoder.tags.title == "Held")
    #expect(try rest(decoder).count == 2 * Int(length))
    #expect(try rest(decoder).isEmpty)
  }

  @Test(
    "from any frame on it is the rest of the whole, to -100 dB",
    arguments: [(44_100, 48_000), (96_000, 44_100), (44_100, 88_200), (48_000, 8_000)],
    [UInt64(1), 2])
  func seeking(rates: (Int, Int), seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let whole = try rest(decoder(to: Int32(rates.1), from: Int32(rates.0)))
    let decoder = try decoder(to: Int32(rates.1), from: Int32(rates.0))
    let frames = whole.count / 2
    for place in [0, frames - 1, frames, frames + 10]
      + (0..<6).map({ _ in Int.random(in: 0..<frames, using: &generator) })
    {
      #expect(try decoder.seek(toFrame: Int64(place), unless: { false }))
      let heard = try rest(decoder, part: 777)
      let wanted = place < frames ? Array(whole[(2 * place)...]) : []
      #expect(heard.count == wanted.count, "seed \(seed), \(place)")
      // Every frame, the first ones above all: there the filter has heard least.
      let error = zip(heard, wanted).reduce(0.0) { max($0, abs(Double($1.0) - Double($1.1)) * 0x1p-31) }
      #expect(error < 1e-5, "seed \(seed), \(place): \(error)")
    }
  }

  @Test("a seek that is given up is given up, and a fault comes through")
  func faults() throws {
    let inner = HeldDecoder(Self.sound, rate: 44_100)
    let decoder = try ResampledDecoder(inner, rate: 48_000)
    #expect(try !decoder.seek(toFrame: 20_000, unless: { true }))
    inner.breaksAt = 10_000
    let fresh = try ResampledDecoder(inner, rate: 48_000)
    try inner.seek(toFrame: 0)
    #expect(try faultOf { try rest(fresh) }.code == "T-9")
  }
}

/// Frames that a test holds.
final class HeldDecoder: Decoder {
  let format: AudioFormat
  let length: Int64?
  let lengthIsStated = true
  var tags = Tags()
  let damages = 3
  var breaksAt = Int.max
  private let sound: [Int32]
  private var place = 0

  init(_ sound: [Int32], rate: Int32) {
    self.sound = sound
    format = AudioFormat(sampleRate: rate, channels: 2, bitsPerSample: 16, lossless: true)
    length = Int64(sound.count / 2)
    tags.title = "Held"
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    if place >= breaksAt { throw Fault(.damaged, "T-9", "broken") }
    let count = min(count, sound.count / 2 - place, 1_234)
    for index in 0..<2 * max(count, 0) { frames[index] = sound[2 * place + index] }
    place += count
    return count
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    if shouldStop() { return false }
    place = min(Int(frame), sound.count / 2)
    return true
  }
}
