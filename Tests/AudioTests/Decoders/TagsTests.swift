import Formats
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Tags that decoders read")
struct TagsTests {
  @Test("ID3 tags say their loudness too")
  func id3() {
    let tag = ID3Bytes(["TXXX": "replaygain_track_gain\u{0}-6.5 dB", "TIT2": "Präludium"]).bytes
    let tags = MPG123Library.tags(tag)
    #expect(tags?.loudness.trackGain == -6.5 && tags?.title == "Präludium")
    #expect(MPG123Library.tags(Array("no tag at all".utf8)) == nil)
  }

  // MARK: APE's, at the end

  private static func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private static func item(_ key: String, _ value: [UInt8], flags: Int = 0, length: Int? = nil) -> [UInt8] {
    little(length ?? value.count) + little(flags) + Array(key.utf8) + [0] + value
  }

  private static func foot(_ size: Int, _ count: Int) -> [UInt8] {
    var foot = Array("APETAGEX".utf8)
    for number in [2_000, size, count, 0, 0, 0] { foot += little(number) }
    return foot
  }

  private static func ape(_ items: [[UInt8]]) -> [UInt8] {
    let all = Array(items.joined())
    return all + foot(all.count + 32, items.count)
  }

  private static let gain = item("replaygain_track_gain", Array("-6.5 dB".utf8))

  private func tags(_ music: [UInt8], _ tail: [UInt8]) throws -> Tags {
    let folder = TempFolder()
    try AtomicFile.replace(folder.path / "a.mp3", with: music + tail)
    return try openDecoder(folder.path / "a.mp3").tags
  }

  /// Without a tag in front.
  private static let plain: [UInt8] = {
    let bytes = TinyMP3().bytes
    return Array(bytes[(bytes.firstIndex(of: 0xFF) ?? 0)...])
  }()

  @Test("an MP3 file has names and loudness from an APE tag, also before words of songs and the oldest tag")
  func ape() throws {
    let tag = Self.ape([
      Self.item("Title", Array("Été".utf8)), Self.item("ARTIST", Array("Bach\u{0}Casals".utf8)), Self.gain,
      Self.item("Cover Art (Front)", [UInt8](repeating: 1, count: 90_000), flags: 2),
      Self.item("Track", Array("3/12".utf8)), Self.item("Album", [0xFF, 0xFE]),
    ])
    let words = Array("LYRICSBEGIN".utf8) + Array("la la".utf8)
    let size = "\(1_000_000 + words.count)".dropFirst()
    let lyrics = words + Array("\(size)LYRICS200".utf8)
    let old = Array("TAG".utf8) + Array("Cut off".utf8) + [UInt8](repeating: 0, count: 118)
    for tail in [tag, tag + old, tag + lyrics, tag + lyrics + old] {
      let tags = try tags(Self.plain, tail)
      #expect(tags.title == "Été" && tags.artist == "Bach; Casals" && tags.trackNumber == 3 && tags.album == nil)
      #expect(tags.loudness.trackGain == -6.5)
    }
  }

  @Test("the tag in front goes first, and APE's fills what it leaves open")
  func apeBehindID3() throws {
    let tags = try tags(TinyMP3(title: "Air").bytes, Self.ape([Self.item("Title", Array("Wrong".utf8)), Self.gain]))
    #expect(tags.title == "Air" && tags.loudness.trackGain == -6.5)
  }

  @Test(
    "an APE tag that lies costs only itself",
    arguments: [
      Self.foot(Int(UInt32.max), 1), Self.foot(31, 1), Self.gain + Self.foot(Self.gain.count + 32, Int(UInt32.max)),
      Self.item("Title", [65], length: Int(UInt32.max)) + Self.foot(47, 1),
      [UInt8](repeating: 65, count: 9) + foot(41, 1),
      Array("99999LYRICS200".utf8), Array("000000LYRICS200".utf8), Array("APETAGEX".utf8),
    ])
  func lyingAPE(tail: [UInt8]) throws {
    #expect(try tags(Self.plain, tail).title == nil)
    #expect(try tags(TinyMP3(title: "Air").bytes, tail).title == "Air")
  }
}
