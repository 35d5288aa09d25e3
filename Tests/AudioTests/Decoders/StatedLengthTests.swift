import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Lengths that files state, and where their music begins")
struct StatedLengthTests {
  let folder = TempFolder()
  private var path: FilePath { folder.path / "a" }

  @Test("FLAC: more frames than its bytes can hold are not believed")
  func flac() throws {
    let signal = Signal(frames: 30_000)
    try signal.writeFLAC(path)
    var bytes = try Bytes.read(path)
    // Behind the mark, a block's head, and 13 bytes and a half of the stream's facts: 36 bits.
    bytes[21] |= 0x0F
    for index in 22..<26 { bytes[index] = 0xFF }
    try Bytes.write(bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == nil && !decoder.lengthIsStated)
    #expect(difference(try decoder.readAll(), signal.leftJustified) == nil)
    try decoder.seek(toFrame: 20_000)
    #expect(difference(try decoder.readSome(100), Array(signal.leftJustified[40_000..<40_200])) == nil)
  }

  @Test("Ogg: more frames than its bytes can hold are not believed", arguments: [true, false])
  func ogg(isOpus: Bool) throws {
    let signal = Signal(rate: 48_000, frames: 60_000)
    if isOpus { try signal.writeOpus(path) } else { try signal.writeVorbis(path) }
    var pages = OggPages(try Bytes.read(path))
    pages.pages[pages.pages.count - 1].granule = 1 << 45
    try Bytes.write(pages.bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.length == nil)
    #expect(try decoder.readSome(100_000).count >= 2 * 59_000)
  }

  @Test("MP3: more frames than its bytes can hold are not believed, and the length is reckoned")
  func mp3() throws {
    try Signal(frames: 200_000).writeMP3(path, ["-b", "128"])
    var bytes = try Bytes.read(path)
    let info = bytes.place(of: "Info".utf8)
    bytes.replaceSubrange(info + 8..<info + 12, with: [2, 250, 240, 128])
    try Bytes.write(bytes, to: path)
    let decoder = try openDecoder(path)
    #expect(decoder.length.map { abs($0 - 200_000) < 5_000 } == true && !decoder.lengthIsStated)
    #expect(try decoder.readAll().count >= 2 * 200_000 && decoder.damages == 0)
  }

  @Test("bytes of no format before Ogg are passed over", arguments: [1, 700, 3_000, 50_000])
  func garbage(count: Int) throws {
    for isOpus in [false, true] {
      let signal = Signal(rate: 48_000, frames: 60_000)
      if isOpus { try signal.writeOpus(path) } else { try signal.writeVorbis(path) }
      let bytes = try Bytes.read(path)
      let whole = try openDecoder(path).readAll()
      let text = Array(repeating: Array("<p>Ogg O OggS</p>\n".utf8), count: count / 18 + 1).flatMap { $0 }.prefix(count)
      for before in [[UInt8].noise(count), Array(text)] {
        try Bytes.write(before + bytes, to: path)
        let decoder = try openDecoder(path)
        #expect(decoder.length == 60_000)
        #expect(difference(try decoder.readAll(), whole) == nil && decoder.damages == 0)
        try decoder.seek(toFrame: 0)
        #expect(difference(try decoder.readSome(1_000), Array(whole.prefix(2_000))) == nil)
      }
    }
  }
}
