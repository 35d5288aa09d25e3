/// One of the things the program is made of: the player, the panel, the control socket.
///
/// The contract stands here, so that a room need not know who keeps its parts alive. `run` is the part's whole life. It
/// is isolated to the main loop, so a part needs no lock; it ends early by throwing, is asked to end by cancellation,
/// and then brings what it owns into order before it returns.
@MainLoop
package protocol Part: AnyObject, Sendable {
  nonisolated var name: String { get }

  /// What others need before they start: opened files, a listening socket. A throw counts as a failed start.
  func prepare() async throws(Fault)

  func run() async throws(Fault)
}

extension Part {
  package func prepare() async throws(Fault) {}
}
