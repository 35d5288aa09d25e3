import Runtime
import TestSupport
import Testing

@testable import Library

/// What a file says of itself, and what of that can be believed.
@Suite("Lengths, and files that cannot be played")
struct LengthTests {
  /// `bytes` of sound behind a FLAC head that promises so many frames.
  private func flac(frames: Int, rate: Int = 44_100, sound: Int = 1_000) -> [UInt8] {
    let word = rate << 44 | 1 << 41 | 15 << 36 | frames
    let info = Bytes.big(0x1000_1000) + [0, 0, 0, 0, 0, 0] + Bytes.big(word, 8) + [UInt8](repeating: 0, count: 16)
    return Array("fLaC".utf8) + [0x80, 0, 0, 34] + info + [UInt8](repeating: 0x55, count: sound)
  }

  /// An Ogg stream of Opus: its head, its comments, and a last page with that granule.
  private func opus(serial: UInt32, granule: Int64) -> [UInt8] {
    var ogg = OggPages([])
    let head = Array("OpusHead".utf8) + [1, 2] + Bytes.little(312, 2) + Bytes.little(48_000) + [0, 0, 0]
    let comments = Array("OpusTags".utf8) + Bytes.little(0) + Bytes.little(0)
    ogg.pages = [
      OggPages.Page(packet: head, flags: OggPages.Page.first, serial: serial),
      OggPages.Page(packet: comments, serial: serial, sequence: 1),
      OggPages.Page(
        packet: [UInt8](repeating: 0x11, count: 200), flags: OggPages.Page.last, granule: granule, serial: serial,
        sequence: 2),
    ]
    return ogg.bytes
  }

  @Test("a length that so few bytes cannot hold is not believed")
  func impossible() throws {
    #expect(try MadeFile.read(flac(frames: 441_000)).frames == 441_000)
    #expect(try MadeFile.read(flac(frames: 0xF_FFFF_FFFF)).frames == nil)
    #expect(try MadeFile.read(opus(serial: 1, granule: 48_312)).frames == 48_000)
    #expect(try MadeFile.read(opus(serial: 1, granule: 1 << 50)).frames == nil)
    var note = Bytes.frame
    note.replaceSubrange(36..<48, with: Array("Xing".utf8) + Bytes.big(1) + Bytes.big(10_000_000))
    let reckoned = try MadeFile.read(note + Bytes.mpeg(99))
    #expect(reckoned.frames == 115_200)
    note.replaceSubrange(44..<48, with: Bytes.big(99))
    #expect(try MadeFile.read(note + Bytes.mpeg(99)).frames == 99 * 1_152)
  }

  @Test("the length of a chain is not that of its first or its last stream")
  func chain() throws {
    let one = opus(serial: 1, granule: 48_312)
    #expect(try MadeFile.read(one + opus(serial: 2, granule: 96_312)).frames == nil)
  }

  @Test("mu-law and A-law tell their length by their bytes", arguments: [6, 7])
  func packed(codec: Int) throws {
    let format = Bytes.little(codec, 2) + Bytes.little(2, 2) + Bytes.little(8_000) + Bytes.little(16_000)
    let data = [UInt8](repeating: 0x55, count: 32_000)
    let wave =
      Array("WAVEfmt ".utf8) + Bytes.little(16) + format + Bytes.little(2, 2) + Bytes.little(8, 2)
      + Array("data".utf8) + Bytes.little(data.count) + data
    let found = try MadeFile.read(Array("RIFF".utf8) + Bytes.little(wave.count) + wave, name: "a.wav")
    #expect(found.frames == 16_000 && found.rate == 8_000)
    let head = Bytes.big(24) + Bytes.big(0xFFFF_FFFF) + Bytes.big(codec == 7 ? 1 : 27) + Bytes.big(8_000) + Bytes.big(2)
    let sun = try MadeFile.read(Array(".snd".utf8) + head + data, name: "a.au")
    #expect(sun.frames == 16_000 && sun.rate == 8_000 && sun.channels == 2)
  }

  @Test("Ogg behind bytes of no format is found, with its length and its tags")
  func garbage() throws {
    let found = try MadeFile.read(Array("<html>OggS</html>\r\n".utf8) + opus(serial: 1, granule: 48_312))
    #expect(found.codec == "Opus" && found.frames == 48_000)
  }

  @Test("a file that no decoder of ours would play is no music")
  func unplayable() throws {
    var speech = opus(serial: 1, granule: 48_312)
    speech.replaceSubrange(28..<36, with: Array("Unknown!".utf8))
    var silent = opus(serial: 1, granule: 48_312)
    silent[28 + 9] = 0
    let wave = Array("RIFF".utf8) + Bytes.little(40) + Array("WAVEdata".utf8) + Bytes.little(4) + [1, 2, 3, 4]
    let film = Bytes.atom("ftyp", Array("isom".utf8)) + Bytes.atom("moov", []) + Bytes.atom("mdat", [1, 2, 3])
    for (name, bytes) in [
      ("no rate", flac(frames: 100, rate: 0)), ("nothing behind the head", flac(frames: 100, sound: 0)),
      ("an unknown stream", speech), ("no channels", silent), ("no format", wave), ("no sound", film),
    ] {
      let fault = try faultOf { try MadeFile.read(bytes, name: "odd") }
      #expect(fault.code == "L-206" && fault.kind == .unsupported && fault.message.contains("odd"), "\(name): \(fault)")
    }
  }
}
