import Application
import Audio
import Hardware
import Panel
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

/// What the use case `Health` reads from the assemblies. Those that start later are given to it then.
@MainLoop
final class HealthReadings: HealthSource {
  private let context: ProgramContext
  private let sticks: StickAssembly
  private var panel: PanelPart?
  private var links: NetworkAssembly?
  private var supply: PowerAssembly?
  private var lighting: LightAssembly?

  init(_ context: ProgramContext, _ sticks: StickAssembly) { (self.context, self.sticks) = (context, sticks) }

  func watch(_ panel: PanelPart?, _ network: NetworkAssembly, _ power: PowerAssembly, _ lights: LightAssembly) {
    (self.panel, links, supply, lighting) = (panel, network, power, lights)
  }

  var flags: Flags { context.chosen.flags }
  var boardName: String { sticks.boardName ?? context.settings[.boardName] }

  var parts: [Health.Part] {
    context.supervisor.health.map { Health.Part($0.name, $0.state.shown, restarts: $0.restarts) }
  }

  var display: DeviceAnswer? { panel?.display }
  var network: NetworkPart? { links?.part }
  var power: PowerPart? { supply?.part }
  var switchOff: SwitchOffPart? { supply?.switchOff }
  var alarms: BoardAlarms? { supply?.alarms }
  var lights: LightsPart? { lighting?.part }
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
