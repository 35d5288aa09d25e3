import Runtime

extension Transport {
  /// Why what plays was not saved the last time; nil when it was.
  package var unsaved: Fault? { keeper?.fault }

  /// Returns when it is durable where the music is at this moment: for who may be without power in the next.
  package func save() async throws(Fault) {
    keeper?.notePlace()
    try await keeper?.settle()
  }
}
