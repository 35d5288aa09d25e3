import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("A log of writes")
struct WriteLogTests {
  private static let flush: UInt64 = 1
  private static let force: UInt64 = 2
  private static let discard: UInt64 = 4
  private static let mark: UInt64 = 8

  /// As the emulator writes it: a head of one sector, then for each entry a sector and its data.
  private static func bytes(
    _ entries: [(sector: UInt64, sectors: UInt64, flags: UInt64, data: [UInt8])], count: UInt64? = nil
  ) -> [UInt8] {
    func words(_ values: UInt64...) -> [UInt8] {
      values.flatMap { value in (0..<8).map { UInt8(value >> ($0 * 8) & 255) } }
    }
    func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512) }
    var all = padded(words(0x6A_7366_7773_6872, 1, count ?? UInt64(entries.count), 512))
    for entry in entries {
      all += padded(words(entry.sector, entry.sectors, entry.flags, UInt64(entry.data.count))) + padded(entry.data)
    }
    return all
  }

  private static func sector(_ value: UInt8, _ count: Int = 1) -> [UInt8] {
    [UInt8](repeating: value, count: 512 * count)
  }

  @Test("gives every write with its place, its flags and its data, and leaves marks out")
  func parsing() throws {
    let log = try WriteLog(
      parsing: Self.bytes([
        (3, 2, 0, Self.sector(7, 2)), (0, 0, Self.flush, []), (0, 0, Self.mark, Array("here".utf8)),
        (9, 4, Self.discard, []), (1, 1, Self.force, Self.sector(8)),
      ]))
    #expect(log.entries.map(\.offset) == [1_536, 0, 4_608, 512])
    #expect(log.entries.map(\.count) == [1_024, 0, 2_048, 512])
    #expect(log.entries.map(\.flushes) == [false, true, false, false])
    #expect(log.entries.map(\.discards) == [false, false, true, false])
    #expect(log.entries.map(\.isForced) == [false, false, false, true])
    #expect(log.entries[0].data == Self.sector(7, 2) && log.entries[3].data == Self.sector(8))
  }

  @Test("is refused when its head is another's or it ends too early, and never read beyond its end")
  func damaged() throws {
    let whole = Self.bytes([(0, 1, 0, Self.sector(1)), (4, 2, 0, Self.sector(2, 2))])
    for length in stride(from: 0, to: whole.count, by: 100) {
      #expect(try faultOf { try WriteLog(parsing: Array(whole.prefix(length))) }.code == "V-170")
    }
    var other = whole
    other[0] ^= 1
    #expect(try faultOf { try WriteLog(parsing: other) }.code == "V-170")
    #expect(try faultOf { try WriteLog(parsing: Self.bytes([], count: 1 << 40)) }.code == "V-170")
  }

  @Test("says how long it is now")
  func head() throws {
    let whole = Self.bytes([(0, 1, 0, Self.sector(1)), (4, 2, 0, Self.sector(2, 2))])
    #expect(try WriteLog.count(inHead: Array(whole.prefix(28))) == 2)
    #expect(try WriteLog.count(inHead: [UInt8](repeating: 0, count: 28)) == 0, "nobody has written yet")
    #expect(try faultOf { try WriteLog.count(inHead: [UInt8](repeating: 1, count: 28)) }.code == "V-170")
  }
}

@Suite("A crash image")
struct CrashImageTests {
  private typealias Entry = WriteLog.Entry

  private static func write(_ sector: Int, _ value: UInt8, _ sectors: Int = 1, forced: Bool = false) -> Entry {
    Entry(
      offset: sector * 512, count: sectors * 512, flushes: false, isForced: forced, discards: false,
      data: [UInt8](repeating: value, count: sectors * 512))
  }

  private static let flush = Entry(offset: 0, count: 0, flushes: true, isForced: false, discards: false, data: [])

  private static func disk(_ entries: [Entry], after count: Int, seed: UInt64) -> [UInt8] {
    var dice = SeededGenerator(seed: seed)
    var disk = [UInt8](repeating: 0xFF, count: 16 * 512)
    CrashImage(of: WriteLog(entries), after: count, using: &dice).apply(to: &disk)
    return (0..<16).map { disk[$0 * 512] }
  }

  @Test("always has what was flushed and what was forced")
  func kept() {
    let log = [Self.write(0, 1), Self.write(1, 2), Self.flush, Self.write(2, 3), Self.write(3, 4, forced: true)]
    for seed in 0..<200 as Range<UInt64> {
      let disk = Self.disk(log, after: 5, seed: seed)
      #expect(disk[0] == 1 && disk[1] == 2 && disk[3] == 4, "seed \(seed)")
    }
  }

  @Test("has what was not flushed sometimes, never, and in part")
  func lost() {
    let log = [Self.write(0, 1), Self.flush, Self.write(2, 3, 4)]
    let found = Set((0..<200).map { Self.disk(log, after: 3, seed: $0)[2..<6].count { $0 == 3 } })
    #expect(found == [0, 1, 2, 3, 4])
  }

  @Test("has an older unflushed write under a younger one that did not arrive")
  func order() {
    let log = [Self.write(2, 3), Self.write(2, 4)]
    #expect(Set((0..<200).map { Self.disk(log, after: 2, seed: $0)[2] }) == [0xFF, 3, 4])
  }

  @Test("knows nothing of what came after the power went")
  func later() {
    let log = [Self.write(0, 1), Self.flush, Self.write(0, 9), Self.flush]
    #expect((0..<50).allSatisfy { Self.disk(log, after: 2, seed: $0)[0] == 1 })
    // The flush before the cut makes it certain; one behind it does not.
    #expect(Set((0..<50).map { Self.disk(log, after: 3, seed: $0)[0] }) == [1, 9])
    #expect((0..<50).allSatisfy { Self.disk(log, after: 4, seed: $0)[0] == 9 })
  }

  @Test("reads a discarded range as it was or as zeros, whole")
  func discarded() {
    let discard = Entry(offset: 0, count: 1_024, flushes: false, isForced: false, discards: true, data: [])
    let found = Set(
      (0..<50).map { Array(Self.disk([Self.write(0, 1, 2), Self.flush, discard], after: 3, seed: $0)[..<2]) })
    #expect(found == [[1, 1], [0, 0]])
  }

  @Test("is the same for the same dice")
  func seeded() {
    let log = (0..<12).map { Self.write($0, UInt8($0)) }
    #expect(Self.disk(log, after: 12, seed: 5) == Self.disk(log, after: 12, seed: 5))
    #expect(Set((0..<20).map { Self.disk(log, after: 12, seed: $0) }).count > 10)
  }
}
