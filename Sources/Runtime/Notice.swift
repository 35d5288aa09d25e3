/// Something a person must be told although everything goes on: a fault that was survived, and what was done
/// instead. The panel shows it, the log keeps it.
package struct Notice: Equatable, Sendable {
  package let code: String
  package let message: String
  /// The music has stopped over it, or will not begin: it is seen before all others.
  package let isUrgent: Bool
  /// What the panel's languages call it by, where that is not its code.
  package let phrase: String
  /// What they have no words for: names and figures, in the order of `message`.
  package let names: [String]
  /// Why, by the code of a reason: the last of what stands in a phrase.
  package let reason: String?
  /// Something went wrong, and is not just news: what whoever helps wants to hear of first.
  package private(set) var isProblem = false

  package init(
    _ code: String, _ message: String, isUrgent: Bool = false, as phrase: String? = nil, names: [String] = [],
    because reason: String? = nil
  ) {
    (self.code, self.message, self.isUrgent) = (code, message, isUrgent)
    (self.phrase, self.names, self.reason) = (phrase ?? code, names, reason)
  }

  /// `instead` is what was done: "the settings of last time are used".
  package init(_ fault: Fault, instead: String) {
    self.init(fault.code, "\(fault.message); \(instead)")
    isProblem = true
  }

  package var asProblem: Notice {
    var problem = self
    problem.isProblem = true
    return problem
  }
}

extension Notice: CustomStringConvertible {
  package var description: String { "\(message) (\(code))" }
}
