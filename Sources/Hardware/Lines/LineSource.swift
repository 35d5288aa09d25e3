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
  /// Whether the source numbers edges, and filters the bounces of buttons.
  var countsAndDebounces: Bool { get }
  /// The edges since the last call, those of each line in order. `isWhole` is false when edges may have been lost
  /// without being counted. No edge before `until` is still to come.
  func edges() throws(Fault) -> (edges: [LineEdge], isWhole: Bool, until: Moment)
  /// Whether each line is active now, in the order of the wish.
  func levels() throws(Fault) -> [Bool]
}
