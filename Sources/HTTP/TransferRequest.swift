import Runtime

/// What is fetched, from which byte on, and when the transfer is given up. The URL may contain a signature that is a
/// secret, so messages name only its host.
package struct TransferRequest: Sendable {
  /// `http` or `https`; nothing else is fetched.
  package var url: String
  /// Sent to the host of `url` only, not to another one that it redirects to.
  package var headers: [(name: String, value: String)]
  package var method = Method.get
  /// Sent with the request, and not with a redirect of it: use `RedirectRule.tell`, so that no other host gets it.
  package var body: [UInt8]?
  /// The first byte that is wanted.
  package var from: Int64 = 0
  /// The header If-Range: if the file has changed since, the server sends all of it. Only sent when `from` is not 0.
  package var ifRange: String?
  package var redirects = RedirectRule.follow
  /// The urgency at the start; `Transfer.urgency` changes it.
  package var urgency = Urgency.whenever
  /// For DNS, connection and TLS together.
  package var connectLimit: Duration = .seconds(20)
  package var stall = StallLimit()
  /// For the whole transfer; nil for downloads, which may take as long as they need.
  package var timeLimit: TimeLimit?
  /// How many bytes the receiver gets before it has to give some back with `Transfer.credit`. It may be up to 16 KiB
  /// more, because curl hands over whole blocks.
  package var window = 1 << 20
  /// A transfer that brings more bytes than this fails.
  package var most: Int64?

  package init(_ url: String, headers: [(name: String, value: String)] = []) {
    self.url = url
    self.headers = headers
  }

  package enum Method: String, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

  /// When the bandwidth is limited, it is shared in this order.
  package enum Urgency: Sendable, Comparable {
    case whenever
    /// Somebody listens to it while it comes.
    case listening
  }
}

package enum RedirectRule: Sendable, Equatable {
  /// A redirect is not followed; the receiver gets it as the answer.
  case tell
  /// At most five, never from https to http, never in a circle.
  case follow

  package static let most = 5
}

/// A transfer that is slower than this for so long fails. Time in which we paused it does not count.
package struct StallLimit: Sendable, Equatable {
  package var bytesASecond: Int
  package var duration: Duration

  /// The default speed is below that of the slowest music, and the default time is longer than a car is in most tunnels.
  package init(bytesASecond: Int = 1_000, for duration: Duration = .seconds(30)) {
    self.bytesASecond = bytesASecond
    self.duration = duration
  }
}

/// How long an answer may take from the request to its last byte, redirects included. For answers that somebody waits
/// for. `StallLimit` is not enough for those: a server that sends a little every second never stalls.
///
/// Time in which we paused the transfer does not count.
package struct TimeLimit: Sendable, Equatable {
  package var duration: Duration
  /// Adds the time that the received bytes take at this speed; nil: only `duration` counts.
  package var bytesASecond: Int64?

  package init(_ duration: Duration, bytesASecond: Int64? = nil) {
    (self.duration, self.bytesASecond) = (duration, bytesASecond)
  }

  /// The limit when so many bytes have been received.
  package func time(for bytes: Int64) -> Duration {
    guard let bytesASecond, bytesASecond > 0 else { return duration }
    let (seconds, rest) = max(bytes, 0).quotientAndRemainder(dividingBy: bytesASecond)
    return duration + .seconds(seconds) + .milliseconds(1_000 * Double(rest) / Double(bytesASecond))
  }
}
