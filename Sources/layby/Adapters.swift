import Application
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

/// The rooms below do not know the supervisor.
extension Supervisor: ProgramStopping {}

extension House: InputParts {}

extension House: HealthSource {
  var boardName: String { stickMemory.boardName ?? settings[.boardName] }

  var parts: [Health.Part] {
    supervisor.health.map { Health.Part($0.name, $0.state.shown, restarts: $0.restarts) }
  }
}

extension PartState {
  /// Without the faults.
  fileprivate var shown: Health.Part.State {
    switch self {
    case .starting: .starting
    case .running: .running
    case .restarting: .restarting
    case .degraded: .degraded
    case .ended: .ended
    }
  }
}
