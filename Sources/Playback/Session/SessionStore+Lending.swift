import Runtime
import Store

/// Other rooms keep what is precious in `state.db` too, by the one connection that writes.
extension SessionStore {
  package func lend<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    guard let connection else { throw Self.notOpen }
    return try body(connection)
  }
}
