import Glibc
import Runtime

/// What the figures were measured on, and what else it was doing: half a processor of other work makes times
/// provisional.
struct Machine: Equatable {
  let processors: Int
  /// How many threads wanted to run, on average over the last minute, before the bench began.
  let load: Double

  static var now: Machine {
    var averages = [0.0]
    let count = getloadavg(&averages, 1)
    return Machine(processors: max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), load: count == 1 ? averages[0] : 0)
  }

  var isBusy: Bool { load > 0.5 }

  var words: String {
    let words = "\(processors) processors, load \(decimal(load, places: 2)) before the bench"
    return isBusy ? words + ": other work was going on, times are provisional" : words
  }

  var json: JSON { ["processors": JSON(processors), "load": JSON(load), "busy": JSON(isBusy)] }
}
