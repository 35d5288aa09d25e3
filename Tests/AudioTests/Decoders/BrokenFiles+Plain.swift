/// FLAC, MP3, and what is no music at all.
extension BrokenFile {
  static func noMusic() -> [BrokenFile] {
    let unknown = Fate.refused(["A-111"])
    return [
      BrokenFile("empty", .refused(["A-110"]), []),
      BrokenFile("one byte", unknown, [0]),
      BrokenFile("a megabyte of zeros", unknown, .zeros(1 << 20)),
      BrokenFile("a megabyte of ones", unknown, [UInt8](repeating: 0xFF, count: 1 << 20)),
      BrokenFile("noise", .either, .noise(65_536)),
      BrokenFile("a web page", unknown, Array("<!DOCTYPE html><html><body>404</body></html>".utf8)),
      BrokenFile("a tag of 256 MB that is not there", unknown, Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F]),
      BrokenFile("a tag and nothing behind it", unknown, ID3Bytes(["TIT2": "Nothing"]).bytes),
      BrokenFile("tags in tags", .either, (0..<2_000).flatMap { _ in ID3Bytes(["TIT2": "Again"]).bytes }),
    ]
  }

  static func flac(_ whole: WholeFiles) -> [BrokenFile] {
    let flac = whole.flac
    // The last of the metadata blocks ends where the first frame begins.
    let sound = flac.indices.first { $0 > 42 && flac[$0] == 0xFF && flac[$0 + 1] & 0xFE == 0xF8 } ?? 0
    let header = Fate.refused(["A-120", "A-121", "A-122", "A-123"])
    let comment = flac.place(of: "title".utf8) - 8
    let padding = (0..<5_000).flatMap { _ -> [UInt8] in [1, 0, 0, 0] }
    let silent = flac.enumerated().map { $0.offset >= sound && $0.element == 0xFF ? 0xFE : $0.element }
    let picture = [6, 0x40, 0, 0] + [UInt8].zeros(0x40_0000)
    return [
      BrokenFile("FLAC: the mark alone", header, Array(flac[..<4])),
      BrokenFile("FLAC: cut in the header", header, Array(flac[..<20])),
      BrokenFile("FLAC: cut behind the header", .either, Array(flac[..<sound])),
      BrokenFile("FLAC: cut in the first frame", .either, Array(flac[..<(sound + 100)])),
      BrokenFile("FLAC: cut in the middle", .plays(4_096), Array(flac[..<(flac.count / 2)])),
      BrokenFile("FLAC: a header of no length", .either, flac.with([0, 0, 0], at: 5)),
      BrokenFile("FLAC: a header of 16 MB", .either, flac.with([0xFF, 0xFF, 0xFF], at: 5)),
      BrokenFile("FLAC: no rate", header, flac.with([0, 0, flac[20] & 0x0F], at: 18)),
      BrokenFile("FLAC: blocks of no frames", .either, flac.with([0, 0, 0, 0], at: 8)),
      BrokenFile(
        "FLAC: says it is a month long", .plays(frames), flac.with([flac[21] | 0x0F, 255, 255, 255, 255], at: 21)),
      BrokenFile("FLAC: says it is one frame long", .either, flac.with([flac[21] & 0xF0, 0, 0, 0, 1], at: 21)),
      BrokenFile("FLAC: 5,000 empty blocks before the sound", .plays(frames), flac.inserting(padding, at: 42)),
      BrokenFile("FLAC: a picture of 4 MB of nothing", .plays(frames), flac.inserting(picture, at: 42)),
      BrokenFile("FLAC: four thousand million comments", .either, flac.with([255, 255, 255, 255], at: comment)),
      BrokenFile("FLAC: a comment of 4 GB", .either, flac.with([255, 255, 255, 255], at: comment + 4)),
      BrokenFile("FLAC: no frame's mark is right", .either, silent),
      BrokenFile(
        "FLAC: garbage between frames", .plays(10_000), flac.inserting([UInt8].noise(20_000), at: flac.count / 2)),
      BrokenFile("FLAC: an MP3 inside", .plays(10_000), flac.inserting(whole.mp3, at: flac.count / 2)),
      BrokenFile("FLAC: goes on at another rate", .plays(frames), flac + whole.slowFLAC),
      BrokenFile("FLAC: goes on with one channel", .plays(frames), flac + whole.monoFLAC),
    ]
  }

  static func mp3(_ whole: WholeFiles) -> [BrokenFile] {
    let (mp3, bar) = (whole.mp3, whole.barMP3)
    let info = mp3.place(of: "Info".utf8)
    let lame = mp3.place(of: "LAME".utf8)
    func tag(_ text: String, _ key: String = "COMM") -> [UInt8] { ID3Bytes([key: text]).bytes }
    let lyingTag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + Array("TIT2".utf8) + [0x7F, 0x7F, 0x7F, 0x7F, 0, 0]
    let manyTexts = (0..<10_000).reduce(into: [UInt8]()) { inside, _ in
      inside += Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 3, 0x41]
    }
    let size = [21, 14, 7, 0].map { UInt8(manyTexts.count >> $0 & 0x7F) }
    let most = Fate.plays(frames - 3_000)
    return [
      BrokenFile("MP3: one header", .either, Array(bar[..<4])),
      BrokenFile("MP3: one frame", .either, Array(bar[..<417])),
      BrokenFile("MP3: cut in a frame", .plays(5_000), Array(bar[..<(bar.count / 2)])),
      BrokenFile("MP3: says it has four thousand million frames", most, mp3.with([255, 255, 255, 255], at: info + 8)),
      BrokenFile("MP3: says it has no frames", .either, mp3.with([0, 0, 0, 0], at: info + 8)),
      BrokenFile("MP3: all is delay and padding", .either, mp3.with([255, 255, 255], at: lame + 21)),
      BrokenFile("MP3: a table of places that lies", most, mp3.with([UInt8].noise(100), at: info + 16)),
      BrokenFile("MP3: garbage in front", most, [UInt8].noise(4_000) + bar),
      BrokenFile(
        "MP3: garbage in the middle", .plays(10_000), bar.inserting([UInt8].noise(100_000), at: bar.count / 2)),
      BrokenFile("MP3: a film in the middle", .plays(5_000), bar.inserting([UInt8].noise(3 << 20), at: bar.count / 2)),
      BrokenFile("MP3: goes on at another rate", .plays(frames), bar + whole.slowMP3),
      BrokenFile("MP3: goes on with one channel", .plays(2 * frames - 3_000), bar + whole.monoMP3),
      BrokenFile("MP3: a text longer than its tag", most, lyingTag + bar),
      BrokenFile("MP3: ten thousand titles", most, Array("ID3".utf8) + [4, 0, 0] + size + manyTexts + bar),
      BrokenFile(
        "MP3: a tag with an endless second header", most,
        [0x49, 0x44, 0x33, 3, 0, 0x40, 0, 0, 0, 8]
          + [0x7F, 255, 255, 255, 0, 0, 0, 0] + bar),
      BrokenFile("MP3: a title of half a megabyte", most, tag(String(repeating: "x", count: 500_000), "TIT2") + bar),
      BrokenFile(
        "MP3: tags of three kinds behind", most,
        bar + Array("APETAGEX".utf8) + [UInt8].zeros(24)
          + Array("LYRICSBEGIN".utf8) + Array("TAG".utf8) + [UInt8].zeros(125)),
      BrokenFile(
        "MP3: iTunes says it is a year long", most,
        tag("iTunSMPB\u{0} 00000000 00000210 00000000 000000FFFFFFFFFF") + bar),
      BrokenFile(
        "MP3: iTunes says the music begins behind the end", .either,
        tag("iTunSMPB\u{0} 00000000 0000FFFF 00000000 0000000000004E20") + bar),
      BrokenFile("MP3: a length of its own, and garbage", .either, [0xFF, 0xFB, 0x00, 0x00] + .noise(5_000)),
      BrokenFile(
        "MP3: heads with nothing in them", .either,
        (0..<50).flatMap { _ in Array(bar[..<4]) + .zeros(413) }),
    ]
  }
}
