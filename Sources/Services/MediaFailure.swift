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
    /// It could not be reached, or not to the end.
    case network
  }

  package var reason: Reason
  package var fault: Fault
  /// What the network's trouble is, by the name that whoever fetches has for it: what is right after a certificate that
  /// nobody vouches for is wrong after a tunnel.
  package var cause: String?
  /// It has said nothing of what it was asked about: whoever asks for anything else hears the same.
  package var isOfSource = false

  package init(_ reason: Reason, _ fault: Fault, cause: String? = nil) {
    (self.reason, self.fault, self.cause) = (reason, fault, cause)
  }
}
