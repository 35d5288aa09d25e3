import Formats
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Parts of a file")
struct PartTests {
  let folder = TempFolder()

  private static func part(_ file: FilePath, _ begin: Int64, _ end: Int64?) throws -> MusicPart {
    try #require(MusicPart(of: file, from: .milliseconds(begin), to: end.map { .milliseconds($0) }))
  }

  @Test("one after the other they are the file, to the sample", arguments: ["flac", "wav"])
  func whole(kind: String) throws {
    let signal = Signal(frames: 100_003)
    let path = folder.path / "whole.\(kind)"
    if kind == "flac" { try signal.writeFLAC(path) } else { try Bytes.write(WaveBytes(signal).bytes, to: path) }
    for seed in 0..<5 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let cuts = Set((0..<6).map { _ in Int64.random(in: 1..<2_260, using: &generator) }).sorted()
      var (all, lengths): ([Int32], Int64) = ([], 0)
      for (begin, end) in zip([0] + cuts, cuts.map { Optional($0) } + [nil]) {
        let decoder = try openDecoder(try Self.part(path, begin, end).address)
        lengths += decoder.length ?? 0
        all += try decoder.readAll(pieces: Int.random(in: 1...4_000, using: &generator))
      }
      #expect(difference(all, signal.leftJustified) == nil, "seed \(seed), cut at \(cuts)")
      #expect(lengths == 100_003)
    }
  }

  /// Opus leans on what came before, and is -70 dB off for a moment where somebody has sought.
  @Test(
    "of what leans on what came before, each is what it is in the file, and where one leads into the next to the bit",
    arguments: [("ogg", 0), ("opus", 680_000), ("mp3", 65_536)] as [(String, Int64)])
  func lossy(kind: String, most: Int64) throws {
    let signal = Signal(rate: 48_000, frames: 96_000)
    let path = folder.path / "whole.\(kind)"
    switch kind {
    case "ogg": try signal.writeVorbis(path)
    case "opus": try signal.writeOpus(path)
    default: try signal.writeMP3(path)
    }
    let all = try openDecoder(path).readAll()
    let parts = [try Self.part(path, 0, 701), try Self.part(path, 701, 1_333), try Self.part(path, 1_333, nil)]
    var each: [Int32] = []
    for part in parts { each += try openDecoder(part.address).readAll() }
    #expect(difference(each, all, within: most) == nil)

    var decoder = try #require(try openDecoder(parts[0].address) as? PartDecoder)
    var joined = try decoder.readAll()
    for part in parts.dropFirst() {
      decoder = try #require(decoder.following(part))
      joined += try decoder.readAll()
    }
    #expect(difference(joined, all) == nil)
    #expect(decoder.following(parts[0]) == nil)
  }

  @Test("whoever goes back in the one that plays disturbs nobody who waits for its end")
  func shared() throws {
    let signal = Signal(frames: 44_100)
    let path = folder.path / "whole.flac"
    try signal.writeFLAC(path)
    let first = try #require(try openDecoder(try Self.part(path, 0, 500).address) as? PartDecoder)
    let next = try #require(first.following(try Self.part(path, 500, nil)))
    _ = try first.readAll()
    #expect(difference(try next.readSome(100), Array(signal.leftJustified[44_100..<44_300])) == nil)
    try first.seek(toFrame: 22_000)
    #expect(difference(try first.readAll(), Array(signal.leftJustified[44_000..<44_100])) == nil)
    #expect(difference(try next.readAll(), Array(signal.leftJustified[44_300...])) == nil)
  }

  @Test("a seek counts from where the part begins, and does not leave it")
  func seeks() throws {
    let signal = Signal(frames: 88_200)
    let path = folder.path / "whole.flac"
    try signal.writeFLAC(path, ["-T", "TITLE=Whole", "-T", "ALBUM=Suites", "-T", "TRACKNUMBER=1"])
    let decoder = try openDecoder(try Self.part(path, 500, 1_500).address)
    let all = Array(signal.leftJustified[(2 * 22_050)..<(2 * 66_150)])
    for frame in [44_099, 0, 20_000, 44_100, 90_000, Int64.max, -5] {
      try decoder.seek(toFrame: frame)
      let begin = 2 * Int(min(max(frame, 0), 44_100))
      #expect(difference(try decoder.readSome(300), Array(all[begin..<min(begin + 600, all.count)])) == nil, "\(frame)")
    }
    #expect(decoder.length == 44_100)
    #expect(decoder.tags.title == nil && decoder.tags.trackNumber == nil && decoder.tags.album == "Suites")
    // A sheet that knows more than the file has.
    let late = try openDecoder(try Self.part(path, 9_000, 10_000).address)
    #expect(late.length == 0 && late.lengthIsStated)
    #expect(try late.readAll().isEmpty)
    let long = try openDecoder(try Self.part(path, 1_500, 10_000).address)
    #expect(long.length == 22_050)
    #expect(difference(try long.readAll(), Array(signal.leftJustified[(2 * 66_150)...])) == nil)
  }

  @Test("their addresses say all of it, and nothing else is one")
  func addresses() throws {
    let odd = try #require(FilePath(bytes: Array("/m/a:b-".utf8) + [0xFF] + Array(".flac".utf8)))
    let plain = FilePath("/m/a.flac")
    for part in [try Self.part(plain, 0, 1), try Self.part(odd, 86_400_000, nil), try Self.part(plain, 13, 27)] {
      #expect(MusicPart(address: part.address) == part)
      #expect(part.address.ofFile == part.file && part.file.ofFile == part.file)
    }
    let none = [
      "/m/a.flac", "part:", "part:1-2:", "part:1-2:a.flac", "part:2-2:/a", "part:3-2:/a", "part:-2:/a", "part:1:/a",
      "part:1-2-3:/a", "part:x-2:/a", "part:1-x:/a", "part:+1-2:/a", "part:123456789012-:/a", "part:1-2/a",
      "source:kiosk/a", "PART:1-2:/a", "part: 1-2:/a",
    ]
    for text in none { #expect(MusicPart(address: FilePath(text)) == nil, "\(text)") }
    #expect(MusicPart(of: FilePath("/a"), from: .milliseconds(-1), to: nil) == nil)
    #expect(MusicPart(of: FilePath("a"), from: .zero, to: nil) == nil)
  }

  @Test("what follows in the file is never faded into, and what does not follows as any other")
  func joints() {
    func facts(_ address: String) -> TrackFacts {
      TrackFacts(Tags(), file: FilePath(address), length: 44_100 * 180, rate: 44_100)
    }
    let table: [(String, String, Bool)] = [
      ("part:0-5000:/m/a.flac", "part:5000-9000:/m/a.flac", true),
      ("part:5000-9000:/m/a.flac", "part:9000-:/m/a.flac", true),
      ("part:0-5000:/m/a.flac", "part:9000-:/m/a.flac", false),
      ("part:5000-9000:/m/a.flac", "part:0-5000:/m/a.flac", false),
      ("part:0-5000:/m/a.flac", "part:5000-9000:/m/b.flac", false),
      ("part:5000-:/m/a.flac", "/m/a.flac", false),
    ]
    for (one, next, isOne) in table {
      let joint = Joint.between(previous: facts(one), next: facts(next), wanted: .seconds(5), insideAlbums: false)
      #expect(joint == (isOne ? .gapless : .crossfade(5 * 44_100)), "\(one) \(next)")
    }
  }
}
