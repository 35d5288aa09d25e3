import Runtime

/// The fault that `body` throws, for a closer look: `#expect(throws:)` gives it back only since Swift 6.1. Anything
/// else, no fault too, fails the test.
package func faultOf<Result: ~Copyable>(_ body: () throws -> Result) throws -> Fault {
  do { _ = try body() } catch let fault as Fault { return fault }
  throw NoFault()
}

package struct NoFault: Error, CustomStringConvertible {
  package var description: String { "a fault was expected, and there was none" }
}
