import Runtime

/// Music that has just come, and that somebody wants to hear now.
extension Transport {
  /// Behind all that is in the queue, which stays as it is, and on from the first of them at once. A full queue takes
  /// nothing, tells so, and plays on.
  package func playAtOnce(_ paths: [FilePath]) async throws(Fault) {
    let first = EntryID(number: queue.nextID)
    var unsaved: Fault?
    // What cannot be saved is done all the same.
    do throws(Fault) { try await perform(.add(paths)) } catch { unsaved = error }
    if queue.contains(first) { try await perform(.jump(to: first)) }
    if let unsaved { throw unsaved }
  }
}
