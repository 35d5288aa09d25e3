import Hardware
import Runtime

/// What hears keys and the knob. Nil if the board has none, and until they are read.
@MainLoop
package protocol InputParts: AnyObject {
  var inputDevices: EventDevices? { get }
  var lines: LinesPart? { get }
}

/// What keys mean, how the knob is built, and learning both by what a person does. What was learnt lasts.
@MainLoop
package final class InputLearning {
  package enum Knob: Equatable, Sendable {
    case none
    /// As the board's file has it.
    case ofTheBoard
    /// As turning it has shown.
    case learned
  }

  private let parts: any InputParts
  private let preferences: Preferences

  package init(_ parts: any InputParts, _ preferences: Preferences) {
    (self.parts, self.preferences) = (parts, preferences)
  }

  package var keys: [KeyMap.Row] { parts.inputDevices?.map.rows ?? [] }

  package var knob: Knob {
    guard let lines = parts.lines, preferences.settings[.knobLines] != nil else { return .none }
    return lines.knobIsLearned ? .learned : .ofTheBoard
  }

  /// The next key that is pressed means this from then on. `then` is called once, with that key.
  package func learnKey(_ meaning: KeyMeaning, then: @escaping @MainLoop (KeyName) -> Void) {
    guard let devices = parts.inputDevices else { return }
    devices.learn { key in
      devices.bind(key, to: meaning)
      then(key)
    }
  }

  /// `progress` is called while somebody turns the knob, and `done` when it is known how it is built.
  package func learnKnob(
    progress: @escaping @MainLoop (KnobCalibration.Progress) -> Void,
    done: @escaping @MainLoop (Result<KnobForm, Fault>) -> Void
  ) {
    parts.lines?.calibrate(progress: progress, done: done)
  }

  /// Keys and the knob mean again what they meant.
  package func stop() {
    parts.inputDevices?.stopLearning()
    parts.lines?.stopCalibrating()
  }

  package func unbind(_ key: KeyName) { parts.inputDevices?.unbind(key) }
  /// The key means again what the board's file says.
  package func forget(_ key: KeyName) { parts.inputDevices?.forget(key) }
  package func forgetKnob() { parts.lines?.forgetKnob() }
}
