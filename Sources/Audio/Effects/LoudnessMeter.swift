internal import CEBUR128
import Runtime

/// How loud a recording is, by EBU R 128: frames go in, one number comes out. Several meters make an album's number.
/// Used by one thread at a time.
package final class LoudnessMeter {
  package let rate: Int32
  package private(set) var frames: Int64 = 0
  private let library: EBUR128Library

  package init(rate: Int32) throws(Fault) {
    self.rate = rate
    library = try EBUR128Library(rate: rate)
  }

  package func take(_ frames: UnsafePointer<Int32>, count: Int) throws(Fault) {
    guard count > 0 else { return }
    guard ebur128_add_frames_int(library.state, frames, count) == Int32(EBUR128_SUCCESS.rawValue) else {
      throw Fault(.passing, "A-185", "no memory to measure how loud it is")
    }
    self.frames += Int64(count)
  }

  /// Integrated, in LUFS; nil when nothing was loud enough to count.
  package var loudness: Double? { Self.finite { ebur128_loudness_global(library.state, &$0) } }

  /// The farthest point between samples too; 1.0 is full scale.
  package var truePeak: Double {
    (0..<2).reduce(0) { peak, side in
      max(peak, Self.finite { ebur128_true_peak(library.state, UInt32(side), &$0) } ?? 0)
    }
  }

  /// Of all together, as if they were one recording.
  package static func albumLoudness(_ meters: [LoudnessMeter]) -> Double? {
    var states = meters.map { Optional($0.library.state) }
    return finite { ebur128_loudness_global_multiple(&states, states.count, &$0) }
  }

  private static func finite(_ ask: (inout Double) -> Int32) -> Double? {
    var value = 0.0
    guard ask(&value) == Int32(EBUR128_SUCCESS.rawValue), value.isFinite else { return nil }
    return value
  }
}

/// Owns one measurement of the library.
private struct EBUR128Library: ~Copyable {
  let state: UnsafeMutablePointer<ebur128_state>

  init(rate: Int32) throws(Fault) {
    let mode = Int32(EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue)
    guard rate >= 1_000, let state = ebur128_init(2, UInt(rate), mode) else {
      throw Fault(.unsupported, "A-184", "cannot measure how loud \(rate) Hz are")
    }
    self.state = state
  }

  deinit {
    var state: UnsafeMutablePointer<ebur128_state>? = state
    ebur128_destroy(&state)
  }
}
