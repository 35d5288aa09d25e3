import Kit
import Runtime
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

  @Test("of what leans on what came before, none is left out and none comes twice", arguments: ["ogg", "opus"])
  func lossy(kind: String) throws {
    let signal = Signal(rate: 48_000, frames: 96_000)
    let path = folder.path / "whole.\(kind)"
    if kind == "ogg" { try signal.writeVorbis(path) } else { try signal.writeOpus(path) }
    let frames = try openDecoder(path).readAll().count
    let parts = [try Self.part(path, 0, 701), try Self.part(path, 701, 1_333), try Self.part(path, 1_333, nil)]
    #expect(try parts.map { try openDecoder($0.address).readAll().count }.reduce(0, +) == frames)
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
    #expect(late.length == 0)
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
