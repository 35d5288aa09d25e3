import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Outputs")
struct OutputTests {
  let folder = TempFolder()

  @Test("names are understood, or refused with what is expected")
  func names() throws {
    #expect(SoundOutput("null") == .null)
    #expect(SoundOutput("null:fast") == .nullFast)
    #expect(SoundOutput("alsa:hw:0,0") == .alsa(device: "hw:0,0"))
    #expect(SoundOutput("file:/tmp/a.wav") == .file(FilePath("/tmp/a.wav")))
    for wrong in ["", "alsa", "alsa:", "file:a.mp3", "file:", "null:", "nul", "pulse:x"] {
      #expect(SoundOutput(wrong) == nil, "\(wrong)")
    }
    for text in ["null", "null:fast", "alsa:default", "file:x.wav"] { #expect(SoundOutput(text)?.description == text) }
  }

  @Test("a recording whose writer was killed is valid, up to a few seconds before")
  func killed() throws {
    let path = folder.path / "a.wav"
    let output = WaveOutput(path)
    try output.open(rate: 8_000, bits: 16)
    let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 16_000)
    defer { frames.deallocate() }
    for sample in 0..<16_000 { frames[sample] = Int32(sample) << 16 }
    for second in 1...11 {
      #expect(try output.write(frames, count: 8_000) == 8_000)
      // As it would be found now.
      let found = try Wave(path)
      #expect(found.declared == found.samples.count * 2)
      #expect(found.samples.count / 2 >= (second - 4) * 8_000 && found.rate == 8_000)
    }
    try output.close()
    #expect(try Wave(path).samples.count == 11 * 16_000)
  }

  @Test("fewer bits are rounded to the nearest and never wrap")
  func rounding() {
    let samples: [Int32] = [.max, .min, 0x7FFF_0000, 0x0000_7FFF, 0x0000_8000, -0x8000, -0x8001]
    var noise = DitherNoise()
    func written(_ width: Int) -> [Int32] {
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * samples.count)
      defer { bytes.deallocate() }
      samples.withUnsafeBufferPointer { source in
        if let start = source.baseAddress {
          SampleWriter.write(start, samples: samples.count, width: width, into: bytes, bits: 16, noise: &noise)
        }
      }
      return samples.indices.map { index in
        let value = (0..<width).reduce(UInt32(0)) { $0 | UInt32(bytes[index * width + $1]) << UInt32(8 * $1) }
        return Int32(bitPattern: value << UInt32(32 - 8 * width)) >> Int32(32 - 8 * width)
      }
    }
    #expect(written(2) == [32_767, -32_768, 32_767, 0, 1, 0, -1])
    #expect(written(3)[...2] == [8_388_607, -8_388_608, 0x7FFF00])
    #expect(written(4) == samples)
  }

  @Test("null plays as fast as the clock, gives back what is not yet near, and counts what came too late")
  func null() throws {
    // Unchecked: touched on this test's own thread.
    final class Hand: @unchecked Sendable { var moment = Moment(nanoseconds: 5_000_000_000) }
    let clock = Hand()
    let output = NullOutput { clock.moment }
    output.open(rate: 48_000, bits: 16)
    let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * 200_000)
    frames.initialize(repeating: 0, count: 400_000)
    defer { frames.deallocate() }
    #expect(output.write(frames, count: 200_000) == 96_000)
    clock.moment = clock.moment + .milliseconds(500)
    #expect(output.delay() == 72_000 && output.room() == 24_000)
    #expect(output.rewind(1_000) == 1_000 && output.delay() == 71_000)
    #expect(output.rewind(.max) == 71_000 - 960 && output.delay() == 960)
    clock.moment = clock.moment + .seconds(1)
    #expect(output.delay() == 0)
    #expect(output.write(frames, count: 10) == 10 && output.underruns == 1 && output.delay() == 10)
  }

  @Test("ALSA: what is done after each refusal")
  func recovery() {
    let table: [(Int32, ALSARecovery)] = [
      (EAGAIN, .again), (EINTR, .again), (EPIPE, .prepare(isUnderrun: true)), (EBADFD, .prepare(isUnderrun: false)),
      (ESTRPIPE, .resume), (ENODEV, .gone), (ENOSYS, .gone), (EIO, .gone),
    ]
    for (number, recovery) in table { #expect(ALSARecovery.after(-number) == recovery, "\(number)") }
    let resumed: [(Int32, ALSARecovery)] = [
      (0, .again), (EAGAIN, .wait), (EINTR, .wait), (ENODEV, .gone), (ENOSYS, .prepare(isUnderrun: false)),
      (EPIPE, .prepare(isUnderrun: false)), (EBADFD, .prepare(isUnderrun: false)),
      (ESTRPIPE, .prepare(isUnderrun: false)),
    ]
    for (number, recovery) in resumed { #expect(ALSARecovery.afterResume(-number) == recovery, "\(number)") }
  }

  /// One after the other: ALSA finds its devices by the process's environment.
  @Test(
    "ALSA: what its file device captures are the file's samples, in each format", .serialized,
    arguments: ["S32_LE", "S16_LE"])
  func alsa(format: String) throws {
    let signal = Signal(frames: 50_000)
    let raw = folder.path / "out.raw"
    let width = format == "S32_LE" ? 4 : 2
    let path = folder.path / "a.flac"
    try signal.writeFLAC(path)
    let configuration = """
      pcm.capture {
        type plug
        slave.pcm {
          type file
          slave.pcm { type null }
          file "\(raw)"
          format "raw"
        }
        slave.format \(format)
      }
      """
    try Bytes.write(Array(configuration.utf8), to: folder.path / "asound.conf")
    setenv("ALSA_CONFIG_PATH", "\(folder.path)/asound.conf", 1)
    let output = ALSAOutput(device: "capture")
    try output.open(rate: 44_100, bits: 16)
    let decoder = try openDecoder(path)
    let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2_000)
    defer { frames.deallocate() }
    while true {
      let count = try decoder.read(into: frames, count: 1_000)
      if count == 0 { break }
      var done = 0
      while done < count { done += try output.write(frames + 2 * done, count: count - done) }
    }
    output.close()
    let bytes = try Bytes.read(raw)
    let captured = stride(from: 0, to: bytes.count - bytes.count % width, by: width).map { at in
      let value = (0..<width).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
      return Int32(bitPattern: value << UInt32(32 - 8 * width))
    }
    #expect(difference(Array(captured.prefix(100_000)), signal.leftJustified) == nil)
    #expect(throws: Fault.self) { try ALSAOutput(device: "nowhere").open(rate: 44_100, bits: 16) }
  }
}
