import Runtime
import Synchronization

/// Starts tasks on an actor, on its loop: for the objects that live inside it and cannot do that themselves. It does not
/// keep the actor alive; when the actor is gone, nothing is started any more.
final class ActorTasks<Owner: Actor>: Sendable {
  private let loop: EventLoop
  private let owner = Mutex<Weak>(Weak())
  private struct Weak { weak var owner: Owner? }

  init(on loop: EventLoop) { self.loop = loop }

  func run(on owner: Owner) { self.owner.withLock { $0.owner = owner } }

  /// The task begins when the loop comes to it.
  func start(_ body: @escaping @Sendable (isolated Owner) async -> Void) {
    guard let owner = owner.withLock({ $0.owner }) else { return }
    Task(executorPreference: loop) { await body(owner) }
  }

  /// From any thread, in order.
  func post(_ action: @escaping @Sendable (isolated Owner) -> Void) {
    guard let owner = owner.withLock({ $0.owner }) else { return }
    loop.post { owner.assumeIsolated { action($0) } }
  }
}
