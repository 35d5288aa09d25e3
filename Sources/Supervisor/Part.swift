import Runtime

/// One of the things the program is made of: the player, the panel, the control socket.
///
/// `run` is the part's whole life. It is isolated to the deck, so a part needs no lock; it ends early by throwing,
/// is asked to end by cancellation, and then brings what it owns into order before it returns.
@Deck
package protocol Part: AnyObject, Sendable {
  nonisolated var name: String { get }

  /// What others need before they start: opened files, a listening socket. A throw counts as a failed start.
  func prepare() async throws(Fault)

  func run() async throws(Fault)
}

extension Part {
  package func prepare() async throws(Fault) {}
}

/// What the end of a part means.
package enum Ending: Sendable {
  /// It is started again, after a pause, as long as its budget lasts; then the rest goes on without it.
  case restart
  /// It has done its work; nobody misses it.
  case done
  /// Without it there is nothing left to do: the program stops in order.
  case stopsAll
}

/// How a part is, as health shows it.
package enum PartState: Equatable, Sendable {
  case starting, running
  case restarting(after: Fault)
  /// Its budget of restarts is used up; the rest goes on.
  case degraded(by: Fault)
  case ended
}
