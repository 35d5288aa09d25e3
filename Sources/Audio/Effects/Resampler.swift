internal import CSoxr
import Formats
import Runtime

/// Frames of one rate into frames of another, by soxr with 28 bits of precision and linear phase: what is inside the
/// band comes out where it was, neither earlier nor later. `n` frames at `a` Hz make `n * b / a` at `b`, rounded, no
/// more and no fewer. Used by one thread at a time.
package final class Resampler {
  package let from: Int32
  package let to: Int32
  private let library: SoxrLibrary
  private var taken: Int64 = 0
  private var given: Int64 = 0

  package init(from: Int32, to: Int32) throws(Fault) {
    guard AudioFormat.rates.contains(from), AudioFormat.rates.contains(to) else {
      throw Fault(.unsupported, "A-200", "cannot make \(to) Hz of \(from) Hz; 1,000 to 768,000 can be had")
    }
    self.from = from
    self.to = to
    library = try SoxrLibrary(from: from, to: to)
  }

  package static func length(of frames: Int64, from: Int32, to: Int32) -> Int64 {
    guard frames > 0, from > 0 else { return 0 }
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(from))
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: Int64(to))
    let (sum, beyond) = whole.addingReportingOverflow((rest * Int64(to) + Int64(from) / 2) / Int64(from))
    return overflow || beyond ? .max : sum
  }

  /// Takes up to `count` frames of `input` and gives up to `room`.
  package func process(
    _ input: UnsafePointer<Int32>, count: Int, into output: UnsafeMutablePointer<Int32>, room: Int
  ) throws(Fault) -> (used: Int, made: Int) {
    let (used, made) = try library.process(input, count, output, room)
    taken += Int64(used)
    given += Int64(made)
    return (used, made)
  }

  /// Up to `room` of what is left when nothing more comes; 0 when all is given.
  package func flush(into output: UnsafeMutablePointer<Int32>, room: Int) throws(Fault) -> Int {
    let left = Self.length(of: taken, from: from, to: to) - given
    let room = min(room, Int(clamping: left))
    guard room > 0 else { return 0 }
    let made = try library.process(nil, 0, output, room).made
    // The library rounds as we do; if it ever did not, silence fills up what it owes.
    if made == 0 { output.update(repeating: 0, count: 2 * room) }
    given += Int64(made == 0 ? room : made)
    return made == 0 ? room : made
  }

  package func reset() throws(Fault) {
    try library.clear()
    taken = 0
    given = 0
  }
}

/// Owns one resampler of the library.
private struct SoxrLibrary: ~Copyable {
  private let soxr: soxr_t

  init(from: Int32, to: Int32) throws(Fault) {
    var format = soxr_io_spec(SOXR_INT32_I, SOXR_INT32_I)
    var quality = soxr_quality_spec(UInt(SOXR_28_BITQ), 0)
    var runtime = soxr_runtime_spec(1)
    var error: soxr_error_t?
    guard let soxr = soxr_create(Double(from), Double(to), 2, &error, &format, &quality, &runtime) else {
      let why = error.map { String(cString: $0) } ?? "no memory"
      throw Fault(.passing, "A-201", "cannot make \(to) Hz of \(from) Hz: \(why)")
    }
    self.soxr = soxr
  }

  borrowing func process(
    _ input: UnsafePointer<Int32>?, _ count: Int, _ output: UnsafeMutablePointer<Int32>, _ room: Int
  ) throws(Fault) -> (used: Int, made: Int) {
    var (used, made) = (0, 0)
    try check(soxr_process(soxr, input, count, &used, output, room, &made))
    return (used, made)
  }

  borrowing func clear() throws(Fault) { try check(soxr_clear(soxr)) }

  private borrowing func check(_ error: soxr_error_t?) throws(Fault) {
    if let error { throw Fault(.passing, "A-202", "cannot change the rate: \(String(cString: error))") }
  }

  deinit { soxr_delete(soxr) }
}
