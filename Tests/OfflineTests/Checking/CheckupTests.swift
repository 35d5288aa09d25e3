import TestSupport
import Testing

@testable import Offline

@Suite("Everything is looked at at once")
struct CheckupTests {
  private static func record(_ number: Int, bytes: Int64 = 100) -> DownloadRecord {
    var record = DownloadRecord(MediaKey(source: "shop", item: "\(number)", quality: .high))
    (record.state, record.durable) = (.completed, bytes)
    return record
  }

  @Test("each file once, then what is nobody's, then what failed; what came of it adds up")
  func order() {
    var check = Checkup(of: [Self.record(1), Self.record(2), Self.record(3), Self.record(4), Self.record(5)])
    #expect(check.files == 5 && check.bytes == 500)
    let findings: [Checkup.Finding] = [.right, .damaged, .gone, .interrupted, .other]
    for (number, finding) in findings.enumerated() {
      #expect(check.next() == .file(Self.record(number + 1).key))
      check.read(60)
      #expect(check.bytesRead == Int64(number) * 100 + 60)
      check.found(finding)
      #expect(check.checked == number + 1 && check.bytesRead == Int64(number + 1) * 100)
    }
    #expect(check.next() == .orphans)
    check.took(removed: 3)
    #expect(check.next() == .failures && check.state == .running)
    check.took(removed: 1, again: 2)
    #expect(check.next() == nil && check.state == .over && check.next() == nil)
    #expect(check.repaired == 2 && check.unread == 1 && check.removed == 4 && check.again == 2)
    #expect(!check.isThorough)
  }

  @Test("called off it ends where it is, and only what was looked at to its end counts")
  func calledOff() {
    var check = Checkup(of: [Self.record(1), Self.record(2), Self.record(3)])
    _ = check.next()
    check.found(.damaged)
    _ = check.next()
    check.read(40)
    check.callOff()
    check.found(.interrupted)
    #expect(check.next() == nil && check.state == .calledOff && !check.isThorough)
    #expect(check.checked == 1 && check.unread == 0 && check.repaired == 1 && check.bytesRead == 140)
    check.callOff()
    #expect(check.state == .calledOff)
  }

  @Test("whatever is told of how much was read, it is never more than there is")
  func walk() {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let records = (0..<8).map { Self.record($0, bytes: Int64.random(in: -5...1_000, using: &random)) }
      var check = Checkup(of: records)
      let end = Int.random(in: 0...40, using: &random)
      var (before, steps) = (Int64(0), 0)
      while let step = check.next() {
        for _ in 0..<Int.random(in: 0...5, using: &random) { check.read(Int64.random(in: -9...600, using: &random)) }
        steps += 1
        if steps == end { check.callOff() }
        if case .file = step { check.found([.right, .damaged, .other].randomElement(using: &random) ?? .right) }
        #expect(check.bytesRead >= before && check.bytesRead <= check.bytes, "seed \(seed)")
        before = check.bytesRead
      }
      #expect((check.state == .over) == (check.checked == 8 && steps == 10 && end != 10), "seed \(seed)")
      if check.state == .over { #expect(check.bytesRead == check.bytes, "seed \(seed)") }
    }
  }

  @Test(
    "what failed long ago goes when nobody wants it, and is tried once more when somebody does",
    arguments: [
      (.failed, 7, true, .again), (.failed, 7, false, .goes), (.failed, 6, true, .stays), (.failed, 6, false, .stays),
      (.queued, 70, false, .stays), (.completed, 70, false, .stays), (.cancelled, 70, false, .stays),
      // By a clock that was set back meanwhile.
      (.failed, -70, false, .stays),
    ] as [(DownloadRecord.State, Int64, Bool, OldFailure)])
  func failures(state: DownloadRecord.State, days: Int64, isWanted: Bool, fate: OldFailure) {
    var record = Self.record(1)
    (record.state, record.endedAt) = (state, 100 * 86_400)
    #expect(OldFailure(of: record, isWanted: isWanted, at: (100 + days) * 86_400) == fate)
    #expect(OldFailure(of: record, isWanted: isWanted, at: nil) == .stays)
  }
}
