import HTTP
import Offline

/// Heads of a server's answers, one after the other, as a download meets them that goes on after each: what they say of
/// lengths and ranges is counted with, and nothing that they say puts bytes where they do not belong.
@Sendable func answer(_ bytes: [UInt8]) {
  var known = AnsweredDownload(sized: true)
  var unknown = AnsweredDownload(sized: false)
  var reader = HeadReader()
  for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
    let whole = Array(line) + [0x0A]
    switch whole.withUnsafeBytes({ reader.take($0) }) {
    case .more: continue
    case .tooLarge, .malformed: return
    case .whole(let head):
      let answer = MediaResponse(
        status: head.status, headers: head.headers.map { ($0.name, $0.value) }, now: 1_800_000_000)
      check(answer)
      known.meet(answer)
      unknown.meet(answer)
      reader = HeadReader()
    }
  }
}

private func check(_ answer: MediaResponse) {
  for length in [answer.length, answer.total].compactMap({ $0 }) {
    precondition((0...MediaResponse.longestFile).contains(length), "longer than any file")
  }
  if case .part(let first, let last, let total)? = answer.range {
    precondition(0 <= first && first <= last && last < total ?? .max, "a range that is none")
    precondition(last <= MediaResponse.longestFile, "a range beyond any file")
  }
  if let pause = answer.retryAfter {
    precondition(.zero <= pause && pause <= .seconds(366 * 86_400), "a pause too long")
  }
  for held in allHeld {
    let meaning = AnswerRule.meaning(of: answer, to: held.asking, with: held)
    guard case .append(let at, let skipping) = meaning else { continue }
    precondition(answer.status == 206 && at == held.durable && (0...at).contains(skipping), "bytes where none belong")
    precondition(held.hasHash || answer.tag?.text == held.tag, "another version's bytes")
  }
}

/// What can be here of a file already.
private let allHeld = [
  Held(), Held(durable: 400), Held(durable: 400, tag: "\"a\""), Held(durable: 400, tag: "\"a\"", size: 1_000),
  Held(durable: 400, size: 1_000, isSizeSure: true, hasHash: true), Held(durable: 1_000, size: 1_000, hasHash: true),
  Held(durable: 400, tag: "\"a\"", refusedFrom: 400), Held(durable: MediaResponse.longestFile, tag: "\"a\""),
]

private struct AnsweredDownload {
  private var download = Download(MediaKey(source: "shop", item: "song", quality: .high))
  private let place: Download.SourceFacts
  private var dice = SteadyDice()

  /// Or its source says nothing but where it is.
  init(sized: Bool) { place = sized ? .init(size: 50_000, hash: "abc") : .init() }

  /// Asks, is answered so, and gets some bytes before the line breaks. What all these bytes are together is never right.
  mutating func meet(_ answer: MediaResponse) {
    for event in [Download.Event.again, .due(download.ticket), .start] { hear(event) }
    hear(.resolved(download.ticket, place))
    hear(.answered(download.ticket, answer))
    hear(.took(download.ticket, 20_000))
    hear(.synced(download.ticket, upTo: download.arrived))
    hear(.failed(download.ticket, .network(.reset)))
    hear(.verified(download.ticket, .wrong))
  }

  private mutating func hear(_ event: Download.Event) {
    for action in download.hear(event, using: &dice) {
      switch action {
      case .write(_, let at, let skipping, let count):
        precondition(at >= 0 && (0...count).contains(skipping), "bytes of nowhere")
        precondition(at + Int64(count - skipping) <= download.record.size ?? .max, "bytes beyond the end")
      case .fetch(_, let asked): precondition(asked.from >= 0 && asked.from <= download.record.durable, "a gap")
      case .publish: preconditionFailure("wrong bytes are published")
      default: break
      }
    }
    precondition((0...(download.record.size ?? .max)).contains(download.record.durable), "more than there is")
  }
}

/// The same at each try.
private struct SteadyDice: RandomNumberGenerator {
  private var last: UInt64 = 1

  mutating func next() -> UInt64 {
    last = last &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return last
  }
}
