import Formats
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("WAV")
struct WaveTests {
  let folder = TempFolder()
  private var path: FilePath { folder.path / "a.wav" }

  @Test(
    "every sample is the source's, whatever the depth, rate and channels",
    arguments: [
      (8, 1, 8_000), (8, 2, 44_100), (12, 2, 44_100), (16, 1, 44_100), (16, 2, 48_000), (20, 2, 48_000),
      (24, 2, 96_000), (24, 1, 192_000), (32, 2, 44_100), (32, 1, 768_000),
    ])
  func exact(bits: Int, channels: Int, rate: Int) throws {
    let signal = Signal(rate: Int32(rate), channels: channels, bits: bits, frames: 20_011)
    try Bytes.write(WaveBytes(signal).bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(
      decoder.format
        == AudioFormat(
          sampleRate: Int32(rate), channels: Int32(channels), bitsPerSample: Int32(bits), lossless: true))
    #expect(decoder.length == 20_011 && decoder.lengthIsStated)
    #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)
    #expect(try decoder.readAll().isEmpty && decoder.damages == 0)
  }

  @Test("fewer bits than the bytes could hold stand at the top", arguments: [(20, 3), (24, 4), (12, 2), (16, 4)])
  func wideSamples(bits: Int, width: Int) throws {
    let signal = Signal(bits: bits, frames: 1_000)
    var wave = WaveBytes(signal, width: width)
    for extensible in [false, true] {
      wave.extensible = extensible
      try Bytes.write(wave.bytes, to: path)
      let decoder = try openDecoder(path)
      #expect(decoder.format.bitsPerSample == Int32(bits))
      #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)
    }
  }

  @Test("floats of 24 bits are exact; what is no number is silence, what is too loud is cut", arguments: [4, 8])
  func floats(width: Int) throws {
    let signal = Signal(bits: 24, frames: 10_000)
    try Bytes.write(WaveBytes(signal, floats: width).bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.format.bitsPerSample == Int32(8 * width))
    #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)

    var odd = WaveBytes(Signal(channels: 1, frames: 8), floats: width)
    let values: [Double] = [.nan, .infinity, -.infinity, 1, -1, 1e30, -1e30, .signalingNaN]
    odd.data = values.flatMap { value -> [UInt8] in
      let word = width == 4 ? UInt64(Float(value).bitPattern) : value.bitPattern
      return (0..<width).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
    try Bytes.write(odd.bytes, to: path)
    let heard = try openDecoder(path).readAll()
    let most = Int32.max
    #expect(heard == [0, 0, 0, most, .min, most, .min, 0].flatMap { [$0, $0] })
  }

  @Test("what ffmpeg writes is read as ffmpeg reads it", arguments: ["pcm_u8", "pcm_s24le", "pcm_f32le", "pcm_f64le"])
  func ffmpeg(codec: String) throws {
    let flac = folder.path / "a.flac"
    let signal = Signal(bits: codec == "pcm_u8" ? 8 : 24, frames: 30_000)
    try signal.writeFLAC(flac)
    try Tool.run("ffmpeg", ["-v", "error", "-y", "-i", "\(flac)", "-c:a", codec, "\(path)"])
    #expect(difference(try openDecoder(path).readAll(), signal.leftJustified) == nil)
    // RF64, as for more than 4 GB; and into a pipe, which leaves all lengths open.
    try Tool.run("ffmpeg", ["-v", "error", "-y", "-i", "\(flac)", "-c:a", codec, "-rf64", "always", "\(path)"])
    let long = try openDecoder(path)
    #expect(long.length == 30_000 && long.lengthIsStated)
    #expect(difference(try long.readAll(), signal.leftJustified) == nil)
    let fifo = ["-c", "ffmpeg -v error -i \(flac) -c:a \(codec) -f wav - > \(path)"]
    try Tool.run("bash", fifo)
    let open = try openDecoder(path)
    #expect(open.length == 30_000 && !open.lengthIsStated)
    #expect(difference(try open.readAll(), signal.leftJustified) == nil && open.damages == 0)
  }

  @Test("chunks come in any order, padded or not, and what is unknown is passed over")
  func chunks() throws {
    let signal = Signal(channels: 1, bits: 8, frames: 1_001)
    var wave = WaveBytes(signal)
    let names: [[(String, [UInt8])]] = [
      [("data", wave.data), ("fmt ", wave.format)], [("junk", [1, 2, 3]), ("fmt ", wave.format), ("data", wave.data)],
      [("fmt ", wave.format), ("LIST", WaveBytes.info(["INAM": "Title", "IART": "Anna"])), ("data", wave.data)],
      [("fmt ", wave.format), ("data", wave.data), ("LIST", WaveBytes.info(["INAM": "Title", "IART": "Anna"]))],
    ]
    for chunks in names {
      for padded in [true, false] {
        wave.chunks = chunks
        wave.padded = padded
        try Bytes.write(wave.bytes, to: path)
        let decoder = try openDecoder(path)
        #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)
        let hasTags = chunks.contains { $0.0 == "LIST" }
        #expect(decoder.tags.title == (hasTags ? "Title" : nil) && decoder.tags.artist == (hasTags ? "Anna" : nil))
      }
    }
  }

  @Test(
    "a length of nothing or of too much means to the end of the file; only a real one can have been cut off",
    arguments: [
      (UInt32(0), false), (0xFFFF_FFFF, false), (0x7FFF_F000, false), (1_000_000, true),
    ])
  func lengths(length: UInt32, cutOff: Bool) throws {
    let signal = Signal(frames: 5_000)
    var wave = WaveBytes(signal)
    wave.dataLength = length
    wave.outerLength = 0
    try Bytes.write(wave.bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == 5_000 && !decoder.lengthIsStated)
    #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)
    #expect(decoder.damages == (cutOff ? 1 : 0))
  }

  @Test("a file that honestly holds nothing gives nothing, what follows included")
  func empty() throws {
    var wave = WaveBytes(Signal(frames: 0))
    wave.chunks = [("fmt ", wave.format), ("data", []), ("LIST", WaveBytes.info(["INAM": "Nothing"]))]
    try Bytes.write(wave.bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == 0 && decoder.tags.title == "Nothing")
    #expect(try decoder.readAll().isEmpty && decoder.damages == 0)
  }

  @Test("six channels are folded by the mask, whichever way round they stand")
  func masks() throws {
    // Left, right, centre and bass; and the same with sides in place of centre and bass.
    let loud: Int32 = 16_384
    for (mask, samples, expected) in [
      (UInt32(0x0F), [loud, 0, 0, 0], (true, false)), (0x0F, [0, 0, loud, 0], (true, true)),
      (0x0F, [0, 0, 0, loud], (false, false)), (0x603, [0, 0, 0, loud], (false, true)),
      (0x33, [0, 0, loud, 0], (true, false)),
    ] {
      var signal = Signal(channels: 4, frames: 1)
      signal.samples = samples
      var wave = WaveBytes(signal)
      wave.extensible = true
      wave.mask = mask
      try Bytes.write(wave.bytes, to: path)
      let heard = try openDecoder(path).readAll()
      #expect((heard[0] > 0, heard[1] > 0) == expected, "mask \(mask), \(samples)")
    }
  }

  @Test("an ID3 tag inside is trusted more than LIST")
  func tags() throws {
    let tag = ID3Bytes(["TIT2": "From ID3", "TXXX": "REPLAYGAIN_TRACK_GAIN\u{0}+1.5 dB"]).bytes
    var wave = WaveBytes(Signal(frames: 100))
    wave.chunks = [
      ("fmt ", wave.format), ("data", wave.data), ("LIST", WaveBytes.info(["INAM": "From LIST", "IART": "Anna"])),
      ("id3 ", tag),
    ]
    try Bytes.write(wave.bytes, to: path)
    let tags = try openDecoder(path).tags
    #expect(tags.title == "From ID3" && tags.artist == "Anna" && tags.loudness.trackGain == 1.5)
  }

  @Test("a seek gives the very frame, and portions change nothing")
  func seeking() throws {
    try Bytes.write(WaveBytes(Signal(bits: 24, frames: 50_003)).bytes, to: path)
    let found = try DecoderLaw.seek(path, seed: 29)
    #expect(found == nil)
    let other = try DecoderLaw.portions(path)
    #expect(other == nil)
  }
}

@Suite("AIFF")
struct AIFFTests {
  let folder = TempFolder()
  private var path: FilePath { folder.path / "a.aiff" }

  @Test(
    "every sample is the source's, whatever the depth, rate and codec",
    arguments: [
      (8, 1, 8_000, "NONE"), (12, 2, 44_100, "NONE"), (16, 2, 44_100, "AIFF"), (16, 2, 44_100, "sowt"),
      (24, 2, 192_000, "NONE"), (24, 2, 48_000, "in24"), (32, 2, 96_000, "in32"), (24, 1, 22_050, "42ni"),
      (32, 2, 44_100, "23ni"), (24, 2, 44_100, "fl32"), (24, 2, 44_100, "FL64"), (8, 2, 11_025, "raw "),
    ])
  func exact(bits: Int, channels: Int, rate: Int, codec: String) throws {
    let signal = Signal(rate: Int32(rate), channels: channels, bits: bits, frames: 20_011)
    try Bytes.write(AIFFBytes(signal, codec: codec).bytes, to: path)
    let decoder = try openDecoder(path)
    let said: Int32 = codec == "fl32" ? 32 : codec == "FL64" ? 64 : Int32(bits)
    #expect(
      decoder.format
        == AudioFormat(sampleRate: Int32(rate), channels: Int32(channels), bitsPerSample: said, lossless: true))
    #expect(decoder.length == 20_011 && decoder.lengthIsStated)
    #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)
    #expect(try decoder.readAll().isEmpty && decoder.damages == 0)
  }

  @Test("what ffmpeg writes is read", arguments: ["pcm_s16be", "pcm_s16le", "pcm_s24be", "pcm_f32be", "pcm_f64be"])
  func ffmpeg(codec: String) throws {
    let flac = folder.path / "a.flac"
    let signal = Signal(bits: codec.contains("16") ? 16 : 24, frames: 30_000)
    try signal.writeFLAC(flac)
    try Tool.run("ffmpeg", ["-v", "error", "-y", "-i", "\(flac)", "-c:a", codec, "\(path)"])
    #expect(difference(try openDecoder(path).readAll(), signal.leftJustified) == nil)
  }

  @Test("text chunks and an ID3 tag are read, the tag trusted more")
  func tags() throws {
    var file = AIFFBytes(Signal(frames: 100), codec: "AIFF")
    file.extra = [("NAME", Array("Title".utf8)), ("AUTH", Array("Anna".utf8)), ("ANNO", Array("Nice".utf8))]
    try Bytes.write(file.bytes, to: path)
    let tags = try openDecoder(path).tags
    #expect(tags.title == "Title" && tags.artist == "Anna" && tags.values("COMMENT") == ["Nice"])
    file.extra.append(("ID3 ", ID3Bytes(["TIT2": "From ID3", "TALB": "Suite"]).bytes))
    try Bytes.write(file.bytes, to: path)
    let both = try openDecoder(path).tags
    #expect(both.title == "From ID3" && both.artist == "Anna" && both.album == "Suite")
  }

  @Test("a seek gives the very frame, and portions change nothing")
  func seeking() throws {
    try Bytes.write(AIFFBytes(Signal(bits: 24, frames: 50_003), codec: "AIFF").bytes, to: path)
    let found = try DecoderLaw.seek(path, seed: 31)
    #expect(found == nil)
    let other = try DecoderLaw.portions(path)
    #expect(other == nil)
  }
}
