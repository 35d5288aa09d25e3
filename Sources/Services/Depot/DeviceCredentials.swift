import Runtime

/// What a client of a depot needs of this device: who it is, a signature for a request, and a place for what it is given
/// to stay signed in. `layby` makes one of the device's rights.
package protocol DeviceCredentials: Sendable {
  /// What a service needs to know of the device.
  var card: JSON { get throws(Fault) }
  /// `address` has nothing behind a `?`.
  func proof(_ method: String, _ address: String, token: String?, nonce: String?) throws(Fault) -> String
  func session(of source: String) throws(Fault) -> [UInt8]?
  /// Nil: there is none any more. When it returns, a power cut does not forget it.
  func keep(session: [UInt8]?, of source: String) throws(Fault)
}
