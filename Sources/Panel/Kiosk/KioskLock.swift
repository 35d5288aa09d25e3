/// How a kiosk's panel stands.
package enum KioskLock: Equatable, Sendable {
  /// It is none.
  case none
  case locked(opensByPIN: Bool)
  /// To its keeper, until it is left alone.
  case open
}
