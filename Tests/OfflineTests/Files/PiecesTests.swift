import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Pieces of a growing file")
struct PiecesTests {
  static func sum(_ portions: [[UInt8]]) -> UInt64 {
    var sum = PieceSum()
    for portion in portions { portion.withUnsafeBytes { sum.add($0) } }
    return sum.value
  }

  @Test("a sum is of the bytes, however they were portioned")
  func portions() {
    var generator = SeededGenerator(seed: 3)
    for length in [0, 1, 7, 8, 9, 63, 1_000] {
      let bytes = PartFileTests.bytes(length, &generator)
      for _ in 0..<20 {
        var (rest, portions): (ArraySlice<UInt8>, [[UInt8]]) = (bytes[...], [])
        while !rest.isEmpty {
          let portion = rest.prefix(Int.random(in: 0...20, using: &generator))
          portions.append(Array(portion))
          rest = rest.dropFirst(portion.count)
        }
        #expect(Self.sum(portions) == Self.sum([bytes]), "\(length)")
      }
    }
  }

  @Test("each bit, each byte more or less, and two words in each other's place make another sum")
  func differs() {
    var generator = SeededGenerator(seed: 4)
    for bytes in [[UInt8](repeating: 0, count: 200), PartFileTests.bytes(203, &generator)] {
      var sums: Set<UInt64> = [Self.sum([bytes])]
      var count = 1
      func add(_ other: [UInt8]) {
        sums.insert(Self.sum([other]))
        count += 1
      }
      for bit in 0..<bytes.count * 8 {
        var other = bytes
        other[bit / 8] ^= 1 << (bit % 8)
        add(other)
      }
      for less in 1...20 { add(Array(bytes.dropLast(less))) }
      for more in 1...20 { add(bytes + [UInt8](repeating: 0, count: more)) }
      if bytes.contains(where: { $0 != 0 }) { add(Array(bytes[8..<16] + bytes[0..<8] + bytes[16...])) }
      #expect(sums.count == count)
    }
  }

  @Test("they come back as they were stored; what was never written says nothing")
  func stored() {
    var pieces = Pieces()
    for begin in stride(from: 0, to: 600 as Int64, by: 2) { pieces.add(.init(begin..<begin + 1, UInt64.max - 5)) }
    #expect(pieces.all.count == Pieces.most && pieces.all.last?.range == 598..<599)
    #expect(Pieces(bytes: pieces.bytes) == pieces)
    #expect(Pieces(bytes: Array(pieces.bytes.dropLast())) == Pieces())
    #expect(Pieces(bytes: [UInt8](repeating: 255, count: 24)) == Pieces())
    #expect(Pieces(bytes: pieces.bytes + pieces.bytes) == Pieces())
    // The second is before the first.
    #expect(Pieces(bytes: Array(pieces.bytes[24..<48] + pieces.bytes[0..<24])).all.count == 1)
  }

  @Test("one that grows takes its own place, and of half a piece nothing is known")
  func growing() {
    var pieces = Pieces()
    pieces.add(.init(0..<10, 1))
    pieces.add(.init(10..<12, 2))
    pieces.add(.init(10..<20, 3))
    #expect(pieces.all == [.init(0..<10, 1), .init(10..<20, 3)])
    pieces.cut(to: 20)
    pieces.cut(to: 19)
    #expect(pieces.all == [.init(0..<10, 1)])
    #expect(Pieces.length(of: nil) == 1 << 20 && Pieces.length(of: 12 << 30) / (1 << 20) == 96)
  }

  /// A file that grows over some lives; what was durable at the end of each, and its pieces.
  private struct Grown {
    let disk = MemoryDisk()
    var model: [UInt8] = []
    var pieces = Pieces()

    init(_ path: FilePath, _ generator: inout SeededGenerator) throws {
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let file = try PartFile(path, on: disk)
        try file.cutBack(to: Int64(model.count))
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let more = PartFileTests.bytes(Int.random(in: 1...700, using: &generator), &generator)
          try more.withUnsafeBytes { bytes throws in try file.write(bytes, at: Int64(model.count)) }
          model += more
          pieces.add(try #require(try file.sync()))
        }
        // Of what is not durable nothing counts.
        try [1, 2].withUnsafeBytes { bytes throws in try file.write(bytes, at: Int64(model.count)) }
      }
    }
  }

  @Test("whatever byte a disk has not kept is found when it is read again, and what comes before it is right")
  func damage() throws {
    let path = FilePath("/media/a.part")
    for seed in 1...60 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let grown = try Grown(path, &generator)
      #expect(grown.pieces.all.map(\.range.count).reduce(0, +) == grown.model.count)
      let file = try PartFile(path, on: grown.disk)
      try file.cutBack(to: Int64(grown.model.count))
      #expect(try file.sum(against: grown.pieces) == .whole(PartFileTests.sum(grown.model)), "seed \(seed)")

      let place = Int.random(in: 0..<grown.model.count, using: &generator)
      var bytes = grown.model
      bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      grown.disk.put(path, bytes)
      let hurt = try #require(grown.pieces.all.first { $0.range.contains(Int64(place)) })
      let again = try PartFile(path, on: grown.disk)
      #expect(try again.sum(against: grown.pieces) == .damaged(from: hurt.range.lowerBound), "seed \(seed)")

      // What is behind is fetched anew, and the whole is right.
      let begin = hurt.range.lowerBound
      try again.cutBack(to: begin)
      try Array(grown.model[Int(begin)...]).withUnsafeBytes { bytes throws in try again.write(bytes, at: begin) }
      var known = grown.pieces
      known.cut(to: begin)
      #expect(try again.sum(against: known) == .whole(PartFileTests.sum(grown.model)), "seed \(seed)")
    }
  }

  @Test("a piece ends where it is long enough, and begins anew where another version is written")
  func lengths() throws {
    let disk = MemoryDisk()
    let file = try PartFile(FilePath("/media/a.part"), on: disk)
    let half = [UInt8](repeating: 5, count: 1 << 19)
    var ranges: [Range<Int64>?] = []
    for turn in 0..<5 as Range<Int64> {
      try half.withUnsafeBytes { bytes throws in try file.write(bytes, at: turn << 19) }
      ranges.append(try file.sync()?.range)
    }
    let mega: Int64 = 1 << 20
    #expect(ranges == [0..<mega / 2, 0..<mega, mega..<mega * 3 / 2, mega..<2 * mega, 2 * mega..<5 * mega / 2])
    #expect(try file.sync()?.range == 2 * mega..<5 * mega / 2)
    try [1, 2, 3].withUnsafeBytes { bytes throws in try file.write(bytes, at: 7) }
    #expect(try file.sync() == nil)
  }

  @Test("a download goes on from where the damage is, as the same version, and gives up a disk that does it again")
  func download() {
    var it = Told()
    it.beginFetching(.init(size: Told.size))
    let ends: [Int64] = [0, 1 << 20, 2 << 20, Told.size]
    for (begin, end) in zip(ends, ends.dropFirst()) { it.bring(.init(begin..<end, 9)) }
    for attempt in 1...3 {
      it.hear(.ended(it.ticket))
      #expect(it.download.state == .downloading(.verifying))
      it.hear(.verified(it.ticket, .damaged(from: 1 << 20)))
      #expect(it.download.record.durable == 1 << 20 && it.download.record.pieces.all.map(\.range) == [0..<1 << 20])
      #expect(it.download.record.trouble == .disk(.read))
      guard attempt < 3 else { break }
      #expect(it.download.state == .retrying)
      it.hear(.due(it.ticket))
      it.hear(.start)
      it.hear(.resolved(it.ticket, .init(size: Told.size)))
      guard case .fetch(_, let asked)? = it.last.last else { return #expect(Bool(false), "\(it.last)") }
      #expect(asked.from == 1 << 20 && asked.ifRange != nil)
      it.hear(.answered(it.ticket, Told.rest(from: 1 << 20)))
      it.bring(.init(1 << 20..<Told.size, 9))
    }
    #expect(it.download.record.waits == .disk || it.download.state == .failed)
  }
}
