import Runtime

/// The panel, for a face that has no hands: turns its knob, presses its buttons and asks what it shows. What a turn or a
/// press means, and whether a kiosk allows it, is judged as for a person in front of the panel.
/// `Panel/Gestures/GesturePerformer.swift` implements it.
@MainLoop
package protocol PanelPort: AnyObject {
  /// By so many detents; to the left if the number is negative.
  func turn(by steps: Int) async throws(Fault)
  /// `button` is the name of a button, perhaps with "long" or "double" before it.
  func press(_ button: String) async throws(Fault)
  /// The panel as it looks now.
  func picture() throws(Fault) -> PanelPicture
}

package struct PanelPicture: Equatable, Sendable {
  package let png: [UInt8]
  /// What the panel says, in one line.
  package let words: String

  package init(png: [UInt8], words: String) { (self.png, self.words) = (png, words) }
}
