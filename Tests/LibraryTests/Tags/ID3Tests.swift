import Formats
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("ID3 tags")
struct ID3Tests {
  private func read(_ version: UInt8, flags: UInt8 = 0, _ frames: [UInt8]) throws -> Metadata {
    try MadeFile.read(Bytes.id3(version, flags: flags, frames) + Bytes.mpeg())
  }

  private func name(_ version: UInt8, _ new: String, _ old: String) -> String { version == 2 ? old : new }

  @Test("every version says title, artists, album, numbers and year", arguments: [2, 3, 4] as [UInt8])
  func versions(_ version: UInt8) throws {
    func text(_ new: String, _ old: String, _ value: String) -> [UInt8] {
      Bytes.text(version, name(version, new, old), 0, Array(value.utf8))
    }
    let found = try read(
      version,
      text("TIT2", "TT2", "Air") + text("TPE1", "TP1", "Bach") + text("TALB", "TAL", "Suites")
        + text("TPE2", "TP2", "Ensemble") + text("TCOM", "TCM", "J. S. Bach") + text("TRCK", "TRK", "3/12")
        + text("TPOS", "TPA", "1/2") + text("TCMP", "TCP", "1") + text("TSOP", "TSP", "Bach, Johann")
        + text(version == 4 ? "TDRC" : "TYER", "TYE", "1985-03-21") + text("TCON", "TCO", "(32)")
        + text("TSOT", "TST", "Air on") + text("TSOA", "TSA", "Suites 1") + text("TSO2", "TS2", "Ens"))
    #expect(found.title == "Air" && found.artists == ["Bach"] && found.album == "Suites")
    #expect(found.albumArtists == ["Ensemble"] && found.composers == ["J. S. Bach"])
    #expect(found.track == 3 && found.tracks == 12 && found.disc == 1 && found.discs == 2)
    #expect(found.isCompilation && found.year == 1985 && found.genres == ["Classical"])
    #expect(found.artistSort == "Bach, Johann" && found.titleSort == "Air on")
    #expect(found.albumSort == "Suites 1" && found.albumArtistSort == "Ens")
    #expect(found.encoding == nil && found.codec == "MP3" && found.rate == 44_100 && found.channels == 2)
    #expect(found.frames == 9_216)
    #expect(found.audio.upperBound - found.audio.lowerBound == Int64(Bytes.mpeg().count))
  }

  @Test("each encoding that a frame can state", arguments: [2, 3, 4] as [UInt8])
  func encodings(_ version: UInt8) throws {
    let title = "Träume 夢 🎵"
    let codings: [(UInt8, [UInt8])] = [
      (1, Bytes.wide(title)),
      (1, Bytes.wide(title, mark: false).isEmpty ? [] : [0xFE, 0xFF] + Bytes.wide(title, little: false, mark: false)),
      (2, Bytes.wide(title, little: false, mark: false)), (3, Array(title.utf8)), (3, Array(title.utf8) + [0]),
      (1, Bytes.wide(title) + [0, 0]), (3, Array("  \(title)\u{7}\n ".utf8)),
    ]
    for (coding, bytes) in codings {
      let found = try read(version, Bytes.text(version, name(version, "TIT2", "TT2"), coding, bytes))
      #expect(found.title == title && found.encoding == nil, "coding \(coding), \(bytes)")
    }
  }

  @Test(
    "wide letters without a mark are read in the order in which they make sense",
    arguments: ["Air", "Träume", "Песня о друге", "夢の中へ", "Ελλάδα", "사랑을 했다", "Song 2 (Live)"])
  func withoutMark(title: String) throws {
    for isLittle in [true, false] {
      for coding: UInt8 in [1, 2] {
        let bytes = Bytes.wide(title, little: isLittle, mark: false)
        let found = try read(3, Bytes.text(3, "TIT2", coding, bytes))
        #expect(found.title == title, "\(isLittle ? "little" : "big"), coding \(coding)")
        let values = try read(4, Bytes.text(4, "TPE1", coding, bytes + [0, 0] + bytes))
        #expect(values.artists.first == title)
      }
    }
  }

  /// zlib's format without compression: a head, one block as it is, and Adler's sum.
  private func packed(_ bytes: [UInt8]) -> [UInt8] {
    let sums = bytes.reduce((1, 0)) { sums, byte in
      let first = (sums.0 + Int(byte)) % 65_521
      return (first, (sums.1 + first) % 65_521)
    }
    let length = Bytes.little(bytes.count, 2)
    return [0x78, 1, 1] + length + length.map { ~$0 } + bytes + Bytes.big(sums.1 << 16 | sums.0)
  }

  @Test("compressed frames are read, also where they are escaped", arguments: [3, 4] as [UInt8])
  func compressed(version: UInt8) throws {
    let text = [3] + Array("Träume ÿ".utf8)
    let own = [3] + Array("REPLAYGAIN_TRACK_GAIN\0-3.00 dB".utf8)
    let (flags, length): (UInt8, (Int) -> [UInt8]) =
      version == 3 ? (0x80, { Bytes.big($0) }) : (0x09, { Bytes.syncSafe($0) })
    let frames = [("TIT2", text), ("TXXX", own)].flatMap { name, inside in
      Bytes.frame(version, name, flags: flags, length(inside.count) + packed(inside))
    }
    let found = try read(version, frames + Bytes.text(version, "TALB", 0, Array("Suites".utf8)))
    #expect(found.title == "Träume ÿ" && found.album == "Suites" && found.loudness.trackGain == -3)
    if version == 4 {
      let escaped = Bytes.escaped(Bytes.syncSafe(text.count) + packed(text))
      let found = try read(4, Bytes.frame(4, "TIT2", flags: 0x0B, escaped))
      #expect(found.title == "Träume ÿ")
    }
    // Broken ones are passed over.
    let broken = Bytes.frame(version, "TIT2", flags: flags, length(9) + [0x78, 1, 7, 7, 7, 7])
    #expect(try read(version, broken + Bytes.text(version, "TALB", 0, Array("Suites".utf8))).album == "Suites")
  }

  @Test("pictures in compressed frames are read, also where the frame or the tag is escaped")
  func compressedPictures() throws {
    let picture: [UInt8] = [0x89, 0xFF, 0xE0, 0xFF, 0x00, 0xFF, 0xFB, 7, 0xFF]
    let art = [0] + Array("image/png".utf8) + [0, 3, 0] + picture
    let third = Bytes.frame(3, "APIC", flags: 0x80, Bytes.big(art.count) + packed(art))
    let fourth = Bytes.frame(4, "APIC", flags: 0x09, Bytes.syncSafe(art.count) + packed(art))
    let escaped = Bytes.frame(4, "APIC", flags: 0x0B, Bytes.syncSafe(art.count) + Bytes.escaped(packed(art)))
    let tags = [
      Bytes.id3(3, third), Bytes.id3(3, flags: 0x80, Bytes.escaped(third)), Bytes.id3(4, fourth), Bytes.id3(4, escaped),
    ]
    for (index, tag) in tags.enumerated() {
      let file = tag + Bytes.mpeg()
      #expect(try MadeFile.read(file).art.map(\.kind) == [.front], "\(index)")
      #expect(try MadeFile.pictures(file) == [picture], "\(index)")
    }
    // Broken behind the head of the frame, and longer than what is read.
    var broken = packed(art + [UInt8](repeating: 1, count: 2_000))
    broken[broken.count - 1] ^= 1
    let file = Bytes.id3(3, Bytes.frame(3, "APIC", flags: 0x80, Bytes.big(art.count + 2_000) + broken)) + Bytes.mpeg()
    #expect(throws: Fault.self) { try MadeFile.pictures(file) }
    // 5,000 bytes.
    let long: [UInt8] = [
      120, 218, 237, 193, 49, 13, 0, 32, 12, 0, 176, 17, 4, 161, 137, 131, 44, 59, 32, 248,
      191, 80, 193, 215, 54, 106, 207, 92, 227, 158, 140, 30, 13, 0, 0, 0, 0, 248, 238, 1,
      235, 68, 23, 3,
    ]
    let made = try MadeFile(Bytes.id3(3, Bytes.frame(3, "APIC", flags: 0x80, Bytes.big(5_013) + long)) + Bytes.mpeg())
    var reader = MetadataReader()
    let place = try #require(try reader.read(made.descriptor, size: 2_000, name: FilePath("made.mp3")).art.first)
    #expect(try place.load(made.descriptor, name: FilePath("made.mp3"), limit: 5_000).count == 5_000)
    #expect(try faultOf { try place.load(made.descriptor, name: FilePath("made.mp3"), limit: 4_999) }.code == "L-208")
  }

  @Test("a wide letter of which one half looks like half a byte order mark is a letter")
  func halfMarks() throws {
    for title in ["対話", "忿怒", "þú", "ÿ"] {
      for coding: UInt8 in [1, 2] {
        let found = try read(4, Bytes.text(4, "TIT2", coding, Bytes.wide(title, little: false, mark: false)))
        #expect(found.title == title, "coding \(coding)")
      }
      #expect(try read(3, Bytes.text(3, "TIT2", 1, Bytes.wide(title))).title == title)
    }
  }

  @Test("broken wide letters become signs, and nothing breaks")
  func surrogates() throws {
    for units: [UInt8] in [
      [0xFF, 0xFE, 0x41, 0, 0x00, 0xD8], [0xFF, 0xFE, 0x41, 0, 0x00, 0xDC, 0x42, 0], [0xFF, 0xFE, 0x41, 0, 0x42],
    ] {
      let found = try read(3, Bytes.text(3, "TIT2", 1, units))
      #expect(found.title?.hasPrefix("A") == true)
    }
  }

  @Test("several values stand between zeros, and a slash in a name is a slash")
  func values() throws {
    let zeros = try read(4, Bytes.text(4, "TPE1", 3, Array("Ella\0Louis\0".utf8)))
    #expect(zeros.artists == ["Ella", "Louis"])
    let wide = try read(4, Bytes.text(4, "TPE1", 1, Bytes.wide("Ella\0Louis") + [0, 0] + Bytes.wide("Duke")))
    #expect(wide.artists == ["Ella", "Louis", "Duke"])
    let slash = try read(3, Bytes.text(3, "TPE1", 0, Array("AC/DC".utf8)))
    #expect(slash.artists == ["AC/DC"])
    let whole = try read(3, Bytes.text(3, "TPE1", 0, Array("A feat. B; C".utf8)))
    #expect(whole.artists == ["A feat. B; C"])
    let own = try read(
      3,
      Bytes.text(3, "TPE1", 0, Array("A feat. B".utf8)) + Bytes.text(3, "TXXX", 0, Array("ARTISTS\0A\0B".utf8)))
    #expect(own.artists == ["A", "B"])
  }

  @Test(
    "genres by number and by name",
    arguments: [
      ("17", ["Rock"]), ("(17)", ["Rock"]), ("(17)(9)", ["Rock", "Metal"]), ("(4)Eurodisco", ["Eurodisco"]),
      ("(17)Rock", ["Rock"]), ("17/9", ["Rock", "Metal"]), ("Jazz/Funk", ["Jazz/Funk"]), ("(RX)", ["Remix"]),
      ("CR", ["Cover"]), ("((odd) thing", ["(odd) thing"]), ("(999)", ["(999)"]), ("80s", ["80s"]), ("255", ["255"]),
    ])
  func genres(_ text: String, _ names: [String]) throws {
    #expect(try read(3, Bytes.text(3, "TCON", 0, Array(text.utf8))).genres == names)
  }

  @Test("several genres between zeros, numbers among them")
  func manyGenres() throws {
    #expect(try read(4, Bytes.text(4, "TCON", 3, Array("17\0Jazz\0(9)".utf8))).genres == ["Rock", "Jazz", "Metal"])
  }

  @Test("books and podcasts say what they are")
  func kinds() throws {
    for genre in ["Audiobook", "Hörbuch", "Speech", "(183)", "101", "Spoken Word"] {
      #expect(try read(4, Bytes.text(4, "TCON", 3, Array(genre.utf8))).kind == .book, "\(genre)")
    }
    #expect(try read(4, Bytes.frame(4, "PCST", [0, 0, 0, 0])).kind == .podcast)
    #expect(try read(4, Bytes.text(4, "TCON", 3, Array("Rock".utf8))).kind == .music)
  }

  @Test("how loud it is, in people's own keys")
  func loudness() throws {
    let found = try read(
      3,
      Bytes.text(3, "TXXX", 0, Array("replaygain_track_gain\0-6.5 dB".utf8))
        + Bytes.text(3, "TXXX", 0, Array("REPLAYGAIN_TRACK_PEAK\0".utf8) + Array("0.98".utf8))
        + Bytes.text(3, "TXXX", 1, Bytes.wide("REPLAYGAIN_ALBUM_GAIN\0") + Bytes.wide("-7.25 dB")))
    #expect(found.loudness == LoudnessFacts(trackGain: -6.5, trackPeak: 0.98, albumGain: -7.25))
  }

  @Test("zeros behind 255 are taken out, of the whole tag or of a frame")
  func unsynchronised() throws {
    let title = Bytes.wide("Ā\u{FF}ÿ")
    let picture: [UInt8] = [0x89, 0xFF, 0xE0, 0xFF, 0x00, 0xFF, 0xFB, 7, 0xFF]
    let art = [0] + Array("image/png".utf8) + [0, 3, 0] + picture
    for version: UInt8 in [3, 4] {
      let inner =
        version == 3
        ? Bytes.escaped(
          Bytes.text(3, "TIT2", 1, title) + Bytes.frame(3, "APIC", art) + Bytes.text(3, "TALB", 0, [0x42]))
        : Bytes.frame(4, "TIT2", flags: 2, Bytes.escaped([1] + title))
          + Bytes.frame(4, "APIC", flags: 3, Bytes.syncSafe(art.count) + Bytes.escaped(art))
          + Bytes.text(4, "TALB", 3, [0x42])
      let file = Bytes.id3(version, flags: 0x80, inner) + Bytes.mpeg()
      let found = try MadeFile.read(file)
      #expect(found.title == "Ā\u{FF}ÿ" && found.album == "B", "\(version)")
      #expect(found.art.map(\.coding) == [.unsynchronised] && found.art.first?.kind == .front)
      #expect(try MadeFile.pictures(file) == [picture])
    }
  }

  @Test("a longer head, a foot, groups and stated lengths are passed over")
  func heads() throws {
    let title = Bytes.text(3, "TIT2", 0, Array("Air".utf8))
    #expect(try read(3, flags: 0x40, Bytes.big(6) + [0, 0] + Bytes.big(0) + title).title == "Air")
    #expect(try read(4, flags: 0x40, Bytes.syncSafe(6) + [1, 0] + Bytes.text(4, "TIT2", 3, [0x41])).title == "A")
    let foot =
      Bytes.id3(4, flags: 0x10, Bytes.text(4, "TIT2", 3, [0x41]), padding: 0) + Array("3DI".utf8) + [
        4, 0, 0x10, 0, 0, 0, 12,
      ]
    let found = try MadeFile.read(foot + Bytes.mpeg())
    #expect(found.title == "A" && found.audio.lowerBound == Int64(foot.count))
    #expect(try read(4, Bytes.frame(4, "TIT2", flags: 0x41, [9] + Bytes.syncSafe(2) + [3, 0x41])).title == "A")
    #expect(try read(3, Bytes.frame(3, "TIT2", flags: 0x20, [9, 0, 0x41])).title == "A")
    let packed = try read(3, Bytes.frame(3, "TIT2", flags: 0x80, [9, 9, 9, 9, 0]) + Bytes.text(3, "TALB", 0, [0x42]))
    #expect(packed.title == nil && packed.album == "B")
  }

  @Test("a tag with a foot at the end is found")
  func atTheEnd() throws {
    let frames = Bytes.text(4, "TIT2", 3, Array("End".utf8))
    let tag =
      Bytes.id3(4, flags: 0x10, frames, padding: 0) + Array("3DI".utf8) + [4, 0, 0x10] + Bytes.syncSafe(frames.count)
    let found = try MadeFile.read(Bytes.mpeg() + tag)
    #expect(found.title == "End" && found.audio == 0..<Int64(Bytes.mpeg().count))
  }

  @Test("lengths as iTunes wrote them in 2.4, and names of 2.2 in a newer tag")
  func mistakes() throws {
    let long = [UInt8](repeating: 0x61, count: 299)
    let frames = Array("TIT2".utf8) + Bytes.big(300) + [0, 0, 3] + long + Bytes.text(4, "TALB", 3, [0x42])
    let found = try read(4, frames)
    #expect(found.title?.count == 299 && found.album == "B")
    #expect(try read(3, Bytes.frame(3, "TT2\0", [0, 0x41])).title == "A")
  }

  @Test("of several tags in a row the first speaks, the others fill its gaps")
  func several() throws {
    let first = Bytes.id3(3, Bytes.text(3, "TIT2", 0, Array("First".utf8)))
    let second = Bytes.id3(
      4, Bytes.text(4, "TIT2", 3, Array("Second".utf8)) + Bytes.text(4, "TALB", 3, Array("Album".utf8)))
    let ape = Bytes.ape([("Title", 0, Array("Third".utf8)), ("Artist", 0, Array("Ape\0Monkey".utf8))])
    let old = Bytes.id3v1(title: Array("Fourth".utf8), artist: Array("Old".utf8))
    let found = try MadeFile.read(first + second + Bytes.mpeg() + ape + old)
    #expect(found.title == "First" && found.album == "Album" && found.artists == ["Ape", "Monkey"])
    #expect(found.track == 7 && found.year == 1999 && found.genres == ["Rock"])
    let start = Int64(first.count + second.count)
    #expect(found.audio == start..<start + Int64(Bytes.mpeg().count))
  }

  @Test("the oldest tag alone")
  func old() throws {
    let tag = Bytes.id3v1(title: Array("Air".utf8), artist: Array("Bach   ".utf8), album: Array("Suites".utf8))
    let found = try MadeFile.read(Bytes.mpeg() + tag)
    #expect(found.title == "Air" && found.artists == ["Bach"] && found.album == "Suites" && found.encoding == nil)
  }

  @Test("pictures are placed and not read")
  func pictures() throws {
    let front: [UInt8] = [0xFF, 0xD8, 1, 2, 3]
    let other: [UInt8] = [0x89, 0x50, 4, 5]
    let frames =
      Bytes.frame(3, "APIC", [0] + Array("image/png".utf8) + [0, 4] + Array("back".utf8) + [0] + other)
      + Bytes.frame(3, "APIC", [1] + Array("image/jpeg".utf8) + [0, 3] + Bytes.wide("front") + [0, 0] + front)
    let file = Bytes.id3(3, frames) + Bytes.mpeg()
    #expect(try MadeFile.read(file).art.map(\.kind) == [.other, .front])
    #expect(try MadeFile.pictures(file) == [other, front])
    let old = Bytes.id3(2, Bytes.frame(2, "PIC", [0] + Array("JPG".utf8) + [3, 0] + front)) + Bytes.mpeg()
    #expect(try MadeFile.pictures(old) == [front])
  }

  @Test("texts that do not say their encoding are guessed, or are in the one that is forced")
  func undeclared() throws {
    let russian: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]  // "Привет" in cp1251
    let frames = Bytes.text(3, "TIT2", 0, russian) + Bytes.text(3, "TPE1", 0, Array("ASCII".utf8))
    let file = Bytes.id3(3, frames) + Bytes.mpeg()
    let forced = try MadeFile.read(file, encoding: .cp1251)
    #expect(forced.title == "Привет" && forced.artists == ["ASCII"] && forced.encoding == .cp1251)
    #expect(try MadeFile.read(file).encoding != nil)
    // Not valid in what is forced: it is shown somehow.
    #expect(try MadeFile.read(file, encoding: .utf8).title?.isEmpty == false)
  }
}
