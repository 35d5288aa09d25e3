import Runtime
import TestSupport
import Testing

@testable import Offline

/// A download that is told events, its answers kept.
struct Told {
  var download = Download(MediaKey(source: "shop", item: "song", quality: .high), queuedAt: 1)
  var random = SeededGenerator(seed: 1)
  var last: [Download.Action] = []

  static let size: Int64 = 3 << 20

  mutating func hear(_ event: Download.Event) {
    last = download.hear(event, date: 7, using: &random)
  }

  var record: DownloadRecord { download.record }
  var ticket: Download.Ticket { download.ticket }

  static func answer(_ status: Int, _ headers: [(String, String)] = []) -> MediaResponse {
    HeaderTests.answer(headers, status: status)
  }

  /// The whole, from byte 0.
  static let whole = answer(200, [("Content-Length", "\(size)"), ("ETag", "\"a\"")])

  static func rest(from: Int64, tag: String = "\"a\"") -> MediaResponse {
    answer(206, [("Content-Range", "bytes \(from)-\(size - 1)/\(size)"), ("ETag", tag)])
  }

  /// As far as bytes that come in.
  mutating func beginFetching(_ place: Download.SourceFacts = .init(size: size, hash: "abc")) {
    hear(.start)
    hear(.resolved(ticket, place))
    hear(.answered(ticket, Self.whole))
  }

  mutating func bring(_ count: Int64) {
    hear(.took(ticket, Int(count)))
    hear(.synced(ticket, upTo: download.arrived))
  }

  /// As many pieces as it is told of.
  mutating func bring(_ piece: Pieces.Piece) {
    hear(.took(ticket, piece.range.count))
    hear(.synced(ticket, upTo: download.arrived, piece))
  }

  /// All of it came, was right, and has its name.
  static func completed() -> Told {
    var it = Told()
    it.beginFetching()
    it.bring(size)
    it.hear(.ended(it.ticket))
    it.hear(.verified(it.ticket, .right(hash: "abc")))
    it.hear(.published(it.ticket, path: "x"))
    return it
  }

  var isStoredFirst: Bool {
    guard let first = last.first else { return true }
    if case .store = first { return true } else { return false }
  }
}

@Suite("Download")
struct DownloadTests {
  @Test("from wanted to whole, each step stored before it is taken")
  func straight() {
    var it = Told()
    it.hear(.start)
    #expect(it.record.state == .downloading(.resolving) && it.isStoredFirst)
    it.hear(.resolved(it.ticket, .init(size: Told.size, hash: "abc")))
    #expect(it.record.state == .downloading(.fetching) && it.isStoredFirst)
    #expect(it.last.suffix(2) == [.cutBack(to: 0), .fetch(it.ticket, Asked(from: 0))])
    it.hear(.answered(it.ticket, Told.whole))
    // Nothing stands between these bytes and whoever listens.
    #expect(it.record.tag == "\"a\"" && it.last == [])
    it.hear(.took(it.ticket, 1 << 20))
    #expect(
      it.last == [
        .write(it.ticket, at: 0, skipping: 0, count: 1 << 20), .sync(it.ticket, upTo: 1 << 20),
      ])
    it.hear(.synced(it.ticket, upTo: 1 << 20))
    #expect(it.record.durable == 1 << 20 && it.last.first == .store(it.record))
    it.hear(.took(it.ticket, 2 << 20))
    it.hear(.synced(it.ticket, upTo: 3 << 20))
    it.hear(.ended(it.ticket))
    #expect(it.last.last == .verify(it.ticket, size: Told.size, hash: "abc") && it.isStoredFirst)
    it.hear(.verified(it.ticket, .right(hash: "abc")))
    #expect(it.last.last == .publish(it.ticket) && it.record.state == .downloading(.publishing))
    it.hear(.published(it.ticket, path: "media/aa/1.flac"))
    #expect(it.record.state == .completed && it.record.path == "media/aa/1.flac" && it.isStoredFirst)
    #expect(it.last.last == .tell(.completed(it.download.key, bytes: Told.size)))
  }

  @Test("of a source that says no size, no server can make a range that is too much to count")
  func endlessRange() {
    for range in [
      "bytes 0-9223372036854775807/*", "bytes 0-\(MediaResponse.longestFile)/*", "bytes 0-9/9223372036854775807",
    ] {
      var it = Told()
      it.hear(.start)
      it.hear(.resolved(it.ticket, .init()))
      it.hear(.answered(it.ticket, Told.answer(206, [("Content-Range", range)])))
      it.hear(.took(it.ticket, 100))
      it.hear(.ended(it.ticket))
      #expect(it.record.state != .completed && it.record.durable == 0, "\(range)")
    }
  }

  @Test("the end of a body waits for its last bytes to be durable")
  func endWaits() {
    var it = Told()
    it.beginFetching()
    it.hear(.took(it.ticket, Int(Told.size)))
    it.hear(.ended(it.ticket))
    #expect(it.last == [])
    it.hear(.synced(it.ticket, upTo: Told.size))
    #expect(it.record.state == .downloading(.verifying))
  }

  @Test("news of work that is over changes nothing")
  func oldNews() {
    var it = Told()
    it.beginFetching()
    let old = it.ticket
    it.bring(1 << 20)
    it.hear(.pause)
    let before = it.download
    for event in [
      Download.Event.took(old, 5), .ended(old), .failed(old, .stalled), .synced(old, upTo: 5), .due(old),
      .answered(old, Told.whole), .verified(old, .wrong), .published(old, path: "x"), .resolved(old, .init()),
    ] {
      it.hear(event)
      #expect(it.last == [] && it.download == before)
    }
  }

  @Test("a line that breaks keeps what has come, and goes on behind it")
  func breaks() {
    var it = Told()
    it.beginFetching(.init())
    it.hear(.took(it.ticket, 300_000))
    it.hear(.failed(it.ticket, .network(.reset)))
    // First what is here is made durable.
    #expect(it.last.last == .sync(it.ticket, upTo: 300_000) && it.record.state == .downloading(.fetching))
    it.hear(.synced(it.ticket, upTo: 300_000))
    #expect(it.record.state == .retrying && it.record.durable == 300_000 && it.record.retry.attempts == 1)
    it.hear(.due(it.ticket))
    #expect(it.record.isReady)
    it.hear(.start)
    it.hear(.resolved(it.ticket, .init()))
    #expect(it.last.suffix(2) == [.cutBack(to: 300_000), .fetch(it.ticket, Asked(from: 300_000, ifRange: "\"a\""))])
    it.hear(.answered(it.ticket, Told.rest(from: 300_000)))
    it.hear(.took(it.ticket, 9))
    #expect(it.last.first == .write(it.ticket, at: 300_000, skipping: 0, count: 9))
  }

  @Test("a body that ends too early is a broken line, and one that is too long is another version")
  func lengths() {
    var it = Told()
    it.beginFetching()
    it.bring(1 << 20)
    it.hear(.ended(it.ticket))
    #expect(it.record.state == .retrying && it.record.trouble == .network(.reset) && it.record.durable == 1 << 20)
    it.hear(.due(it.ticket))
    it.hear(.start)
    it.hear(.resolved(it.ticket, .init(size: Told.size, hash: "abc")))
    it.hear(.answered(it.ticket, Told.rest(from: 1 << 20)))
    it.hear(.took(it.ticket, 2 << 20 | 1))
    #expect(it.record.trouble == .wrongLength && it.record.durable == 0)
    #expect(!it.last.contains { if case .write = $0 { true } else { false } })
  }

  @Test("a range that was ignored begins at the beginning, stored before the file is cut")
  func ignoredRange() {
    var it = Told()
    it.beginFetching(.init())
    it.bring(1 << 20)
    it.hear(.failed(it.ticket, .stalled))
    it.hear(.due(it.ticket))
    it.hear(.start)
    it.hear(.resolved(it.ticket, .init()))
    it.hear(.answered(it.ticket, Told.answer(200, [("Content-Length", "77"), ("ETag", "\"b\"")])))
    #expect(it.last == [.store(it.record), .cutBack(to: 0)])
    #expect(it.record.durable == 0 && it.record.tag == "\"b\"" && it.record.size == 77)
  }

  @Test("bytes of a version with another name are judged by the hash alone from then on")
  func names() {
    var it = Told()
    it.beginFetching()
    it.bring(1 << 20)
    it.hear(.failed(it.ticket, .stalled))
    it.hear(.due(it.ticket))
    it.hear(.start)
    it.hear(.resolved(it.ticket, .init(size: Told.size, hash: "abc")))
    it.hear(.answered(it.ticket, Told.rest(from: 1 << 20, tag: "\"b\"")))
    #expect(it.record.tag == nil && it.record.durable == 1 << 20)
  }

  @Test("a wrong hash takes everything back, and the third ends it")
  func wrongHash() {
    var it = Told()
    for attempt in 1...3 {
      it.beginFetching()
      it.bring(Told.size)
      it.hear(.ended(it.ticket))
      it.hear(.verified(it.ticket, attempt == 2 ? .right(hash: "other") : .wrong))
      #expect(it.record.durable == 0 && it.record.trouble == .wrongHash)
      #expect(it.record.state == (attempt < 3 ? .retrying : .failed))
      it.hear(.due(it.ticket))
    }
  }

  @Test("an expired address is fetched anew, and the transfer goes on from the same byte")
  func expired() {
    var it = Told()
    it.beginFetching()
    it.bring(1 << 20)
    it.hear(.failed(it.ticket, .network(.reset)))
    it.hear(.due(it.ticket))
    it.hear(.start)
    it.hear(.resolved(it.ticket, .init(size: Told.size, hash: "abc")))
    let attempts = it.record.retry.attempts
    it.hear(.answered(it.ticket, Told.answer(403)))
    #expect(it.last.last == .resolve(it.ticket, isAnew: true) && it.record.retry.attempts == attempts)
    it.hear(.resolved(it.ticket, .init(size: Told.size, hash: "abc")))
    #expect(it.last.last == .fetch(it.ticket, Asked(from: 1 << 20)))
    it.hear(.answered(it.ticket, Told.answer(403)))
    #expect(it.record.state == .failed && it.record.trouble == .httpStatus(403) && it.record.durable == 1 << 20)
  }

  @Test("nothing is asked for twice after 416")
  func beyond() {
    var it = Told()
    it.beginFetching(.init())
    it.bring(Told.size - 9)
    it.hear(.failed(it.ticket, .stalled))
    it.hear(.due(it.ticket))
    it.hear(.start)
    it.hear(.resolved(it.ticket, .init()))
    let from = Told.size - 9
    it.hear(.answered(it.ticket, Told.answer(416)))
    #expect(it.last.last == .fetch(it.ticket, Asked(from: from - 1, ifRange: "\"a\"")))
    #expect(it.record.refusedFrom == from && it.isStoredFirst)
    it.hear(.answered(it.ticket, Told.answer(416)))
    #expect(it.record.state == .retrying && it.record.durable == 0)
  }

  @Test("a portal's page, a full disk and a wrong clock are waited for, and use nothing up")
  func waits() {
    for (trouble, reason) in [(Trouble.noSpace, WaitReason.space), (.clockWrong, .clock), (.portal, .portal)] {
      var it = Told()
      it.beginFetching()
      it.bring(1 << 20)
      it.hear(.failed(it.ticket, trouble))
      #expect(it.record.state == .queued && it.record.waits == reason && !it.record.isReady && it.isStoredFirst)
      it.hear(.start)
      #expect(it.last == [])
      it.hear(.lifted(.battery))
      #expect(it.last == [])
      it.hear(.lifted(reason))
      #expect(it.record.isReady && it.record.retry.attempts == 0 && it.record.durable == 1 << 20)
    }
    var it = Told()
    it.hear(.start)
    it.hear(.resolved(it.ticket, .init()))
    it.hear(.answered(it.ticket, Told.answer(200, [("Content-Type", "text/html")])))
    #expect(it.record.waits == .portal)
  }

  @Test("what loses its place keeps what has come, and has not failed")
  func holds() {
    var it = Told()
    it.beginFetching()
    it.hear(.took(it.ticket, 500))
    it.hear(.hold)
    #expect(it.last.first == .stop(Download.Ticket(number: it.ticket.number - 1)))
    it.hear(.synced(it.ticket, upTo: 500))
    #expect(it.record.isReady && it.record.durable == 500 && it.record.retry.attempts == 0)
  }

  @Test("paused is paused until it is resumed, also while bytes are made durable")
  func pauses() {
    var it = Told()
    it.beginFetching()
    it.hear(.took(it.ticket, 500))
    it.hear(.failed(it.ticket, .stalled))
    it.hear(.pause)
    it.hear(.synced(it.ticket, upTo: 500))
    #expect(it.record.state == .paused && it.record.durable == 500)
    for event in [Download.Event.start, .lifted(.portal), .due(it.ticket), .hold, .again, .pause] {
      it.hear(event)
      #expect(it.last == [], "\(event)")
    }
    it.hear(.resume)
    #expect(it.record.isReady)
  }

  @Test("cancelled is stored before anything is thrown away, and nothing stays")
  func cancels() {
    var it = Told()
    it.beginFetching()
    it.bring(1 << 20)
    let old = it.ticket
    it.hear(.cancel)
    #expect(it.last == [.store(it.record), .tell(.stateChanged(it.download.key, .cancelled)), .stop(old), .discard])
    #expect(it.record.durable == 0 && it.record.tag == nil)
    it.hear(.again)
    #expect(it.record.isReady)
  }

  @Test("cancelled while it gets its name, it is thrown away when it has it")
  func cancelsLate() {
    var it = Told()
    it.beginFetching()
    it.bring(Told.size)
    it.hear(.ended(it.ticket))
    it.hear(.verified(it.ticket, .right(hash: "abc")))
    it.hear(.cancel)
    #expect(it.last == [])
    it.hear(.published(it.ticket, path: "x"))
    #expect(it.record.state == .cancelled && it.last.contains(.discard))
  }

  @Test("a completed one is deleted by cancelling it, and fetched again when its file is lost")
  func completed() {
    var it = Told.completed()
    var other = it
    it.hear(.cancel)
    #expect(it.record.state == .cancelled && it.last.contains(.tell(.deleted(it.download.key))))
    other.hear(.lost)
    #expect(other.record.isReady && other.record.trouble == .lost && other.record.durable == 0)
  }

  @Test("a completed one that is not the newest is fetched anew, and stays until that is whole")
  func outdated() {
    var it = Told.completed()
    it.hear(.outdated)
    #expect(it.record.isReady && it.record.path == "x" && it.record.durable == 0 && !it.last.contains(.discard))
    #expect(OfflineState(it.record, isThere: true) == .valid)
    #expect(OfflineState(it.record, isThere: false) == .notValid)
    // With the power gone in between its row names it still; without its file it does not.
    var remains = Download.Remains()
    #expect(Download.restored(it.record, remains).download.record.path == nil)
    remains.hasOlder = true
    #expect(Download.restored(it.record, remains).download.record == it.record)
    it.hear(.cancel)
    #expect(it.record.path == nil && it.last.contains(.discard) && it.last.contains(.tell(.deleted(it.download.key))))
  }

  @Test("a source with another hash, or another length, begins anew")
  func otherVersion() {
    for place in [
      Download.SourceFacts(size: Told.size, hash: "def"), .init(size: Told.size + 5), .init(size: 5, hash: "abc"),
    ] {
      var it = Told()
      it.beginFetching()
      it.bring(1 << 20)
      it.hear(.failed(it.ticket, .stalled))
      it.hear(.due(it.ticket))
      it.hear(.start)
      it.hear(.resolved(it.ticket, place))
      #expect(it.last.last == .fetch(it.ticket, Asked(from: 0)), "\(place)")
    }
  }

  @Test("the rest in parts is asked for part by part")
  func parts() {
    var it = Told()
    it.beginFetching()
    it.bring(1 << 20)
    it.hear(.failed(it.ticket, .stalled))
    it.hear(.due(it.ticket))
    it.hear(.start)
    it.hear(.resolved(it.ticket, .init(size: Told.size, hash: "abc")))
    let range = "bytes \(1 << 20)-\((2 << 20) - 1)/\(Told.size)"
    it.hear(.answered(it.ticket, Told.answer(206, [("Content-Range", range)])))
    it.bring(1 << 20)
    it.hear(.ended(it.ticket))
    #expect(it.last.last == .fetch(it.ticket, Asked(from: 2 << 20)) && it.record.retry.attempts == 0)
  }
}
