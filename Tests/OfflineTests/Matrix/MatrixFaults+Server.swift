import FaultServer
import Runtime

@testable import Offline

/// What servers, proxies, hotels and lines do with a file.
enum MatrixFaults {
  private static func on(
    _ name: String, _ act: Act, at standings: [Stage] = Stage.allCases, _ taken: Taken
  ) -> MatrixFault {
    MatrixFault(name, .server([act]), at: standings, taken)
  }

  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/flac\r\n"

  static let lines: [MatrixFault] = [
    on("cut before the first byte", .cut(at: 0), .retries(.network(.reset))).forever(.waits(.server)),
    on("cut at byte 1", .cut(at: 1), at: [.fresh, .begun, .restarted, .resumed, .unknown, .named], reset),
    on("cut at byte 1000", .cut(at: 1_000), at: [.fresh, .begun, .restarted, .resumed, .unknown, .named], reset)
      .forever(.waits(.server)),
    // Who comes a little further each time is tried for ever.
    on("cut at byte 16384", .cut(at: 16_384), at: [.fresh, .begun, .restarted, .resumed, .unknown, .named], reset)
      .forever(.quietly),
    on("cut before the last byte", .cut(at: 59_999), at: [.begun, .restarted, .resumed, .named], reset),
    on("reset in the middle", .reset(at: 20_000), at: [.fresh, .begun, .restarted, .resumed, .unknown], reset),
    on("reset before a word", .broken(.raw([]), after: 0, .reset), reset),
    on("an end before a word", .raw([]), reset).forever(.waits(.server)),
    on("half a head", .raw(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), reset),
    on("no HTTP", .raw(Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8)), .retries(.nonsense)).forever(.fails(.nonsense)),
    on("more headers than anybody reads", .manyHeaders(200), .retries(.nonsense)),
    on("silence", .silence, at: [.fresh, .begun, .restarted], .retries(.stalled)).forever(.waits(.server)),
    on("silence in the middle", .stall(at: 20_000), at: [.fresh, .begun, .resumed], .retries(.stalled)),
    on(
      "a drop at a time", .slowly(.honest, bytes: 50, every: .milliseconds(100)), at: [.fresh, .begun, .restarted],
      .retries(.stalled)),
    on(
      "an end where no length was said",
      .raw(Array((head + "\r\n").utf8) + MatrixWorld.song.bytes.prefix(50_000)),
      at: Stage.middle + [.fresh], reset),
  ]

  private static let reset = Taken.retries(.network(.reset))
  /// It is being replaced, and its index says of the old one how long it is.
  private static let other = Taken.retries(.wrongLength)

  static let parts: [MatrixFault] = [
    on("a part that begins later", .shifted(by: 100), .retries(.wrongRange)).startingOver
      .forever(.waits(.server)),
    on("a part that begins earlier", .shifted(by: -100), .quietly).forever(.quietly),
    on("a part whose bytes begin later than it says", .misplaced(by: 100), .retries(.wrongRange))
      .but([.nearlyWhole], .retries(.wrongRange)).startingOver.forever(.waits(.server)),
    on("ranges are ignored", .rangeIgnored, at: Stage.behind + [.named], .quietly).startingOver.forever(.quietly),
    on("more is promised than there is", .promising(more: 1_000), .retries(.wrongRange))
      .but([.fresh], other).but([.unknown], reset).startingOver.forever(.waits(.server)),
    on(
      "less is promised than there is", .broken(.promising(more: -1_000), after: 59_000, .end),
      at: Stage.middle + [.fresh, .named],
      .retries(.wrongRange)
    ).but([.fresh], other).startingOver,
    on("gzip, not asked for", .encoded(as: "gzip"), .retries(.encoded)).forever(.fails(.encoded)),
    on("brotli, not asked for", .encoded(as: "br"), .retries(.encoded)),
    on("identity, said aloud", .encoded(as: "identity"), .quietly).forever(.quietly),
    on("a tag that is new with each visit", .otherETag("\"second\""), .quietly).forever(.quietly),
    on("a tag that is gone", .otherETag(nil), .quietly),
    on("a tag that is weak by now", .otherETag("W/\"first\""), .quietly),
    on("another version, as long", .other(MatrixWorld.other), at: Stage.promised + [.named], .retries(.wrongHash))
      .but([.named], .quietly).bringing(at: [.named]).startingOver.forever(.fails(.wrongHash)),
    on("another version, longer", .other(MatrixWorld.longer), at: Stage.promised + [.named], other)
      .but([.named], .quietly).bringing(at: [.named]).forever(.waits(.server)),
    on("another version, shorter", .other(MatrixWorld.shorter), at: Stage.promised + [.named], other)
      .but([.named], .quietly).bringing(at: [.named]).forever(.waits(.server)),
    on("an empty file", .answer(200, [("Content-Type", "audio/flac")], []), other)
      .but([.unknown, .named], .retries(.notMusic)).forever(.waits(.server)),
    on("a part without a range", .answer(206, [], [1, 2, 3]), .retries(.wrongRange)).startingOver,
    on(
      "two ranges that contradict each other",
      .answer(206, [("Content-Range", "bytes 0-2/9"), ("Content-Range", "bytes 1-3/9")], [1, 2, 3]),
      .retries(.nonsense)),
    on(
      "several parts in one", .answer(206, [("Content-Type", "multipart/byteranges; boundary=a")], [1, 2, 3]),
      .retries(.wrongRange)
    ).startingOver,
    on("a part whose total is not said", part(40_000..<100_000, of: "*"), at: Stage.middle + [.named], .quietly),
    on("half of the rest", part(40_000..<70_000, of: "100000"), at: Stage.middle + [.named], .quietly),
    on("a crumb of the rest", part(40_000..<40_100, of: "100000"), at: Stage.middle + [.named], reset),
  ]

  private static func part(_ range: Range<Int>, of total: String) -> Act {
    let said = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
    let headers = [("Content-Type", "audio/flac"), ("ETag", "\"first\""), ("Content-Range", said)]
    return .answer(206, headers, Array(MatrixWorld.song.bytes[range]))
  }

  static let statuses: [MatrixFault] = [
    on("401, then 200", .status(401), .byAddress).forever(.fails(.httpStatus(401))),
    on("403", .status(403), .byAddress).forever(.fails(.httpStatus(403))),
    on("410", .status(410), .byAddress).forever(.fails(.httpStatus(410))),
    MatrixFault(
      "401 and 403", .server([.status(401), .status(403)]), at: Stage.allCases, .fails(.httpStatus(403))),
    on("400", .status(400), .fails(.httpStatus(400))),
    on("404", .status(404), .fails(.httpStatus(404))).forever(.fails(.httpStatus(404))),
    on("451", .status(451), .fails(.httpStatus(451))),
    on("408", .status(408), .retries(.httpStatus(408))),
    on("412", .status(412), .retries(.changed)).startingOver,
    on("416 that says no length", .notSatisfiable(of: nil), .quietly)
      .but([.fresh, .unknown], .retries(.nonsense)),
    on("416 of the length that it has", .notSatisfiable(of: 100_000), .retries(.wrongRange))
      .but([.fresh, .unknown], .retries(.nonsense)).startingOver,
    on("416 of what is here", .notSatisfiable(of: 40_000), at: Stage.middle + [.named], other)
      .but([.named], .retries(.changed)),
    on("416 of less than is here", .notSatisfiable(of: 30_000), at: Stage.behind + [.named], other)
      .but([.named], .retries(.changed)),
    on("429", .tooMany(retryAfter: nil), .retries(.httpStatus(429))).forever(.waits(.server)),
    on("429 until later", .tooMany(retryAfter: "120"), .retries(.httpStatus(429), least: .seconds(120))),
    on("429 until a date", .status(429, later), .retries(.httpStatus(429), least: .seconds(120))),
    on("500", .status(500), .retries(.httpStatus(500))).forever(.waits(.server)),
    on("502", .status(502), .retries(.httpStatus(502))),
    on("503 until later", .status(503, [("Retry-After", "60")]), .retries(.httpStatus(503), least: .seconds(60))),
    on("304, not asked for", .answer(304, [], []), .retries(.httpStatus(304))),
    on("202", .answer(202, [], []), .retries(.notMusic)),
    on("204", .answer(204, [], []), .retries(.notMusic)),
  ]

  private static let later = [
    ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Retry-After", "Sun, 06 Nov 1994 08:51:37 GMT"),
  ]

  static let pages: [MatrixFault] = [
    on("a portal's page", .portal, .waits(.portal)).forever(.waits(.portal)),
    on(
      "a page that does not say that it is one", .answer(200, [], Array("<!DOCTYPE html><p>".utf8)), .waits(.portal)
    )
    .forever(.waits(.portal)),
    on("511", .status(511), .waits(.portal)),
    on("an error as XML", .answer(200, [("Content-Type", "text/xml")], Array("<no/>".utf8)), .waits(.portal)),
    on("an error as JSON", .answer(200, [("Content-Type", "application/json")], [0x7B, 0x7D]), .retries(.notMusic))
      .forever(.fails(.notMusic)),
    on("plain text", .answer(200, [("Content-Type", "text/plain")], [0x6E, 0x6F]), .retries(.notMusic)),
    on("a redirect in a circle", .redirect(to: MatrixWorld.path), .retries(.redirect(.loop)))
      .forever(.waits(.server)),
    on("a redirect on and on", .redirect(to: "/hop/1"), .retries(.redirect(.tooMany))),
    on("a redirect to no web server", .redirect(to: "ftp://127.0.0.1/a"), .retries(.redirect(.insecure))),
    on("a redirect to where it is", .redirect(to: "/copy.flac"), .quietly).forever(.quietly),
  ]
}
