/// What a device, such as the sound card or the panel's display, said when it was last to be used. For those who ask how
/// the program fares; whoever uses the device has the fault itself.
package enum DeviceAnswer: Equatable, Sendable {
  case works
  case fails(Fault)
}
