internal import CGPIOD
import Runtime

/// Owns one GPIO line as an output, with either version of libgpiod. The line is released when this object goes.
final class OutputLine {
  private let output: UnsafeMutablePointer<layby_output>
  private let place: LineDirectory.Location

  init(_ place: LineDirectory.Location, isHigh: Bool) throws(Fault) {
    var opened: UnsafeMutablePointer<layby_output>?
    let error = place.chip.withCString { layby_output_open($0, UInt32(clamping: place.offset), isHigh, &opened) }
    guard error == 0, let opened else {
      throw Fault.system("H-625", doing: "drive line \(place.offset) of \(place.chip)", errno: error)
    }
    (output, self.place) = (opened, place)
  }

  deinit { layby_output_close(output) }

  func set(_ isHigh: Bool) throws(Fault) {
    let error = layby_output_set(output, isHigh)
    guard error == 0 else {
      throw Fault.system("H-625", doing: "set line \(place.offset) of \(place.chip)", errno: error)
    }
  }
}
