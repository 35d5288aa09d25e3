import Hardware
import Playback
import Runtime

/// What the kernel tells of network and power, wired: who knows it, and what follows from it.
extension House {
  /// Nobody waits for either; music needs no network, and is played the same until power is known to be short.
  func keepNetworkAndPower(_ transport: Transport, _ storage: Storage) async {
    let power = PowerPart { self.hear($0, transport) }
    self.power = power
    await supervisor.keep(power, when: .restart)
    do throws(Fault) {
      let network = try NetworkPart(metered: MeteredRule(settings), probe: probe(storage))
      self.network = network
      await supervisor.keep(network, when: .restart)
    } catch { notices.post(Notice(error, instead: "nothing is known of the network")) }
  }

  /// The line first: a level counts only without it.
  private func hear(_ state: PowerState, _ transport: Transport) {
    for event in [PowerPolicy.Event.charger(state.isPlugged), .battery(state.level)] {
      if let plan = powerPolicy.hear(event) { transport.sounding.plan = plan }
    }
    switchOff?.take(state)
    panel?.battery = state.hasBattery ? state.level.map { .init(level: $0, isPlugged: state.isPlugged) } : nil
  }
}
