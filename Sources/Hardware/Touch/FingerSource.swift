import Runtime

/// Gives the fingers on all touch screens: libinput, or a test's source.
package protocol FingerSource: AnyObject {
  /// Readable when there are events.
  var descriptor: Int32 { get }
  /// From now on this device's events come too, by that number. Throws when it is no touch screen.
  func add(_ path: FilePath, as screen: Int32) throws(Fault)
  func remove(screen: Int32)
  /// The next events, no more than `most` of them. `isAll` is false when others wait; the descriptor does not tell of
  /// those.
  func events(most: Int, shift: Duration) throws(Fault) -> (events: [FingerEvent], isAll: Bool)
}
