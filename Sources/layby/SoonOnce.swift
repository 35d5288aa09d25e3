import Runtime

/// Something is done a second after the first cause for it, once for all that gave cause until then. It lives on the main
/// loop.
@MainLoop
final class SoonOnce {
  private var waiting: Task<Void, Never>?

  nonisolated private static let after: Duration = .seconds(1)

  func start(_ work: @escaping @MainLoop () async -> Void) {
    guard waiting == nil else { return }
    waiting = MainLoop.start { [weak self] in
      await MainLoop.loop.sleep(for: Self.after)
      self?.waiting = nil
      await work()
    }
  }
}
