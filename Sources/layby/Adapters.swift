import Audio
import Runtime
import Supervisor

/// Small pieces that let two rooms meet which do not know each other.

final class SoundPulse: Pulse {
  private let sound: SoundPath

  init(_ sound: SoundPath) { self.sound = sound }

  func ask() { sound.askBeat() }
  var hasAnswered: Bool { sound.isOutputAlive }
}

/// A descriptor owner cannot be captured by a task; its box can.
@MainLoop
final class SignalBox {
  private let signals: Signals

  init(_ signals: consuming Signals) { self.signals = signals }

  func next() async -> Signals.Request? { await signals.next(on: MainLoop.loop) }
}

extension PartState {
  var word: String {
    switch self {
    case .starting: "starting"
    case .running: "running"
    case .restarting: "restarting"
    case .degraded: "degraded"
    case .ended: "ended"
    }
  }
}
