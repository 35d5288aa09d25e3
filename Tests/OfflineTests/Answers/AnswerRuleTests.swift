import Runtime
import Testing

@testable import Offline

/// What is here, what comes, and what that means. The file is 1,000 bytes long, of the version "a".
struct AnswerCase: Sendable, CustomTestStringConvertible {
  enum Here: Sendable {
    /// Nothing.
    case none
    /// Length, hash and nothing else; length from the source.
    case known
    case nothingButKnown
    /// A strong tag, and the length as an answer told it.
    case tagged
    /// A strong tag and no length.
    case taggedOnly
    case wholeKnown, wholeTagged
    /// 416 without a length was answered already.
    case refused
    /// Nothing to resume by.
    case bare
  }

  let what: String
  let here: Here
  let status: Int
  let headers: [(String, String)]
  let meaning: AnswerRule.Meaning

  init(_ what: String, _ here: Here, _ status: Int, _ headers: [(String, String)], _ meaning: AnswerRule.Meaning) {
    (self.what, self.here, self.status, self.headers, self.meaning) = (what, here, status, headers, meaning)
  }

  var testDescription: String { "\(status): \(what)" }

  var held: Held {
    switch here {
    case .none: Held()
    case .known: Held(durable: 400, tag: "\"a\"", size: 1_000, isSizeSure: true, hasHash: true)
    case .nothingButKnown: Held(size: 1_000, isSizeSure: true, hasHash: true)
    case .tagged: Held(durable: 400, tag: "\"a\"", size: 1_000)
    case .taggedOnly: Held(durable: 400, tag: "\"a\"")
    case .wholeKnown: Held(durable: 1_000, size: 1_000, isSizeSure: true, hasHash: true)
    case .wholeTagged: Held(durable: 1_000, tag: "\"a\"")
    case .refused: Held(durable: 400, tag: "\"a\"", refusedFrom: 400)
    case .bare: Held(durable: 400)
    }
  }

  var answer: MediaResponse { HeaderTests.answer(headers, status: status) }

  static let flac = ("Content-Type", "audio/flac")
  static let a = ("ETag", "\"a\"")
  static let b = ("ETag", "\"b\"")
  static let rest = ("Content-Range", "bytes 400-999/1000")

  static let wholes: [AnswerCase] = [
    .init("the whole, of which nothing is known", .none, 200, [flac], .whole),
    .init("the whole, as long as it must be", .nothingButKnown, 200, [("Content-Length", "1000"), flac], .whole),
    .init("the whole, of unknown length", .nothingButKnown, 200, [flac], .whole),
    .init("the whole without a type", .none, 200, [("Content-Length", "5")], .whole),
    .init("the range was ignored", .known, 200, [("Content-Length", "1000"), a], .whole),
    .init("If-Range has found another version", .tagged, 200, [("Content-Length", "1200"), b], .whole),
    .init(
      "another length than the source says", .known, 200, [("Content-Length", "999")], .again(.wrongLength, after: nil)),
    .init("longer than the source says", .known, 200, [("Content-Length", "1001")], .again(.wrongLength, after: nil)),
    .init("an empty one", .none, 200, [("Content-Length", "0")], .again(.notMusic, after: nil)),
    .init(
      "packed", .known, 200, [("Content-Encoding", "gzip"), ("Content-Length", "7")], .again(.encoded, after: nil)),
    .init("packed twice", .none, 200, [("Content-Encoding", "br, gzip")], .again(.encoded, after: nil)),
    .init("packed by name only", .none, 200, [("Content-Encoding", "identity")], .whole),
    .init(
      "two lengths", .none, 200, [("Content-Length", "5"), ("Content-Length", "6")], .again(.nonsense, after: nil)),
    .init("a page", .none, 200, [("Content-Type", "text/html")], .portal),
    .init(
      "a page as long as the music", .known, 200, [("Content-Length", "1000"), ("Content-Type", "text/html")], .portal),
    .init("an error as XML", .tagged, 200, [("Content-Type", "text/xml; charset=utf-8")], .portal),
    .init("an error as Subsonic's XML", .tagged, 200, [("Content-Type", "application/xml")], .portal),
    .init("an error as JSON", .tagged, 200, [("Content-Type", "application/json")], .again(.notMusic, after: nil)),
    .init("plain words", .tagged, 200, [("Content-Type", "text/plain")], .again(.notMusic, after: nil)),
    .init(
      "plain words, as long as the music", .known, 200, [("Content-Length", "1000"), ("Content-Type", "text/plain")],
      .whole),
    .init(
      "JSON as long as the music", .known, 200, [("Content-Length", "1000"), ("Content-Type", "application/json")],
      .again(.notMusic, after: nil)),
    .init(
      "plain words of another length", .known, 200, [("Content-Length", "19"), ("Content-Type", "text/plain")],
      .again(.notMusic, after: nil)),
    .init("accepted, and not made yet", .none, 202, [("Retry-After", "9")], .again(.notMusic, after: .seconds(9))),
    .init("somebody between has changed it", .none, 203, [flac], .again(.notMusic, after: nil)),
    .init("no content", .known, 204, [], .again(.notMusic, after: nil)),
    .init("no content, and a page", .known, 204, [("Content-Type", "text/html")], .portal),
  ]

  static let parts: [AnswerCase] = [
    .init("the rest of the same version", .tagged, 206, [rest, a, flac], .append(at: 400, skipping: 0)),
    .init(
      "the rest, its length not told", .tagged, 206, [("Content-Range", "bytes 400-999/*"), a],
      .append(at: 400, skipping: 0)),
    .init(
      "the rest, of a server that has no type for it", .known, 206, [rest, ("Content-Type", "text/plain")],
      .append(at: 400, skipping: 0)),
    .init(
      "plain words of another whole", .known, 206,
      [("Content-Range", "bytes 400-418/419"), ("Content-Type", "text/plain")], .again(.notMusic, after: nil)),
    .init("the rest of another version", .tagged, 206, [rest, b], .startOver(.changed)),
    .init("the rest, its version not told", .tagged, 206, [rest], .startOver(.changed)),
    .init("the rest of one that looks alike", .tagged, 206, [rest, ("ETag", "W/\"a\"")], .startOver(.changed)),
    .init("another name each time, and the hash decides", .known, 206, [rest, b], .append(at: 400, skipping: 0)),
    .init("no name, and the hash decides", .known, 206, [rest], .append(at: 400, skipping: 0)),
    .init("a part of the rest", .known, 206, [("Content-Range", "bytes 400-499/1000")], .append(at: 400, skipping: 0)),
    .init(
      "some that is here already", .known, 206, [("Content-Range", "bytes 300-999/1000")],
      .append(at: 400, skipping: 100)),
    .init("all, as a part", .tagged, 206, [("Content-Range", "bytes 0-999/1000"), a], .append(at: 400, skipping: 400)),
    .init("a gap", .known, 206, [("Content-Range", "bytes 401-999/1000")], .startOver(.wrongRange)),
    .init("nothing but what is here", .known, 206, [("Content-Range", "bytes 0-399/1000")], .startOver(.wrongRange)),
    .init(
      "another total, against an answer", .tagged, 206, [("Content-Range", "bytes 400-1199/1200"), a],
      .startOver(.changed)),
    .init(
      "another total, against the source", .known, 206, [("Content-Range", "bytes 400-1199/1200"), a],
      .again(.wrongLength, after: nil)),
    .init("beyond the end", .known, 206, [("Content-Range", "bytes 400-1000/*")], .startOver(.changed)),
    .init("no range told", .known, 206, [a], .startOver(.wrongRange)),
    .init(
      "a range that makes no sense", .known, 206, [("Content-Range", "bytes 999-400/1000")], .startOver(.wrongRange)),
    .init("none of the range", .known, 206, [("Content-Range", "bytes */1000")], .startOver(.wrongRange)),
    .init(
      "a range that no number can hold", .none, 206,
      [("Content-Range", "bytes 0-9223372036854775807/*"), ("Content-Length", "5")], .startOver(.wrongRange)),
    .init("a length that is not the range's", .known, 206, [rest, ("Content-Length", "500")], .startOver(.wrongRange)),
    .init(
      "a length that is the range's", .known, 206, [rest, ("Content-Length", "600")], .append(at: 400, skipping: 0)),
    .init(
      "several parts", .known, 206, [rest, ("Content-Type", "multipart/byteranges; boundary=x")],
      .startOver(.wrongRange)),
    .init("a packed part", .known, 206, [rest, ("Content-Encoding", "gzip")], .again(.encoded, after: nil)),
    .init("a part of a page", .known, 206, [rest, ("Content-Type", "text/html")], .portal),
    .init("a part nobody asked for, from the beginning", .none, 206, [("Content-Range", "bytes 0-9/1000")], .whole),
    .init("a part nobody asked for", .none, 206, [("Content-Range", "bytes 5-9/1000")], .startOver(.wrongRange)),
    .init("without name and hash the whole was asked for", .bare, 206, [("Content-Range", "bytes 0-999/1000")], .whole),
    .init(
      "the byte before, to learn the length", .refused, 206, [("Content-Range", "bytes 399-999/1000"), a],
      .append(at: 400, skipping: 1)),
    .init("the byte before is the last", .refused, 206, [("Content-Range", "bytes 399-399/400"), a], .verify),
  ]

  static let ends: [AnswerCase] = [
    .init("as many as are here", .taggedOnly, 416, [("Content-Range", "bytes */400")], .verify),
    .init("as many as are here and must be", .wholeKnown, 416, [("Content-Range", "bytes */1000")], .verify),
    .init("fewer than are here", .taggedOnly, 416, [("Content-Range", "bytes */399")], .startOver(.changed)),
    .init("more than are here", .taggedOnly, 416, [("Content-Range", "bytes */500")], .startOver(.wrongRange)),
    .init(
      "another length than the source says", .known, 416, [("Content-Range", "bytes */400")],
      .again(.wrongLength, after: nil)),
    .init("nothing told, and the hash can decide", .wholeKnown, 416, [], .verify),
    .init("nothing told", .wholeTagged, 416, [], .ask(from: 999)),
    .init("nothing told, to the byte before too", .refused, 416, [], .startOver(.wrongRange)),
    .init(
      "a range that makes no sense is none", .wholeTagged, 416, [("Content-Range", "bytes 0-5/9")], .ask(from: 999)),
    .init("to a request for the whole", .none, 416, [("Content-Range", "bytes */5")], .again(.nonsense, after: nil)),
    .init("the version that was asked for is gone", .tagged, 412, [], .startOver(.changed)),
  ]

  static let troubles: [AnswerCase] = [
    .init("permission", .known, 401, [], .address(.httpStatus(401))),
    .init("an old address", .known, 403, [], .address(.httpStatus(403))),
    .init("gone", .known, 410, [], .address(.httpStatus(410))),
    .init("not there", .known, 404, [], .fail(.httpStatus(404))),
    .init("not there, with a page", .known, 404, [("Content-Type", "text/html")], .fail(.httpStatus(404))),
    .init("a bad request", .known, 400, [], .fail(.httpStatus(400))),
    .init("a proxy's permission", .known, 407, [], .fail(.httpStatus(407))),
    .init("for legal reasons", .known, 451, [], .fail(.httpStatus(451))),
    .init("too slow for it", .known, 408, [], .again(.httpStatus(408), after: nil)),
    .init("too early", .known, 425, [], .again(.httpStatus(425), after: nil)),
    .init("too many", .known, 429, [], .again(.httpStatus(429), after: nil)),
    .init(
      "too many, and when again", .known, 429, [("Retry-After", "30")], .again(.httpStatus(429), after: .seconds(30))),
    .init("an error of its own", .known, 500, [], .again(.httpStatus(500), after: nil)),
    .init("an error with a page", .known, 502, [("Content-Type", "text/html")], .again(.httpStatus(502), after: nil)),
    .init(
      "busy, and when again", .known, 503, [("Retry-After", "120")], .again(.httpStatus(503), after: .seconds(120))),
    .init("too slow behind it", .known, 504, [], .again(.httpStatus(504), after: nil)),
    .init("log in to the network", .known, 511, [], .portal),
    .init("elsewhere, and not followed", .known, 302, [], .again(.httpStatus(302), after: nil)),
    .init("unchanged, which nobody asked", .known, 304, [], .again(.httpStatus(304), after: nil)),
    .init("no status at all", .known, 0, [], .again(.unknown, after: nil)),
    .init("a status of another world", .known, 999, [], .again(.unknown, after: nil)),
  ]
}

@Suite("What an answer means")
struct AnswerRuleTests {
  @Test("bodies that are the whole", arguments: AnswerCase.wholes)
  func wholes(answer: AnswerCase) { judge(answer) }

  @Test("bodies that are a part", arguments: AnswerCase.parts)
  func parts(answer: AnswerCase) { judge(answer) }

  @Test("nothing more to give", arguments: AnswerCase.ends)
  func ends(answer: AnswerCase) { judge(answer) }

  @Test("troubles", arguments: AnswerCase.troubles)
  func troubles(answer: AnswerCase) { judge(answer) }

  private func judge(_ it: AnswerCase) {
    #expect(AnswerRule.meaning(of: it.answer, to: it.held.asking, with: it.held) == it.meaning)
  }

  @Test("a rest is asked for by hash, or by a strong tag with If-Range, or not at all")
  func asking() {
    #expect(Held().asking == Asked(from: 0))
    #expect(Held(durable: 9).asking == Asked(from: 0))
    #expect(Held(durable: 9, tag: "\"a\"").asking == Asked(from: 9, ifRange: "\"a\""))
    #expect(Held(durable: 9, tag: "\"a\"", hasHash: true).asking == Asked(from: 9))
    #expect(Held(durable: 9, hasHash: true).asking == Asked(from: 9))
    #expect(Held(durable: 9, tag: "\"a\"", refusedFrom: 9).asking == Asked(from: 8, ifRange: "\"a\""))
    #expect(Held(durable: 1, tag: "\"a\"", refusedFrom: 1).asking == Asked(from: 0))
  }

  @Test("whatever comes, only bytes that join what is here are put to it")
  func law() {
    let headers = [AnswerCase.a, AnswerCase.b, AnswerCase.flac, AnswerCase.rest]
    for here in [AnswerCase.Here.none, .known, .tagged, .taggedOnly, .wholeTagged, .refused, .bare] {
      for status in 0...600 {
        for chosen in 0..<(1 << headers.count) {
          let some = headers.enumerated().filter { chosen >> $0.offset & 1 == 1 }.map(\.element)
          let held = AnswerCase("", here, status, some, .verify).held
          let answer = HeaderTests.answer(some, status: status)
          let meaning = AnswerRule.meaning(of: answer, to: held.asking, with: held)
          guard case .append(let at, let skipping) = meaning else { continue }
          #expect(at == held.durable && skipping >= 0 && status == 206)
          #expect(held.hasHash || answer.tag?.text == held.tag)
        }
      }
    }
  }
}
