import Glibc

/// Which part of a long proof is run. CI's turn is the number of commits, so a few commits in a row run all of it; without
/// a turn, and with `LAYBY_LONG=1`, all of it is run at once.
package enum LongProof {
  /// `LAYBY_TURN`, which `Tests/run` sets.
  private static let number: Int? =
    getenv("LAYBY_LONG") != nil ? nil : getenv("LAYBY_TURN").flatMap { Int(String(cString: $0)) }

  /// Every third of the cases, beginning with the turn's.
  package static func third<Case>(of cases: [Case]) -> [Case] {
    guard let number else { return cases }
    return cases.indices.filter { $0 % 3 == number % 3 }.map { cases[$0] }
  }
}
