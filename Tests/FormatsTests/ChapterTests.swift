import Runtime
import TestSupport
import Testing

@testable import Formats

@Suite("Chapters")
struct ChapterTests {
  private static func comments(_ texts: [String]) -> [Chapter] {
    var comments = VorbisComments()
    for text in texts {
      let bytes = Array(text.utf8)
      bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { comments.add(start, length: bytes.count) } }
    }
    comments.nameFields()
    return comments.tags.chapters
  }

  @Test(
    "comments tell them in any order and any letters; what has no time is none, and they stay out of the other fields")
  func comments() {
    let found = Self.comments([
      "CHAPTER002=00:12:30.500", "CHAPTER002NAME=The storm", "Chapter001=00:00:00.000", "chapter001name=At sea",
      "CHAPTER003NAME=Nowhere", "CHAPTER004=1:60:00", "CHAPTER005=100:00:00.5", "CHAPTER001URL=http://a",
      "CHAPTER006=101:00:00", "CHAPTER=00:00:01.000", "CHAPTER7=00:00:01.000",
    ])
    #expect(
      found == [
        Chapter(at: .zero, title: "At sea"), Chapter(at: .milliseconds(750_500), title: "The storm"),
      ])
  }

  @Test(
    "times are what they say, and nonsense is none",
    arguments: [
      ("00:00:00.000", 0), ("01:02:03.004", 3_723_004), ("1:2:3", 3_723_000), ("00:00:01.5", 1_500),
      ("00:00:01.2345", 1_234), ("00:61:00", nil), ("00:00:61", nil), ("00:00", nil), ("", nil), ("a:b:c", nil),
      ("-1:00:00", nil), ("00:00:00.", nil), ("00:00:0٣", nil), ("99999:00:00", nil), ("1:1:1.1.1", nil),
    ] as [(String, Int64?)])
  func times(text: String, milliseconds: Int64?) {
    #expect(ChapterComments.time(text) == milliseconds.map { .milliseconds($0) })
  }

  @Test("a thousand chapters behind many other comments are found, and what is too much is left out")
  func many() {
    let others = (0..<1_000).map { "KEY\($0)=value" }
    let chapters = (0..<1_000).map { number in
      let digits = String(1_000 + number).dropFirst()
      return "CHAPTER\(digits)=\(number / 60):\(number % 60):00"
    }
    #expect(Self.comments(others + chapters).count == 1_000)
    #expect(Chapter.inOrder((0..<1_500).map { Chapter(at: .seconds($0), title: "") }).count == Chapter.most)
  }

  @Test(
    "a hand goes from chapter to chapter, no further than the first and the last",
    arguments: [
      (0, 1, 100), (50, 2, 200), (50, 9, 200), (150, 1, 200), (200, 1, nil), (250, Int.max, nil), (150, -1, 100),
      (101, -1, 0), (101, -2, 0), (250, -2, 100), (2, -1, nil), (0, -1, nil), (4, Int.min, 0),
    ] as [(Int64, Int, Int64?)])
  func steps(from place: Int64, by steps: Int, to goal: Int64?) {
    let chapters = [0, 100, 200].map { Chapter(at: .seconds($0), title: "") }
    #expect(chapters.place(steps, from: .seconds(place)) == goal.map { .seconds($0) })
    #expect([Chapter]().place(steps, from: .seconds(place)) == nil)
  }

  // MARK: ID3

  private static func big(_ value: Int, _ version: UInt8 = 3) -> [UInt8] {
    let bits = version == 4 ? 7 : 8
    return [3, 2, 1, 0].map { UInt8(value >> ($0 * bits) & (1 << bits - 1)) }
  }

  static func frame(_ name: String, _ content: [UInt8], _ version: UInt8) -> [UInt8] {
    Array(name.utf8) + big(content.count, version) + [0, 0] + content
  }

  static func chapter(_ begins: Int, _ title: [UInt8], _ version: UInt8, name: String = "ch") -> [UInt8] {
    let times = big(begins) + big(begins + 1_000) + big(0xFFFF_FFFF) + big(0xFFFF_FFFF)
    return frame("CHAP", Array(name.utf8) + [0] + times + frame("TIT2", title, version), version)
  }

  static func tag(_ frames: [UInt8], _ version: UInt8, flags: UInt8 = 0) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, flags] + big(frames.count, 4) + frames
  }

  private static func read(_ bytes: [UInt8]) -> [Chapter] {
    ID3v2Chapters.read(MemoryBytes(bytes), tagLength: Int64(bytes.count))
  }

  @Test(
    "an ID3 tag tells them by frames, in every way of writing text, behind a large picture",
    arguments: [3, 4] as [UInt8])
  func frames(version: UInt8) {
    let picture = Self.frame("APIC", [UInt8](repeating: 7, count: 300_000), version)
    let texts: [[UInt8]] = [
      [3] + Array("Über".utf8), [1, 0xFF, 0xFE, 0xDC, 0, 0x62, 0], [2, 0, 0xDC, 0, 0x62], [0, 0xDC, 0x62],
      [0] + Array("Über".utf8),
    ]
    let frames = texts.enumerated().map { Self.chapter(60_000 * (5 - $0), $1, version) }
    let found = Self.read(Self.tag(picture + frames.joined() + Self.chapter(0xFFFF_FFFF, [3, 0x41], version), version))
    #expect(found.map(\.begins) == (1...5).map { .seconds(60 * $0) })
    #expect(found.map(\.title) == ["Über", "Üb", "Üb", "Üb", "Über"])
  }

  @Test("whatever is cut off or changed in such a tag, reading it ends, and nothing lies beyond what there can be")
  func damaged() {
    let bytes = Self.tag((0..<6).flatMap { Self.chapter($0 * 1_000, [3] + Array("a title".utf8), 4) }, 4)
    #expect(Self.read(bytes).count == 6)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<3_000 {
      var other = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
      for _ in 0..<3 where !other.isEmpty {
        other[Int.random(in: 0..<other.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      let found = Self.read(other)
      #expect(found.count <= 6 && found.allSatisfy { $0.begins <= Chapter.latest && $0.title.count <= Tags.longest })
    }
  }

  // MARK: Where one is

  @Test("the one that is heard, the next, and the one before, which near a beginning is the former")
  func places() {
    let chapters = [10, 20, 30].map { Chapter(at: .seconds($0), title: "") }
    #expect(chapters.index(at: .seconds(9)) == nil && chapters.index(at: .seconds(10)) == 0)
    #expect(chapters.index(at: .seconds(500)) == 2 && [Chapter]().index(at: .zero) == nil)
    #expect(chapters.next(from: .zero) == .seconds(10) && chapters.next(from: .seconds(30)) == nil)
    #expect(
      chapters.previous(from: .seconds(25)) == .seconds(20) && chapters.previous(from: .seconds(22)) == .seconds(10))
    #expect(chapters.previous(from: .seconds(11)) == .zero)
  }
}

private final class MemoryBytes: ByteSource {
  private let bytes: [UInt8]
  private var at = 0
  let name = "memory"

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var length: Int64? { Int64(bytes.count) }
  var position: Int64 { Int64(at) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    let part = bytes.dropFirst(at).prefix(buffer.count)
    buffer.copyBytes(from: part)
    at += part.count
    return part.count
  }

  func seek(to offset: Int64) throws(Fault) { at = Int(min(max(offset, 0), Int64(bytes.count))) }
}
