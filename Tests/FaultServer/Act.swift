import Runtime

/// What a server does with one question: data, so that a table of faults can be written down. `honest` is what a good
/// server does; all else is what the bad ones, the proxies and the hotels between us do.
package indirect enum Act: Sendable {
  case honest
  case answer(Int, [(String, String)], [UInt8])
  /// These very bytes, then the end.
  case raw([UInt8])
  /// Not a word, for as long as the other end waits.
  case silence
  /// 200 and everything, whatever part was asked for.
  case rangeIgnored
  /// 206 whose bytes, and what it says of them, begin so many later than was asked for, or earlier.
  case shifted(by: Int)
  /// 206 that says it begins where it was asked to, with bytes that begin so many later, or earlier.
  case misplaced(by: Int)
  /// It promises so many bytes more than it has, and ends; or fewer.
  case promising(more: Int)
  /// It calls its bytes compressed, unasked.
  case encoded(as: String)
  /// As if the file had been changed.
  case otherETag(String?)
  /// What another file has, under this one's address.
  case other(Resource)
  case redirect(to: String, status: Int = 302)
  /// So many bytes of the body of what else would come, then this.
  case broken(Act, after: Int, Break)
  /// So many bytes of head and body at a time, with a break after each.
  case slowly(Act, bytes: Int, every: Duration)
  case later(Act, by: Duration)

  package enum Break: Sendable {
    /// As if all had been said.
    case end
    case reset
    /// The connection stays, and nothing comes.
    case silence
  }
}

extension Act {
  package static func cut(at byte: Int) -> Act { .broken(.honest, after: byte, .end) }
  package static func reset(at byte: Int) -> Act { .broken(.honest, after: byte, .reset) }
  package static func stall(at byte: Int) -> Act { .broken(.honest, after: byte, .silence) }

  package static func status(_ status: Int, _ headers: [(String, String)] = []) -> Act {
    .answer(status, headers, Array("\(status)\n".utf8))
  }

  /// 416 as most servers say it, with the length they have; nil: some say nothing.
  package static func notSatisfiable(of total: Int?) -> Act {
    status(416, total.map { [("Content-Range", "bytes */\($0)")] } ?? [])
  }

  package static func tooMany(retryAfter: String?) -> Act {
    status(429, retryAfter.map { [("Retry-After", $0)] } ?? [])
  }

  /// A hotel's page, as the answer to everything.
  package static let portal = Act.answer(
    200, [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
    Array("<!DOCTYPE html><html><body>Room number and name, please.</body></html>".utf8))

  /// More headers than anybody needs.
  package static func manyHeaders(_ count: Int) -> Act {
    .answer(200, (0..<count).map { ("X-Filler-\($0)", String(repeating: "a", count: 20)) }, [])
  }
}
