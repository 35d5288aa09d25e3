import Runtime

/// What the owner pauses, what is to be tried again, and what bytes may be paid for.
extension OfflinePart {
  /// Nil: everything.
  package func pause(_ container: ContainerKey?) async throws(Fault) { try await rest(container, true) }
  package func resume(_ container: ContainerKey?) async throws(Fault) { try await rest(container, false) }

  private func rest(_ container: ContainerKey?, _ isResting: Bool) async throws(Fault) {
    await enter()
    defer { leave() }
    guard let container else {
      try await rows.store([Self.restsAll: isResting ? 1 : 0])
      numbers[Self.restsAll] = isResting ? 1 : 0
      if isGoing { await carrier.restAll(isResting) }
      return
    }
    try await change(container) { $0.isPaused = isResting }
  }

  /// What has failed, or waits for something of its own, is tried now; nil: all that is wanted. How many.
  package func again(_ container: ContainerKey?) async throws(Fault) -> Int {
    guard let container else { return await carrier.again(intents.keys.sorted()) }
    guard let wish = intents.wishes[container] else { throw Self.notWanted(container) }
    return await carrier.again(wish.items.compactMap { intents.key(of: $0.key) })
  }

  /// Fetched where bytes cost as well, or not.
  package func payFor(_ container: ContainerKey, _ isExcepted: Bool) async throws(Fault) {
    await enter()
    defer { leave() }
    try await change(container) { $0.isExcepted = isExcepted }
  }

  private func change(_ container: ContainerKey, _ change: (inout StoredWish) -> Void) async throws(Fault) {
    guard var wish = wishes[container] else { throw Self.notWanted(container) }
    change(&wish)
    try await rows.change(wish)
    wishes[container] = wish
    await want(container, wish, again: false)
  }

  static func notWanted(_ container: ContainerKey) -> Fault {
    Fault(.missing, "O-403", "\(container.kind.rawValue) \(shownPlain(container.id)) is not wanted offline")
  }
}
