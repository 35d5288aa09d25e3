import Runtime

/// An edge as the kernel noted it.
package struct LineEdge: Equatable, Sendable {
  package var offset: Int
  /// The line became active.
  package var rises: Bool
  package var at: Moment
  /// Which edge of its line it is, counted from 1; 0 when nobody counts.
  package var number: UInt32

  package init(offset: Int, rises: Bool, at: Moment, number: UInt32 = 0) {
    self.offset = offset
    self.rises = rises
    self.at = at
    self.number = number
  }
}

/// What is asked of one chip in one request.
package struct LineWish: Equatable, Sendable {
  package var chip: FilePath
  package var offsets: [Int]
  /// For each offset; zero for none.
  package var debounce: [Duration]
  package var bias: LineBias
  package var activeLow: Bool
}

/// Where lines come from: the kernel's chips, or a test's.
package protocol LineSource: Sendable {
  func directory() -> LineDirectory
  /// All lines of the wish, or a fault.
  func open(_ wish: LineWish) throws(Fault) -> any OpenedLines
}

/// Lines that were requested together. They are released when the last reference goes.
package protocol OpenedLines: AnyObject {
  /// Readable when there are edges. One for all lines or one a line.
  var descriptors: [Int32] { get }
  /// The source numbers edges, and keeps those of a bouncing button to itself.
  var countsAndDebounces: Bool { get }
  /// What has come since; each line's in its order. `isWhole` is false when edges may have gone missing uncounted. Up
  /// to `until` they are all.
  func edges() throws(Fault) -> (edges: [LineEdge], isWhole: Bool, until: Moment)
  /// Whether each line is active now, in the order of the wish.
  func levels() throws(Fault) -> [Bool]
}
