import Glibc

/// Cases of which CI has time for a third. Which one is chosen by the commit's number, so three commits in a row have all
/// of them; without a number, and with `LAYBY_LONG=1`, all are run at once.
package enum CommitSample {
  /// `LAYBY_TURN`, which `Tests/run` sets.
  private static let number: UInt? =
    getenv("LAYBY_LONG") != nil ? nil : getenv("LAYBY_TURN").flatMap { UInt(String(cString: $0)) }

  package static func third<Case>(of cases: [Case]) -> [Case] { third(of: cases, at: number) }

  package static func third<Case>(of cases: [Case], at number: UInt?) -> [Case] {
    guard let number else { return cases }
    return cases.indices.filter { UInt($0) % 3 == number % 3 }.map { cases[$0] }
  }
}
