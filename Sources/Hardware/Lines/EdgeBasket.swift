import Runtime

/// The queue of edges between the thread that reads them and the main loop. Its length is limited, and it gives the edges
/// in the order of their timestamps. It also notices a line that makes more edges than a hand can (`isNoisy`).
package struct EdgeBasket: Sendable {
  private var edges: [LineEdge] = []
  private var isWhole = true
  private var span: (begin: Moment, count: Int)?
  private var wasNoisy = false
  private var ranOver = false

  /// A limit, because a line with a fault can make edges without end.
  package static let most = 8_192
  /// A quick hand makes less than 100 edges in 100 ms; four times that leaves room for worn contacts that bounce.
  package static let mostOfAHand = 400
  package static let span: Duration = .milliseconds(100)

  package init() {}

  package var isEmpty: Bool { edges.isEmpty }

  /// Edges come faster than a hand can make them, or than they are taken: whoever reads them should pause.
  package var isNoisy: Bool {
    wasNoisy || ranOver || (span?.count ?? 0) > Self.mostOfAHand || edges.count >= Self.most
  }

  /// What was read between `begin` and `end`, line by line.
  package mutating func add(_ found: [LineEdge], isWhole: Bool, readFrom begin: Moment, to end: Moment) {
    count(found.count, at: begin)
    ranOver = !isWhole
    let room = Self.most - edges.count
    // An edge cannot be later than its reading. Without this, one with a wrong timestamp would wait for ever.
    edges += found.prefix(room).map { edge in
      var edge = edge
      edge.at = min(edge.at, end)
      return edge
    }
    if !isWhole || found.count > room { self.isWhole = false }
  }

  /// All edges up to `begin`, when the reading of every line began: later ones stay, because an older one of a line
  /// that was read earlier in that round may still be in the kernel.
  package mutating func take(upTo begin: Moment) -> (edges: [LineEdge], isWhole: Bool) {
    // Stable, so that a line's own order decides between edges of one moment.
    let ordered = edges.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    let count = ordered.prefix { $0.at <= begin }.count
    defer {
      edges = Array(ordered[count...])
      isWhole = true
    }
    return (Array(ordered[..<count]), isWhole)
  }

  private mutating func count(_ new: Int, at moment: Moment) {
    guard let last = span, moment - last.begin < Self.span else {
      // A line that was noisy a moment ago is believed to be quiet only after a whole span in which it was.
      wasNoisy = span.map { $0.count > Self.mostOfAHand && moment - $0.begin < Self.span * 2 } ?? false
      span = (moment, new)
      return
    }
    span = (last.begin, last.count + new)
  }
}
