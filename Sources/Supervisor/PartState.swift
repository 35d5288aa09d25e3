import Runtime

/// What the end of a part means.
package enum Ending: Sendable {
  /// It is started again, after a pause, as long as its budget lasts; then the rest goes on without it.
  case restart
  /// It has done its work; nobody misses it.
  case done
  /// Without it there is nothing left to do: the program stops in order.
  case stopsAll
}

/// How a part is, as health shows it.
package enum PartState: Equatable, Sendable {
  case starting, running
  case restarting(after: Fault)
  /// Its budget of restarts is used up; the rest goes on.
  case degraded(by: Fault)
  case ended
}
