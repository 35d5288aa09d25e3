import Runtime
import TestSupport
import Testing

@testable import Audio

/// An album that was one recording, cut in seven at odd places: what comes out must be as long as what went in, and
/// in lossless formats the same.
@Suite("Gapless")
struct GaplessTests {
  let folder = TempFolder()

  enum Format: String, CaseIterable, Sendable {
    case flac, oggFLAC, wave, aiff, mp3, vorbis, opus
    var isLossless: Bool { [.flac, .oggFLAC, .wave, .aiff].contains(self) }
  }

  @Test("seven pieces are as long as the whole, and the same where nothing is lost", arguments: Format.allCases)
  func joined(format: Format) throws {
    let rate: Int32 = format == .opus ? 48_000 : 44_100
    let whole = Signal(rate: rate, frames: 150_007)
    let places = [0, 1_153, 20_001, 45_679, 45_679 + 577, 99_991, 131_073, 150_007]
    var heard: [Int32] = []
    for (index, start) in places.dropLast().enumerated() {
      let path = folder.path / "\(index)"
      try whole.slice(start..<places[index + 1]).write(format, to: path, serial: index + 1)
      let decoder = try openDecoder(path)
      #expect(decoder.length == Int64(places[index + 1] - start))
      heard += try decoder.readAll()
      #expect(decoder.damages == 0)
    }
    #expect(heard.count == 2 * 150_007)
    if format.isLossless { #expect(difference(heard, whole.leftJustified) == nil) }
  }

  @Test("iTunes' note does for MP3 what LAME's does, where LAME's is not there")
  func iTunes() throws {
    let signal = Signal(frames: 60_007)
    let path = folder.path / "a.mp3"
    try signal.writeMP3(path, ["-b", "128", "-t"])
    let plain = try Bytes.read(path)
    let raw = try openDecoder(path).readAll()
    #expect(raw.count > 2 * 60_007)
    // LAME puts 576 frames before the music.
    let hex = String(60_007, radix: 16)
    let note = " 00000000 00000240 00000300 0000000000\(hex) 00000000 00000000"
    let tag = ID3Bytes(["TIT2": "Cut", "COMM": "iTunSMPB\u{0}\(note)"]).bytes
    try Bytes.write(tag + plain, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == 60_007 && decoder.lengthIsStated && decoder.tags.title == "Cut")
    let start = 2 * (576 + 529)
    #expect(difference(try decoder.readAll(), Array(raw[start..<start + 2 * 60_007])) == nil)
    let found = try DecoderLaw.seek(path, seed: 37, within: 1 << 16)
    #expect(found == nil)

    // Where LAME says it too, LAME is believed: the note is the same thing said twice.
    try signal.writeMP3(path, ["-b", "128"])
    let own = try openDecoder(path).readAll()
    try Bytes.write(tag + Bytes.read(path), to: path)
    #expect(difference(try openDecoder(path).readAll(), own) == nil)
  }

  @Test("FLAC in Ogg is FLAC: every sample, seeks and tags")
  func oggFLAC() throws {
    let path = folder.path / "a.oga"
    let signal = Signal(bits: 24, frames: 100_003)
    try signal.writeFLAC(path, ["--ogg", "-T", "title=Suite"])
    let decoder = try openDecoder(path)
    #expect(decoder.length == 100_003 && decoder.tags.title == "Suite")
    #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)
    let found = try DecoderLaw.seek(path, seed: 41)
    #expect(found == nil)
  }
}

extension Signal {
  func write(_ format: GaplessTests.Format, to path: FilePath, serial: Int = 1) throws {
    switch format {
    case .flac: try writeFLAC(path)
    case .oggFLAC: try writeFLAC(path, ["--ogg"])
    case .wave: try Bytes.write(WaveBytes(self).bytes, to: path)
    case .aiff: try Bytes.write(AIFFBytes(self, codec: "AIFF").bytes, to: path)
    case .mp3: try writeMP3(path)
    case .vorbis: try writeVorbis(path, serial: serial)
    case .opus: try writeOpus(path, serial: serial)
    }
  }
}
