internal import CLinux
import Runtime

/// Makes inputs from the events of one device.
///
/// Events come in reports. When the kernel had to drop events it says so, and the incomplete report is ignored.
package struct EventReader: Sendable {
  private var isTorn = false
  private var turned = 0
  private var acceleration: Acceleration
  /// By what they meant when they went down: the map may be another when they go up.
  private var down: [UInt16: Button] = [:]
  /// The first key without a meaning that went down since this was asked last.
  private var unknown: KeyName?

  /// No hand turns further between two reports; a device that says so is broken.
  package static let furthest = 100

  /// A wheel is a knob, and has its acceleration.
  package init(_ strength: KnobAcceleration = .off) { acceleration = Acceleration(strength) }

  package mutating func take(_ events: some Sequence<InputEvent>, by map: KeyMap = KeyMap()) -> [TimedInput] {
    var inputs: [TimedInput] = []
    for event in events { take(event, map, &inputs) }
    return inputs
  }

  /// For who learns keys: one that went down and means nothing yet.
  package mutating func takeUnknown() -> KeyName? {
    defer { unknown = nil }
    return unknown
  }

  private mutating func take(_ event: InputEvent, _ map: KeyMap, _ inputs: inout [TimedInput]) {
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_SYN, SYN_DROPPED):
      isTorn = true
      turned = 0
      // The lost events may have been releases, so every button is released.
      inputs += released(at: event.at)
    case (EV_SYN, SYN_REPORT):
      addTurn(event.at, &inputs)
      isTorn = false
    case _ where isTorn: break
    case (EV_KEY, _): takeKey(event, map, &inputs)
    case (EV_REL, _) where EventKeys.wheels.contains(event.code):
      let sum = turned + Int(event.value)
      turned = min(max(sum, -Self.furthest), Self.furthest)
    default: break
    }
  }

  private mutating func takeKey(_ event: InputEvent, _ map: KeyMap, _ inputs: inout [TimedInput]) {
    // The keyboard's own repeats of a held key (value 2) are ignored.
    switch event.value {
    case 0:
      guard let button = down.removeValue(forKey: event.code) else { return }
      addTurn(event.at, &inputs)
      inputs.append(TimedInput(.release(button), at: event.at))
    case 1:
      guard let key = KeyName(code: Int(event.code)) else { return }
      let meaning = map.meaning(of: key) ?? .nothing
      if meaning == .nothing, key.isForFingers { unknown = unknown ?? key }
      guard let input = meaning.input else { return }
      addTurn(event.at, &inputs)
      if case .button(let button) = meaning { down[event.code] = button }
      inputs.append(TimedInput(input, at: event.at))
    default: break
    }
  }

  /// Releases every button that is held: the device is gone, or events were lost.
  package mutating func released(at moment: Moment) -> [TimedInput] {
    defer { down = [:] }
    return Set(down.values).sorted { $0.name < $1.name }.map { TimedInput(.release($0), at: moment) }
  }

  private mutating func addTurn(_ moment: Moment, _ inputs: inout [TimedInput]) {
    guard turned != 0 else { return }
    inputs.append(TimedInput(.turned(turned, far: acceleration.rows(for: turned, at: moment)), at: moment))
    turned = 0
  }
}
