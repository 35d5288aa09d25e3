import Synchronization

/// Tells one piece of work that it shall end soon: raised once, from any thread, and never lowered, so that a wish to
/// stop cannot be lost whenever it comes.
package final class StopSign: Sendable {
  private let raised = Atomic<Bool>(false)

  package init() {}

  package func raise() { raised.store(true, ordering: .relaxed) }

  package var isRaised: Bool { raised.load(ordering: .relaxed) }
}
