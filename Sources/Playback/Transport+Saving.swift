import Runtime

extension Transport {
  /// Returns when it is durable where the music is at this moment: for who may be without power in the next.
  package func save() async throws(Fault) {
    keeper?.notePlace()
    try await keeper?.settle()
  }
}
