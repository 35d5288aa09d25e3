import Runtime
import Testing

@testable import bench

@Suite("What a recording is made of")
struct RecordingTests {
  @Test(
    "samples of any form stand with their bits at the top",
    arguments: [
      ([0x00, 0x80, 0xFF, 0x7F], .s16, [.min, 0x7FFF_0000]), ([0x01, 0x00, 0xFF], .s16, [0x1_0000]),
      ([0, 0, 0, 0xBF, 0, 0, 0x80, 0x3F], .f32, [-0x4000_0000, .max]),
      ([0, 0, 0xC0, 0x7F, 0, 0, 0, 0xC1], .f32, [0, .min]), ([], .f32, []),
    ] as [([UInt8], Recording.Form, [Int32])])
  func forms(bytes: [UInt8], form: Recording.Form, samples: [Int32]) {
    #expect(Recording(bytes, as: form).samples == samples)
  }

  private func wave(rate: Int = 44_100, bits: UInt8, _ sound: [UInt8], said: Int? = nil) -> [UInt8] {
    var head = WaveHead.bytes(rate: rate, bytesOfSound: said ?? sound.count)
    head[34] = bits
    return head + sound
  }

  @Test("a WAV file's samples are taken, and no more than its header says or there are")
  func waves() throws {
    let path = FilePath("music.wav")
    let long = try Recording(wave: wave(bits: 24, [1, 2, 3, 4, 5, 0x80, 9]), at: 44_100, from: path)
    #expect(long.samples == [0x0302_0100, Int32(bitPattern: 0x8005_0400)])
    let short = try Recording(wave: wave(bits: 16, [1, 0, 2, 0], said: 2), at: 44_100, from: path)
    #expect(short.samples == [0x1_0000])
    let cut = try Recording(wave: wave(bits: 32, [0, 0, 0, 1], said: 400), at: 44_100, from: path)
    #expect(cut.samples == [0x0100_0000])
  }

  @Test("another rate, another width and another kind of file are refused")
  func refusals() {
    let path = FilePath("music.wav")
    for bytes in [wave(rate: 48_000, bits: 16, []), wave(bits: 8, []), [], Array("RIFF".utf8)] {
      #expect(throws: Fault.self) { try Recording(wave: bytes, at: 44_100, from: path) }
    }
  }

  @Test(
    "what differs is counted, and what is missing on either side",
    arguments: [
      ([1, 2, 3, 4], [1, 2, 3, 4], 0, 0), ([1, 2, 3, 4], [1, 2, 3, 5], 0, 1), ([1, 2, 3, 4], [1, 2, 3, 5], 1, 0),
      ([1, 2, 3, 4], [1, 2], 0, 2), ([1, 2], [1, 2, 3, 4], 9, 2), ([.min, .max], [.max, .min], 0xFFFF_FFFE, 2),
    ] as [([Int32], [Int32], Int64, Int)])
  func differences(ours: [Int32], theirs: [Int32], tolerance: Int64, count: Int) {
    #expect(Recording(samples: ours).differing(from: Recording(samples: theirs), tolerance: tolerance) == count)
  }

  @Test("every format has an encoder and a reference that are told where the files are")
  func formats() {
    for format in GaplessFormat.all {
      var commands = [format.encoder]
      if case .decoder(let words, _, _, _) = format.reference { commands.append(words) }
      for command in commands {
        let words = command.filled(in: FilePath("/from"), out: FilePath("/to"))
        #expect(words.filter { $0 == "/from" }.count == 1 && words.filter { $0 == "/to" }.count == 1)
        #expect(format.programs.contains(words[0]))
      }
    }
  }

  @Test("no piece of the album is a whole number of any format's blocks")
  func pieces() {
    for piece in GaplessBench.pieces {
      for block in [120, 576, 1024, 1152, 2048, 4096] { #expect(piece % block != 0) }
    }
  }
}
