/// What a driver must be able to read at a glance, and where it is written.
///
/// - ISO 15008:2017 ("Road vehicles: in-vehicle visual presentation", 4.3.2 and 4.5.2) asks of what changes while
///   driving: capital letters of 20 minutes of arc, at least 16; at night letters 5 times as bright as their ground
///   or the other way round. Here what is looked at first has 16, and nothing has less than 10.
/// - Google's "Design for Driving" (developers.google.com/cars/design, visual principles) asks for 32 dp where something
///   is decided by it and 24 dp for what says more about it, 4.5 : 1 of contrast, and 76 dp for what is touched.
///
/// The rule is an angle: how high capitals are on the panel, seen from 600 mm. A panel does not say how large it is, so
/// it is kept for the smallest that are sold with each number of pixels: 320 x 240 on 3.5 inches, whose 240 rows are 53
/// mm high.
enum CarRule {
  /// Of letters and their ground, the brighter to the darker.
  static let contrast = 5.0

  static let panelHeight = 53.0
  static let distance = 600.0
  static let leastMinutes = 10.0
  static let goodMinutes = 16.0
  /// Of what is touched: 76 dp are 12 mm.
  static let touched = 12.0
}
