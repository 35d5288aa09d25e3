import Runtime

/// Why a source did not say what it was asked: the reason is for rules, the fault for people.
package struct MediaFailure: Error, Equatable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// It has no such item or container.
    case notThere
    /// It answered with this status.
    case status(Int)
    /// A page came where something else was asked for: a network that wants somebody to log in.
    case page
    /// What it said makes no sense.
    case malformed
    /// Somebody has to sign in to it first, or anew.
    case signIn
    /// It could not be reached, or not to the end.
    case network
  }

  package var reason: Reason
  package var fault: Fault
  /// The network's trouble by the name that transfers use for it. Retrying is right after a tunnel without signal, and
  /// wrong after a certificate that nobody vouches for.
  package var cause: String?
  /// Whether the whole source failed and not only this item, so that asking for another item would fail as well.
  package var isOfSource = false

  package init(_ reason: Reason, _ fault: Fault, cause: String? = nil) {
    (self.reason, self.fault, self.cause) = (reason, fault, cause)
  }
}
