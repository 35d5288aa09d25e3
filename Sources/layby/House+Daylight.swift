import Glibc
import Hardware
import Offline
import Panel
import Runtime

/// Day and night on the panel, wired: the car's lights, a sensor, the time of day. What the owner chose comes before all
/// of them (see `Daylight`).
extension House {
  /// The time of day is looked at so often while it counts; nobody sees a difference of a minute.
  private static let clockEvery: Duration = .seconds(60)

  func keepDaylight() async {
    followDaylight()
    chosen.follow { _ in self.followDaylight() }
    let sensor: LightSensor
    switch settings[.ambientSensor] {
    case .none: return
    case .auto: sensor = LightSensor()
    case .named(let name): sensor = LightSensor(named: name)
    }
    let notices = notices
    let part = AmbientPart(
      sensor, mayBeMissing: settings[.ambientSensor] == .auto, isWanted: { self.wantsAmbientLight },
      changed: { isBright in
        self.daylight.isBright = isBright
        self.followDaylight()
      }, tell: { notices.post(Notice($0, instead: "the panel goes by the time of day")) })
    ambient = part
    await supervisor.keep(part, when: .restart)
  }

  /// Somebody can see it, if dimly, and nothing better tells.
  private var wantsAmbientLight: Bool {
    guard settings[.colours] == .auto, daylight.lights == nil, panel != nil, !isClosed else { return false }
    return lights?.level != .dark
  }

  /// The line tells how the car's lights are; nil when it is gone.
  func hear(headlights isOn: Bool?) {
    daylight.lights = isOn
    followDaylight()
  }

  /// Something that the colours go by is otherwise. Only what changes them is drawn.
  func followDaylight() {
    (daylight.colours, daylight.hours) = (settings[.colours], settings[.daylight])
    daylight.minute = Self.minute(at: Int64(time(nil)))
    if let panel, panel.look.theme != daylight.theme { lookAgain() }
    ambient?.wake()
    clockwork?.cancel()
    guard daylight.goesByTime else { return }
    clockwork = MainLoop.start {
      guard await MainLoop.loop.sleep(for: Self.clockEvery) else { return }
      self.followDaylight()
    }
  }

  /// Since midnight, where the board is; nil while the clock was never set.
  static func minute(at date: Int64) -> Int? {
    var situation = TransferConditions()
    situation.hear(date: date)
    return situation.minute
  }
}
