import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("What is still to be moved")
struct MoveTests {
  private static func file(_ number: Int, _ version: Int = 0) -> Move.File {
    let key = MediaKey(source: "shop", item: "\(number)", quality: .high)
    let path = FilePath("/media/aa/\(number).flac")
    return Move.File(key, at: path, size: Int64(1_000 + version), hash: "\(number) \(version)")
  }

  @Test("each file is carried once, and all is there when none is left")
  func each() {
    var move = Move(to: "ssd")
    let files = (0..<5).map { Self.file($0) }
    move.recount(files)
    #expect(move.files == 5 && move.bytes == 5_000 && move.missing == 5 * 4_096)
    var seen: [Move.File] = []
    while let file = move.next() {
      seen.append(file)
      move.carried(file, as: Move.Copy(size: file.size, hash: file.hash ?? ""))
    }
    #expect(seen == files && move.filesThere == 5 && move.bytesThere == 5_000)
    move.recount(files)
    #expect(move.next() == nil && move.missing == 0)
  }

  @Test("what was carried over before a power cut is not carried again, unless it has changed or is of another length")
  func again() {
    let copied = [
      "1.flac": Move.Copy(size: 1_000, hash: "1 0"), "2.flac": Move.Copy(size: 1_000, hash: "another"),
      "3.flac": Move.Copy(size: 1_001, hash: "3 0"), "9.flac": Move.Copy(size: 1_000, hash: "9 0"),
    ]
    var move = Move(to: "ssd", having: copied)
    var unknown = Self.file(4)
    unknown.hash = nil
    move.recount([Self.file(1), Self.file(2), Self.file(3), unknown])
    var names: [String] = []
    while let file = move.next() { names.append(file.name) }
    #expect(names == ["2.flac", "3.flac", "4.flac"] && move.filesThere == 1)
  }

  @Test("whatever comes, goes and changes meanwhile, the end is the like of what is kept")
  func walk() {
    for seed in 1...50 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var kept: [Int: Move.File] = [:]
      var there: [String: Move.Copy] = [:]
      for number in 0..<10 { kept[number] = Self.file(number) }
      var move = Move(to: "ssd")
      var turns = 0
      while true {
        move.recount(kept.values.sorted { $0.key < $1.key })
        var isThrough = true
        while let file = move.next() {
          isThrough = false
          turns += 1
          let copy = Move.Copy(size: file.size, hash: file.hash ?? "")
          // A power cut forgets all but what was stored.
          if turns % 7 == 6 {
            move = Move(to: "ssd", having: there)
            break
          }
          there[file.name] = copy
          move.carried(file, as: copy)
          guard turns < 40 else { continue }
          let number = Int.random(in: 0..<14, using: &random)
          kept[number] = Bool.random(using: &random) ? nil : Self.file(number, turns)
        }
        if isThrough { break }
      }
      for file in kept.values { #expect(there[file.name]?.hash == file.hash, "seed \(seed)") }
    }
  }
}
