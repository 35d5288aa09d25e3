internal import CGPIOD
import Glibc
import Runtime

/// Owns a request for lines of one chip, with either version of libgpiod. The lines are released when it goes.
/// A class, so that a test's lines can stand in its place.
final class LineRequest: EdgeSource {
  private let lines: UnsafeMutablePointer<layby_lines>

  /// As many lines as one request can have.
  static let most = Int(LAYBY_LINES_MOST)

  init(_ wish: LineWish) throws(Fault) {
    var asked = layby_lines_wish()
    let count = wish.offsets.count
    guard count <= Self.most else {
      throw Fault(.unsupported, "H-208", "more than \(Self.most) lines of \(wish.chip) cannot be asked for at once")
    }
    asked.count = UInt32(count)
    asked.is_active_low = wish.activeLow
    asked.bias =
      switch wish.bias {
      case .pullUp: LAYBY_BIAS_PULL_UP
      case .pullDown: LAYBY_BIAS_PULL_DOWN
      case .none: LAYBY_BIAS_NONE
      }
    withUnsafeMutableBytes(of: &asked.offsets) { offsets in
      for index in 0..<count {
        offsets.storeBytes(of: UInt32(wish.offsets[index]), toByteOffset: 4 * index, as: UInt32.self)
      }
    }
    withUnsafeMutableBytes(of: &asked.debounce) { periods in
      for index in 0..<count {
        let microseconds = UInt32(clamping: wish.debounce[index].nanoseconds / 1000)
        periods.storeBytes(of: microseconds, toByteOffset: 4 * index, as: UInt32.self)
      }
    }
    var opened: UnsafeMutablePointer<layby_lines>?
    let error = wish.chip.withCString { layby_lines_open($0, &asked, &opened) }
    guard error == 0, let opened else {
      let list = wish.offsets.map { "\($0)" }.joined(separator: ", ")
      throw Fault.system("H-205", doing: "open line \(list) of \(wish.chip) for edges", errno: error)
    }
    lines = opened
  }

  deinit { layby_lines_close(lines) }

  var descriptors: [Int32] {
    (0..<layby_lines_descriptor_count(lines)).map { layby_lines_descriptor(lines, $0) }
  }

  var countsAndDebounces: Bool { layby_gpiod_counts_and_debounces() }

  /// Empties every descriptor. Bounded, because a line that swings without end must not hold who reads.
  func edges(moreThanMonotonic shift: Duration) throws(Fault) -> (edges: [LineEdge], isWhole: Bool) {
    var found: [LineEdge] = []
    var isWhole = true
    var buffer = [layby_edge](repeating: layby_edge(), count: Int(LAYBY_EDGES_MOST))
    for index in 0..<layby_lines_descriptor_count(lines) {
      for _ in 0..<Self.mostReads {
        let count = Int(layby_lines_read(lines, index, &buffer))
        guard count >= 0 else { throw Fault.system("H-206", doing: "read edges of lines", errno: Int32(-count)) }
        for edge in buffer[..<count] {
          let time = Moment(nanoseconds: Int64(clamping: edge.time)) + shift
          found.append(
            LineEdge(
              offset: Int(edge.offset), rises: edge.is_rising, at: time, number: UInt32(truncatingIfNeeded: edge.number)
            ))
        }
        // Of a full queue nobody knows what came after it.
        if count == buffer.count && !countsAndDebounces { isWhole = false }
        if count < buffer.count { break }
      }
    }
    return (found, isWhole)
  }

  private static let mostReads = 64

  func levels() throws(Fault) -> [Bool] {
    var levels = [Bool](repeating: false, count: Int(lines.pointee.count))
    let error = layby_lines_levels(lines, &levels)
    guard error == 0 else { throw Fault.system("H-207", doing: "read the levels of lines", errno: error) }
    return levels
  }
}
