import Application
import Runtime

/// What the menus have done.
@MainLoop
package protocol MenuActions: AnyObject {
  func perform(_ action: MenuAction) async throws(Fault)
  /// Keys or the knob are learnt from now on, and mean nothing else; nil ends that. What is learnt comes by
  /// `MenuController.hear`.
  func listen(for: Attention?)
  /// A kiosk's panel is locked again.
  func lock()
  /// Whether it is the PIN.
  func unlock(_ typed: String) async -> PinGuard.Verdict
}

/// What a menu needs: what it shows, and who does what was chosen.
package typealias MenuBackend = MenuData & MenuActions
