import Files
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("What a copy is told and tells")
struct CopyValuesTests {
  @Test(
    "names are kept where the disk allows it",
    arguments: [
      ("Air.flac", "Air.flac", "Air.flac"), ("What? 1:2.mp3", "What? 1:2.mp3", "What_ 1_2.mp3"),
      ("Vol. ", "Vol. ", "Vol"), ("...", "...", "_"), ("a\nb", "a\nb", "a_b"), ("日本語.mp3", "日本語.mp3", "日本語.mp3"),
    ])
  func names(name: String, any: String, careful: String) {
    #expect(TargetNames.name(Array(name.utf8), .any) == Array(any.utf8))
    #expect(TargetNames.name(Array(name.utf8), .careful) == Array(careful.utf8))
  }

  @Test("any name, numbered or not, fits and keeps its ending", arguments: 1...200)
  func lengths(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = ["a", "ä", "語", "🎵", " ", "?"]
    var stem = ""
    for _ in 0..<Int.random(in: 1...300, using: &random) { stem += alphabet.randomElement(using: &random) ?? "a" }
    for rule in [TargetNames.Rule.any, .careful] {
      let plain = TargetNames.name(Array((stem + ".flac").utf8), rule)
      var seen: Set<[UInt8]> = []
      for number in [1, 2, 10, 999] {
        let name = TargetNames.numbered(plain, number)
        #expect((1...255).contains(name.count) && name.suffix(5).elementsEqual(".flac".utf8))
        #expect(String(validating: name, as: UTF8.self) != nil, "no character is cut in two")
        #expect(seen.insert(name).inserted)
      }
    }
    let bytes = [UInt8](repeating: 0x81, count: 300)
    #expect(TargetNames.name(bytes, .any).count == 255)
  }

  @Test("a wish is the same after it was kept, whatever its names are; names that lead elsewhere are none")
  func wishes() throws {
    let odd: [[UInt8]] = [[0xFF, 0x20, 0xC0], Array("a\"b\\\n".utf8), [0x2E, 0x2E, 0x2E]]
    let root = try #require(FilePath(bytes: [0x2F, 0xFE, 0x61]))
    let wish = CopyWish(
      from: .init(kind: .stick, key: Array("12-AB".utf8), label: "Blue \u{1F3B5}", root: root),
      picks: [.init(folder: odd), .init(folder: [], only: odd), .init(folder: [], only: [])])
    #expect(try CopyWish(JSON(parsing: wish.json.bytes)) == wish)
    for name in ["..", ".", "a/b", ""] {
      var bad = wish
      bad.picks = [.init(folder: [Array(name.utf8)])]
      #expect(try CopyWish(JSON(parsing: bad.json.bytes)) == nil)
      bad.picks = [.init(folder: [], only: [Array(name.utf8)])]
      #expect(try CopyWish(JSON(parsing: bad.json.bytes)) == nil)
    }
    #expect(CopyWish(["kind": 1]) == nil)
  }

  @Test("a path is looked for in the nearest source, and is its own where it lies in none")
  func sources() {
    let stick = ImportPart.Request(kind: .stick, key: [1], label: "stick", root: FilePath("/run/sticks/1"))
    let folder = ImportPart.Request(folder: FilePath("/run/sticks/1/deep"))
    func wish(_ path: String, isFolder: Bool) -> CopyWish {
      CopyPart.wish(for: FilePath(path), isFolder: isFolder, among: [stick, folder])
    }
    func names(_ all: String...) -> [[UInt8]] { all.map { Array($0.utf8) } }
    #expect(wish("/run/sticks/1", isFolder: true) == CopyWish(from: stick, picks: [.init(folder: [])]))
    #expect(wish("/run/sticks/1/a/b", isFolder: true) == CopyWish(from: stick, picks: [.init(folder: names("a", "b"))]))
    #expect(
      wish("/run/sticks/1/a.mp3", isFolder: false)
        == CopyWish(from: stick, picks: [.init(folder: [], only: names("a.mp3"))]))
    #expect(wish("/run/sticks/1/deep/x", isFolder: true).from == folder)
    #expect(
      wish("/run/sticks/10/a", isFolder: true)
        == CopyWish(from: .init(folder: FilePath("/run/sticks/10")), picks: [.init(folder: names("a"))]))
    #expect(wish("/x.mp3", isFolder: false).path(of: []) == FilePath("/"))
  }

  @Test("a file lies on the device also where the folder of copies is within a source that was imported")
  func containment() {
    let music = FilePath("/data/copied")
    func isOnDevice(_ folder: [String], of root: String) -> Bool {
      CopyWish.names(of: CopyWish.path(of: folder.map { Array($0.utf8) }, below: FilePath(root)), below: music) != nil
    }
    #expect(isOnDevice(["copied", "Bach"], of: "/data") && isOnDevice(["copied"], of: "/data"))
    #expect(isOnDevice([], of: "/data/copied") && isOnDevice(["data", "copied"], of: "/"))
    #expect(!isOnDevice(["copied 2"], of: "/data") && !isOnDevice([], of: "/data"))
  }

  @Test("speed and time left are told when there is something to reckon with")
  func timeLeft() {
    var progress = CopyProgress(from: FilePath("/a"), to: FilePath("/b"))
    func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }
    (progress.ofBytes, progress.bytes, progress.thereBytes, progress.needed) = (10_000, 4_000, 2_000, 16_000_000)
    #expect(progress.speed(at: at(9)) == nil && progress.left(at: at(9)) == nil)
    progress.phase = .copying
    #expect(progress.left(at: at(9)) == nil, "nothing was copied yet")
    progress.began = at(8)
    #expect(progress.speed(at: at(10)) == 1_000 && progress.left(at: at(10)) == .seconds(6))
    #expect(progress.speed(at: at(8)) == nil)
    progress.phase = .planned
    #expect(progress.left(at: at(10)) == .seconds(2) && progress.left(at: at(10), before: 1_000_000) == .seconds(16))
  }

  @Test("part of the disk is never used for copies", arguments: [(100, 32), (2_000, 100), (100_000, 1_024)])
  func reserve(total: Int64, reserve: Int64) {
    let space = DiskSpace(free: total << 20, total: total << 20)
    #expect(space.reserve == reserve << 20)
    #expect(space.fits((total - reserve) << 20) == (total >= reserve) && !space.fits((total - reserve) << 20 + 1))
  }
}
