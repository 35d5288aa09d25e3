import Runtime

/// What is fetched, from which byte on, and when it is given up. Its address may be a secret, with a signature in it, so
/// no message names more of it than the host.
package struct TransferRequest: Sendable {
  /// `http` or `https`; nothing else is fetched.
  package var url: String
  /// For the host in `url` alone: a redirect to another host leaves them out.
  package var headers: [(name: String, value: String)]
  /// The first byte that is wanted.
  package var from: Int64 = 0
  /// The validator of what is there already: what has changed since is sent whole. Only told when `from` is not 0.
  package var ifRange: String?
  package var redirects = RedirectRule.follow
  /// At its beginning; `Transfer.urgency` changes it.
  package var urgency = Urgency.whenever
  /// Name, connection and TLS together.
  package var connectLimit: Duration = .seconds(20)
  package var stall = StallLimit()
  /// Of the whole; nil for what is stored as it comes, which may take as long as the line wants.
  package var timeLimit: TimeLimit?
  /// How many bytes are handed over before the first of them must be given back by `Transfer.credit`. At most 16 KiB
  /// more are, because curl hands over what it has in one piece.
  package var window = 1 << 20
  /// An answer with more bytes than this is given up.
  package var most: Int64?

  package init(_ url: String, headers: [(name: String, value: String)] = []) {
    self.url = url
    self.headers = headers
  }

  /// What is capped is shared in this order.
  package enum Urgency: Sendable, Comparable {
    case whenever
    /// Somebody listens to it while it comes.
    case listening
  }
}

package enum RedirectRule: Sendable, Equatable {
  /// A redirect is the answer.
  case tell
  /// At most five, never from https to http, never in a circle.
  case follow

  package static let most = 5
}

/// A transfer that is slower than this for so long is given up; there is no limit of its whole time. While nobody takes
/// its bytes it is not slow.
package struct StallLimit: Sendable, Equatable {
  package var bytesASecond: Int
  package var duration: Duration

  /// Below the slowest music there is, and longer than a tunnel under a river.
  package init(bytesASecond: Int = 1_000, for duration: Duration = .seconds(30)) {
    self.bytesASecond = bytesASecond
    self.duration = duration
  }
}

/// How long an answer may take from the question to its last byte, over all redirects: for what somebody waits for before
/// anything else can be done. A server that drips is never stalled, and would be waited for all night.
///
/// Time in which we hold it back ourselves does not count.
package struct TimeLimit: Sendable, Equatable {
  package var duration: Duration
  /// What comes is waited for as much longer as it takes at this speed; nil: only `duration` counts.
  package var bytesASecond: Int64?

  package init(_ duration: Duration, bytesASecond: Int64? = nil) {
    (self.duration, self.bytesASecond) = (duration, bytesASecond)
  }

  /// With so many bytes here.
  package func time(for bytes: Int64) -> Duration {
    guard let bytesASecond, bytesASecond > 0 else { return duration }
    let (seconds, rest) = max(bytes, 0).quotientAndRemainder(dividingBy: bytesASecond)
    return duration + .seconds(seconds) + .milliseconds(1_000 * Double(rest) / Double(bytesASecond))
  }
}
