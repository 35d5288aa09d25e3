import Runtime

/// Ends the program. The service manager starts it again, unless somebody stopped the service.
@MainLoop
package protocol ProgramStopping: AnyObject {
  /// Returns at once; the parts end afterwards. The log says why.
  func wantStop(because reason: String)
}
