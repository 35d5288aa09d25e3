import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Where an item is played from")
struct SourceChoiceTests {
  static let item = ItemKey(source: "shop", item: "1")
  static let why = [Why(.noNetwork)]

  static func record(
    _ quality: Quality, _ state: DownloadRecord.State = .queued, durable: Int64 = 0, path: String? = nil
  ) -> DownloadRecord {
    var record = DownloadRecord(item.at(quality))
    (record.state, record.durable, record.path) = (state, durable, path)
    return record
  }

  static let whole = record(.high, .completed, durable: 9, path: "/media/high")
  static let best = record(.lossless, .completed, durable: 99, path: "/media/best")
  static let some = record(.high, durable: 5)
  static let more = record(.low, durable: 7)
  static let older = record(.high, .downloading(.fetching), durable: 5, path: "/media/older")

  @Test(
    "whole before coming, coming before what is left of it, and else a reason",
    arguments: [
      ([whole], nil, why, SourceChoice.file(item.at(.high), FilePath("/media/high"))),
      ([whole, best], .high, [], .file(item.at(.lossless), FilePath("/media/best"))),
      ([some, whole], .high, [], .file(item.at(.high), FilePath("/media/high"))),
      ([], nil, [], .stream(item.at(.normal))), ([], .veryHigh, [], .stream(item.at(.veryHigh))),
      ([some], .high, [], .stream(item.at(.high))), ([record(.high, .failed)], nil, [], .stream(item.at(.normal))),
      ([some, more], nil, why, .cached(item.at(.low))), ([some], .high, why, .cached(item.at(.high))),
      ([record(.high)], .high, why, .nothing(Why(.noNetwork))), ([], nil, why, .nothing(Why(.noNetwork))),
      // Another version of it is coming.
      ([older], .high, [], .file(item.at(.high), FilePath("/media/older"))),
      ([older, more], .high, why, .file(item.at(.high), FilePath("/media/older"))),
      (
        [record(.lossless, .failed, path: "/media/older"), whole], nil, [],
        .file(item.at(.high), FilePath("/media/high"))
      ),
      // Its row says so, and not where.
      ([record(.high, .completed, durable: 9)], nil, [], .stream(item.at(.normal))),
    ] as [([DownloadRecord], Quality?, [Why], SourceChoice)])
  func chooses(records: [DownloadRecord], wanted: Quality?, waits: [Why], chosen: SourceChoice) {
    #expect(SourceChoice.of(Self.item, records, wanted: wanted, streamed: .normal, waits: waits) == chosen)
    #expect(SourceChoice.of(Self.item, records.reversed(), wanted: wanted, streamed: .normal, waits: waits) == chosen)
  }

  @Test(
    "cache stays where a gigabyte is free, of a network that costs nothing; what is wanted stays anywhere",
    arguments: [
      (false, false, 1_000_000_000, true), (false, false, 999_999_999, false), (false, false, nil, false),
      (false, true, 1_000_000_000, false), (true, true, 0, true), (true, false, nil, true),
    ] as [(Bool, Bool, Int64?, Bool)])
  func keeps(isWanted: Bool, cameAtCost: Bool, free: Int64?, isKept: Bool) {
    #expect(StreamKeeping.isKept(isWanted: isWanted, cameAtCost: cameAtCost, free: free) == isKept)
  }
}

@Suite("How far a stream runs ahead")
struct RunAheadTests {
  private static let second = Quality.high.estimate(of: .seconds(1))

  @Test("of what comes next the beginning is enough; once somebody wants all of it, it goes on")
  func beginning() {
    var ahead = RunAhead()
    let enough = RunAhead.head + Quality.high.estimate(of: .seconds(10))
    func mayGoOn(_ need: RunAhead.Need, _ arrived: Int64) -> Bool { ahead.mayGoOn(need, arrived: arrived, at: .high) }
    #expect(mayGoOn(.beginning, 0) && mayGoOn(.beginning, enough - 1))
    #expect(!mayGoOn(.beginning, enough))
    #expect(mayGoOn(.all, enough))
  }

  @Test(
    "where it will not be kept it fills up to so much, rests, and goes on when half of that is left; never less than that",
    arguments: [60, 30] as [Int64])
  func metered(most: Int64) {
    for seed in 1...20 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var (ahead, arrived, heard) = (RunAhead(), 0 as Int64, 0 as Int64)
      for _ in 0..<2_000 {
        let wasResting = ahead.rests
        let goesOn = ahead.mayGoOn(.from(heard, ahead: .seconds(most)), arrived: arrived, at: .high)
        if goesOn { arrived += Int64.random(in: 0...3 * Self.second, using: &generator) }
        heard = min(heard + Self.second, arrived)
        let left = arrived - heard
        #expect(left <= RunAhead.head + (most + 4) * Self.second, "seed \(seed)")
        if !goesOn, !wasResting { #expect(left >= (most - 2) * Self.second, "seed \(seed)") }
        if !goesOn { #expect(left >= (most / 2 - 2) * Self.second, "seed \(seed)") }
      }
    }
  }

  @Test("it has the line for itself while less than ten seconds are there, until there are thirty")
  func presses() {
    var ahead = RunAhead()
    func presses(_ seconds: Int64, of size: Int64? = nil) -> Bool {
      ahead.checkIsLow(from: 0, arrived: seconds * Self.second, of: size, at: .high)
    }
    #expect(presses(0) && presses(9) && presses(29))
    #expect(!presses(31) && !presses(29) && !presses(11))
    #expect(presses(9))
    // All of it is here.
    #expect(!presses(5, of: 5 * Self.second))
  }
}

@Suite("A part of a file before its turn")
struct StreamWindowTests {
  static func answer(_ status: Int, _ headers: [(name: String, value: String)]) -> MediaResponse {
    MediaResponse(status: status, headers: headers)
  }

  static let range = (name: "Content-Range", value: "bytes 500-999/1000")
  static let tag = (name: "ETag", value: "\"a\"")

  @Test(
    "is believed only where it is that part of that version",
    arguments: [
      (answer(206, [range, tag]), nil, true), (answer(206, [range]), nil, false),
      (answer(206, [range]), "sum", true), (answer(206, [range, ("ETag", "\"b\"")]), nil, false),
      (answer(206, [range, ("ETag", "\"b\"")]), "sum", true), (answer(206, [range, ("ETag", "W/\"a\"")]), nil, false),
      (answer(200, [tag]), "sum", false), (answer(206, [tag]), "sum", false),
      (answer(206, [("Content-Range", "bytes 400-999/1000"), tag]), "sum", false),
      (answer(206, [("Content-Range", "bytes 500-1999/2000"), tag]), "sum", false),
      (answer(206, [("Content-Range", "bytes 500-999/*"), tag]), nil, true),
      (answer(206, [range, tag, ("Content-Encoding", "gzip")]), "sum", false),
      (answer(206, [range, tag, ("Content-Type", "text/html")]), "sum", false),
      (answer(416, [("Content-Range", "bytes */1000")]), "sum", false),
    ] as [(MediaResponse, String?, Bool)])
  func believes(answer: MediaResponse, hash: String?, isRight: Bool) {
    var record = DownloadRecord(SourceChoiceTests.item.at(.high))
    (record.size, record.tag, record.hash) = (1_000, "\"a\"", hash)
    #expect(StreamWindow.isRight(answer, from: 500, of: record) == isRight)
  }

  @Test("is read on from where it begins, lets go of what was read, and knows where it ends")
  func reads() {
    var record = DownloadRecord(SourceChoiceTests.item.at(.high))
    (record.size, record.tag) = (1_000, "\"a\"")
    let window = StreamWindow(1, from: 500)
    window.took([9])
    #expect(window.read(at: 500, most: 10) == nil, "nobody has said yet that these are the right ones")
    #expect(window.heard(Self.answer(206, [Self.range, Self.tag]), of: record))
    window.took(Array(0..<100))
    #expect(window.covers(500) && window.covers(700) && !window.covers(499))
    #expect(window.read(at: 500, most: 10) == Array(0..<10))
    #expect(!window.covers(505) && window.covers(510))
    #expect(window.read(at: 520, most: 5) == Array(20..<25))
    #expect(window.read(at: 600, most: 5) == nil)
    window.took([100, 101])
    #expect(window.read(at: 600, most: 5) == [100, 101])
    window.ended()
    #expect(!window.covers(602))
  }
}
