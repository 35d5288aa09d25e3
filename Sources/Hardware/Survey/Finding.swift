import Runtime

/// One thing that this machine can or cannot do, for the person who set it up.
package struct Finding: Equatable, Sendable {
  package enum Verdict: String, CaseIterable, Sendable {
    case works
    /// It works, but not as well as it could.
    case limited
    case missing
    /// It is there, and this user may not use it.
    case forbidden
  }

  package let name: String
  package let verdict: Verdict
  package let seen: String
  /// What to install, wire or allow, in plain words; nil when nothing is to be done.
  package let advice: String?
  /// Without it no music is heard.
  package let isNeeded: Bool

  package init(_ name: String, _ verdict: Verdict, _ seen: String, advice: String? = nil, isNeeded: Bool = false) {
    self.name = name
    self.verdict = verdict
    self.seen = seen
    self.advice = advice
    self.isNeeded = isNeeded
  }

  package var stopsTheMusic: Bool { isNeeded && (verdict == .missing || verdict == .forbidden) }

  package var json: JSON {
    [
      "name": JSON(name), "verdict": JSON(verdict.rawValue), "seen": JSON(seen),
      "advice": advice.map { JSON($0) } ?? .null, "needed": JSON(isNeeded),
    ]
  }
}
