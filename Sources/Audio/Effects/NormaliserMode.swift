import Runtime

/// What shall be equally loud.
package enum NormaliserMode: String, Equatable, Sendable, CaseIterable {
  case off, track, album
  /// The album where it is played in its order, else the track.
  case automatic

  /// What the owner may want louder or softer than all is made, in decibels.
  package static let preamps = -12...12
}
