import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Broken tags")
struct BrokenTagsTests {
  /// Whatever is in it, there is an answer; and it keeps its laws.
  private func survives(_ bytes: [UInt8], name: String = "x.mp3", size: Int64? = nil) {
    guard let found = try? MadeFile.read(bytes, name: name, size: size) else { return }
    #expect(
      found.audio.lowerBound >= 0 && found.audio.upperBound <= Int64(bytes.count), "\(found.audio) \(bytes.count)")
    for place in found.art { #expect(place.offset + Int64(place.length) <= Int64(bytes.count)) }
    for text in [found.title, found.album].compactMap({ $0 }) { #expect(text.unicodeScalars.count <= 500) }
    #expect(found.artists.count + found.genres.count <= 200)
  }

  @Test("tags that say they are 2 GB long")
  func hugeTags() throws {
    let title = Bytes.text(3, "TIT2", 0, Array("Air".utf8))
    for version: UInt8 in [2, 3, 4] {
      for flags: UInt8 in [0, 0x40, 0x80, 0xC0, 0x10] {
        survives(Bytes.id3(version, flags: flags, title, length: 0x0FFF_FFFF) + Bytes.mpeg())
      }
    }
    survives(Bytes.id3(3, Array("TIT2".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x41]) + Bytes.mpeg())
    survives(
      Bytes.mpeg() + Array("APETAGEX".utf8) + Bytes.little(2_000) + [UInt8](repeating: 0xFF, count: 16)
        + Bytes.little(0, 8))
    let comments = Bytes.little(0xFFFF_FFFF) + Bytes.little(0xFFFF_FFFF)
    survives(Array("fLaC".utf8) + [0x84] + Bytes.big(comments.count, 3) + comments)
    let many = Bytes.little(0) + Bytes.little(0xFFFF_FFFF) + [UInt8](repeating: 0, count: 60_000)
    survives(Array("fLaC".utf8) + [0x84] + Bytes.big(many.count, 3) + many)
  }

  @Test("atoms of length 0, 1, 7 and 2^63, and within themselves")
  func atoms() {
    let start = Bytes.atom("ftyp", Array("M4A ".utf8))
    for length in [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 7], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
      for name in ["moov", "mdat", "free"] {
        let head = length + Array(name.utf8)
        survives(start + head, name: "x.m4a")
        survives(start + head + Bytes.big(0x7FFF_FFFF) + Bytes.big(0xFFFF_FFFF) + [1, 2, 3], name: "x.m4a")
        survives(start + head + [0x80, 0, 0, 0, 0, 0, 0, 0] + [1, 2, 3], name: "x.m4a")
        survives(start + Bytes.atom("moov", head + Bytes.big(0, 8)), name: "x.m4a")
      }
    }
    // As many as fit, each of the least length.
    let empty = (0..<20_000).flatMap { _ in Bytes.atom("trak", []) }
    survives(start + Bytes.atom("moov", empty), name: "x.m4a")
  }

  @Test("a file that is shorter than it was when it was listed")
  func shrunken() {
    survives(Bytes.id3(3, Bytes.text(3, "TIT2", 0, [0x41])) + Bytes.mpeg(), size: 1 << 40)
    survives(Array("OggS".utf8), size: 1 << 62)
    survives(Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8), size: .max)
  }

  @Test("what holds no music is refused with its name")
  func noMusic() throws {
    let fault = try faultOf { try MadeFile.read(Array("Hello, world".utf8), name: "note.txt") }
    #expect(fault.kind == .unsupported && fault.code == "L-202" && fault.message.contains("note.txt"))
    let empty = try faultOf { try MadeFile.read([]) }
    #expect(empty.kind == .malformed && empty.code == "L-203")
  }

  @Test("a head that ends anywhere, and one with any byte changed")
  func cutOff() {
    var random = SeededGenerator(seed: 5)
    for (name, file) in Self.samples {
      for count in 0..<min(file.count, 700) { survives(Array(file.prefix(count)), name: name, size: Int64(count)) }
      for _ in 0..<600 {
        var broken = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let at = Int.random(in: 0..<min(broken.count, 600), using: &random)
          broken[at] =
            [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
        }
        survives(broken, name: name)
      }
    }
  }

  /// One of each kind, small.
  static let samples: [(String, [UInt8])] = {
    let texts = Bytes.text(3, "TIT2", 1, Bytes.wide("Träume")) + Bytes.text(3, "TXXX", 0, Array("ARTISTS\0A\0B".utf8))
    let picture = Bytes.frame(3, "APIC", [0] + Array("image/png".utf8) + [0, 3, 0, 1, 2, 3])
    let comments: [UInt8] =
      Bytes.little(0) + Bytes.little(2) + Bytes.little(7) + Array("TITLE=A".utf8) + Bytes.little(8)
      + Array("ARTIST=B".utf8)
    let streamInfo: [UInt8] =
      Bytes.big(0x1000_1000) + Bytes.big(0, 6) + [0x0A, 0xC4, 0x42, 0xF0] + Bytes.big(44_100)
      + [UInt8](repeating: 0, count: 16)
    let data = { (kind: Int, value: [UInt8]) in Bytes.atom("data", Bytes.big(kind) + Bytes.big(0) + value) }
    let own = Bytes.atom(
      "----",
      Bytes.atom("mean", Bytes.big(0) + Array("com.apple.iTunes".utf8))
        + Bytes.atom("name", Bytes.big(0) + Array("iTunSMPB".utf8))
        + data(1, Array(" 00000000 00000840 000001CC 0000000000AC2C34".utf8)))
    let list = Bytes.atom(
      "ilst",
      Bytes.atom([0xA9] + Array("nam".utf8), data(1, [0x41])) + Bytes.atom("trkn", data(0, [0, 0, 0, 3, 0, 9, 0, 0]))
        + Bytes.atom("covr", data(13, [1, 2, 3])) + own)
    let entry = Bytes.atom(
      "mp4a",
      Bytes.big(0, 16) + Bytes.big(2, 2) + Bytes.big(16, 2) + Bytes.big(0) + Bytes.big(44_100 << 16)
        + Bytes.atom("esds", Bytes.big(0) + [3, 25, 0, 0, 0, 4, 17, 0x40] + Bytes.big(0, 12) + [5, 2, 0x12, 0x10]))
    let media =
      Bytes.atom("mdhd", Bytes.big(0, 12) + Bytes.big(44_100) + Bytes.big(88_200) + Bytes.big(0))
      + Bytes.atom("hdlr", Bytes.big(0, 8) + Array("soun".utf8) + Bytes.big(0, 12))
      + Bytes.atom("minf", Bytes.atom("stbl", Bytes.atom("stsd", Bytes.big(0) + Bytes.big(1) + entry)))
    let movie = Bytes.atom(
      "moov",
      Bytes.atom("trak", Bytes.atom("mdia", media)) + Bytes.atom("udta", Bytes.atom("meta", Bytes.big(0) + list)))
    let info =
      Array("INFO".utf8) + Array("INAM".utf8) + Bytes.little(4) + Array("Name".utf8) + Array("IART".utf8)
      + Bytes.little(3) + [0xCF, 0xF0, 0xE8, 0]
    let wave =
      Array("fmt ".utf8) + Bytes.little(16) + Bytes.little(1, 2) + Bytes.little(2, 2) + Bytes.little(44_100)
      + Bytes.little(176_400) + Bytes.little(4, 2) + Bytes.little(16, 2) + Array("LIST".utf8) + Bytes.little(info.count)
      + info + Array("data".utf8) + Bytes.little(8) + Bytes.big(0, 8)
    return [
      (
        "a.mp3",
        Bytes.id3(3, texts + picture) + Bytes.mpeg(3) + Bytes.ape([("Artist", 0, Array("X".utf8))])
          + Bytes.id3v1(title: [0x41], artist: [0x42])
      ),
      ("b.mp3", Bytes.id3(3, flags: 0x80, Bytes.escaped(texts + picture)) + Bytes.mpeg(2)),
      (
        "c.flac",
        Array("fLaC".utf8) + [0] + Bytes.big(34, 3) + streamInfo + [0x84] + Bytes.big(comments.count, 3) + comments + [
          1, 2, 3,
        ]
      ),
      ("d.m4a", Bytes.atom("ftyp", Array("M4A ".utf8) + Bytes.big(0)) + movie + Bytes.atom("mdat", [1, 2, 3, 4])),
      ("e.wav", Array("RIFF".utf8) + Bytes.little(wave.count + 4) + Array("WAVE".utf8) + wave),
    ]
  }()

  @Test("the samples themselves say what they hold")
  func samplesRead() throws {
    let found = try Self.samples.map { try MadeFile.read($0.1, name: $0.0) }
    #expect(found.map(\.codec) == ["MP3", "MP3", "FLAC", "AAC", "WAV"])
    #expect(found.map(\.title) == ["Träume", "Träume", "A", "A", "Name"])
    #expect(found.map(\.rate) == [44_100, 44_100, 44_100, 44_100, 44_100])
    #expect(found.map(\.frames) == [3_456, 2_304, 44_100, 0xAC2C34, 2])
    #expect(found[0].artists == ["A", "B"] && found[3].track == 3 && found[3].tracks == 9)
    #expect(found[4].encoding != nil)
  }
}
