/// Something a person must be told although everything goes on: a fault that was survived, and what was done
/// instead. The panel shows it, the log keeps it.
package struct Notice: Equatable, Sendable {
  package let code: String
  package let message: String
  /// The music has stopped over it, or will not begin: it is seen before all others.
  package let isUrgent: Bool

  package init(_ code: String, _ message: String, isUrgent: Bool = false) {
    self.code = code
    self.message = message
    self.isUrgent = isUrgent
  }

  /// `instead` is what was done: "the settings of last time are used".
  package init(_ fault: Fault, instead: String) {
    self.init(fault.code, "\(fault.message); \(instead)")
  }
}

extension Notice: CustomStringConvertible {
  package var description: String { "\(message) (\(code))" }
}
