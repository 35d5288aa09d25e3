import Hardware
import Panel
import Playback
import Runtime

/// The car's key and a battery that runs out, wired: the session is saved, the music rests, the panel dims, the board is
/// switched off; and the lights.
extension House {
  /// Ignition and headlights are no hands: they neither mean a gesture nor wake the panel.
  func take(_ input: Input, at moment: Moment, _ hands: GestureInput) {
    switch input {
    case .ignition(let isOn): power?.take(ignition: isOn, at: moment)
    case .headlights(let isOn): lights?.hear(headlights: isOn)
    default:
      if !input.isNobodys {
        touchedAt = MainLoop.loop.now
        lights?.touch()
        if wakesOnly(input) { return }
      }
      hands.take(input, at: moment)
    }
  }

  /// It was meant for what is not there any more, or for nothing but the panel itself. A finger that goes up never is:
  /// who waits for it would wait for ever.
  private func wakesOnly(_ input: Input) -> Bool {
    if case .release = input { return false }
    let isTouch = if case .touch = input { true } else { false }
    if isTouch { panel?.touched() }
    if isTouch, let wokenAt, MainLoop.loop.now - wokenAt < .milliseconds(700) { return true }
    guard kiosk?.touch() == true || panel?.menu?.hasJustGone() == true else { return false }
    // A swipe tells of itself in many pieces.
    wokenAt = isTouch ? MainLoop.loop.now : nil
    return true
  }
}

extension Input {
  fileprivate var isNobodys: Bool {
    switch self {
    case .otherSound, .ignition, .headlights: true
    default: false
    }
  }
}
