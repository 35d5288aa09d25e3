/// What lies in a file: of which version of its item each stretch is, and from where in that version. Bytes are not made,
/// so that a week of gigabytes is milliseconds.
package struct Content: Equatable, Sendable {
  package struct Run: Equatable, Sendable {
    /// 0: nobody knows what. Below: garbled on its way.
    package var version: Int
    package var from: Int64
    package var count: Int64

    package init(_ version: Int, from: Int64, count: Int64) {
      (self.version, self.from, self.count) = (version, from, count)
    }
  }

  package private(set) var runs: [Run] = []
  package private(set) var length: Int64 = 0

  package init() {}

  package mutating func cut(to length: Int64) {
    guard length < self.length else { return }
    self.length = length
    var left = length
    for index in runs.indices {
      runs[index].count = min(runs[index].count, left)
      left -= runs[index].count
    }
    runs.removeAll { $0.count == 0 }
  }

  package mutating func append(_ run: Run) {
    guard run.count > 0 else { return }
    length += run.count
    if let last = runs.last, last.version == run.version, last.from + last.count == run.from {
      runs[runs.count - 1].count += run.count
    } else {
      runs.append(run)
    }
  }

  /// The one version that all of it is the beginning of.
  package var version: Int? { runs.count == 1 && runs[0].from == 0 && runs[0].version > 0 ? runs[0].version : nil }

  /// Every byte before this one was written by somebody, each where it belongs.
  package func isCertain(upTo end: Int64) -> Bool {
    var at: Int64 = 0
    for run in runs where at < end {
      if run.version == 0 || run.from != at { return false }
      at += run.count
    }
    return at >= end
  }
}
