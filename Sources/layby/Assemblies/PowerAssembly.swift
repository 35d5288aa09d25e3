import Hardware
import Panel
import Playback
import Runtime

/// Battery, charger, the car's key, and alarms of the board. On a weak battery music needs less power, then nothing but
/// the session is written, then the board is switched off; the session is saved before. It lives on the main loop.
@MainLoop
final class PowerAssembly {
  /// Nil before `keep`.
  private var kernel: (power: PowerPart, alarms: BoardAlarmsPart)?
  var part: PowerPart? { kernel?.power }
  var alarms: BoardAlarms? { kernel?.alarms.alarms }
  /// The battery is too low for anything but the session.
  private(set) var holdsWrites = false
  private let context: ProgramContext
  private let transport: Transport
  private let lights: LightAssembly
  private let library: LibraryAssembly
  private let panel: PanelPart?
  private var policy = PowerPolicy()
  private(set) var switchOff: SwitchOffPart?
  private var followers: [Mailbox<Bool>] = []

  init(
    _ context: ProgramContext, _ transport: Transport, _ lights: LightAssembly, _ library: LibraryAssembly,
    _ panel: PanelPart?
  ) {
    (self.context, self.transport, self.lights) = (context, transport, lights)
    (self.library, self.panel) = (library, panel)
  }

  // MARK: The kernel

  /// Nobody waits for it: music is played the same until power is known to be short.
  func keep() async {
    let kernel = (power: PowerPart { self.hear($0) }, alarms: BoardAlarmsPart(context.notices))
    self.kernel = kernel
    await context.supervisor.keep(kernel.power, when: .restart)
    await context.supervisor.keep(kernel.alarms, when: .restart)
  }

  /// The line first: a level counts only without it.
  private func hear(_ state: PowerState) {
    for event in [PowerPolicy.Event.charger(state.isPlugged), .battery(state.level)] {
      if let plan = policy.hear(event) { transport.sounding.plan = plan }
    }
    switchOff?.take(state)
    panel?.battery = state.hasBattery ? state.level.map { .init(level: $0, isPlugged: state.isPlugged) } : nil
  }

  // MARK: Switching off

  /// Also where board.conf names no line for the key: a battery may run out anywhere.
  func keepSwitchOff() async {
    let off = OffSwitch(in: context.runFolder)
    let part = SwitchOffPart(
      Ignition.Rules(
        debounce: context.settings[.ignitionDebounce], offAfter: context.settings[.offAfter]),
      BatteryGuard.Rules(writeUntil: context.settings[.writeUntil], offBelow: context.settings[.offBelow]),
      isWired: context.settings[.ignitionLine] != nil, duties(off), context.notices, unheard: off.unheard)
    part.changed = { [lights] in lights.hear($0) }
    switchOff = part
    await context.supervisor.keep(part, when: .restart)
  }

  private func duties(_ off: OffSwitch) -> SwitchOffPart.Duties {
    let transport = transport
    return SwitchOffPart.Duties(
      save: { () async throws(Fault) in try await transport.save() },
      rest: { () async throws(Fault) in try await transport.perform(.giveWay(to: GiveWay.board, .rest)) },
      wake: { () async throws(Fault) in try await transport.perform(.giveWay(to: GiveWay.board, nil)) },
      holdWrites: { self.hold($0) }, powerOff: { () async throws(Fault) in try await off.press() },
      takeBack: {
        do throws(Fault) { try await off.takeBack() } catch {
          Log("layby").warning("the wish to switch off stays", ["reason": error.message])
        }
      })
  }

  /// The car's key was turned.
  func take(ignition isOn: Bool, at moment: Moment) { switchOff?.take(isOn, at: moment) }

  private func hold(_ holds: Bool) {
    holdsWrites = holds
    library.hold(holds)
    for box in followers { box.send(holds) }
  }

  /// Told at once, and then of each change, whether nothing but the session may be written.
  func follow(holds box: Mailbox<Bool>) {
    box.send(holdsWrites)
    followers.append(box)
  }
}
