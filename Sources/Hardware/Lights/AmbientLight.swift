import Runtime

/// Decides from a sensor's readings whether it is bright or dark outside. A value; it is told the time.
///
/// The first reading counts at once. Later, the limit for bright is well above the limit for dark, and a change must last:
/// a street lamp, a bridge or a hand over the sensor changes nothing, a tunnel or dawn does. After a long pause older
/// readings do not count.
package struct AmbientLight: Equatable, Sendable {
  /// Lux: more is day, be it under clouds.
  package static let brightFrom = 120.0
  /// Less is night, street lamps and all.
  package static let darkBelow = 40.0
  package static let brightAfter: Duration = .seconds(30)
  /// Shorter than `brightAfter`: a bright panel dazzles in the dark at once, a dark one is only hard to read by day.
  package static let darkAfter: Duration = .seconds(10)
  package static let forgottenAfter: Duration = .seconds(60)

  /// Nil while nobody knows.
  package private(set) var isBright: Bool?
  /// Since when readings say otherwise.
  private var otherSince: Moment?
  private var readAt: Moment?

  package init() {}

  /// Nil when the sensor did not answer.
  package mutating func read(_ lux: Double?, at now: Moment) {
    if let readAt, now - readAt > Self.forgottenAfter { self = AmbientLight() }
    guard let lux, lux >= 0 else { return }
    readAt = now
    guard let isBright else {
      // A first reading between the two limits counts as dark, because a dark panel dazzles nobody.
      self.isBright = lux >= Self.brightFrom
      return
    }
    guard isBright ? lux < Self.darkBelow : lux >= Self.brightFrom else {
      otherSince = nil
      return
    }
    let since = otherSince ?? now
    otherSince = since
    guard now - since >= (isBright ? Self.darkAfter : Self.brightAfter) else { return }
    self.isBright = !isBright
    otherSince = nil
  }
}
