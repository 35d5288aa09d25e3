/// What shall be equally loud.
package enum NormaliserMode: String, Equatable, Sendable, CaseIterable {
  case off, track, album
  /// The album where it is played in its order, else the track.
  case automatic
}
