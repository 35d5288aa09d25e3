internal import CLinux

/// One device's events in, inputs out.
///
/// Events come in reports. When the kernel had to drop some it says so, and the report that was torn is thrown away.
package struct EventReader: Sendable {
  private var isTorn = false
  private var turned = 0
  private var down: Set<Button> = []

  /// No hand turns further between two reports; a device that says so is broken.
  package static let furthest = 100

  package init() {}

  package mutating func take(_ events: some Sequence<InputEvent>) -> [Input] {
    var inputs: [Input] = []
    for event in events { take(event, &inputs) }
    return inputs
  }

  private mutating func take(_ event: InputEvent, _ inputs: inout [Input]) {
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_SYN, SYN_DROPPED):
      isTorn = true
      turned = 0
      // Whether they went up was perhaps among what is gone.
      inputs += released()
    case (EV_SYN, SYN_REPORT):
      addTurn(&inputs)
      isTorn = false
    case _ where isTorn: break
    case (EV_KEY, _):
      guard let row = EventKeys.row(for: event.code) else { break }
      addTurn(&inputs)
      switch (row.input, event.value) {
      case (let input, 1):
        if case .press(let button) = input { down.insert(button) }
        inputs.append(input)
      case (.press(let button), 0):
        down.remove(button)
        inputs.append(.release(button))
      // What goes on while it is held is not the keyboard's to say.
      default: break
      }
    case (EV_REL, _) where EventKeys.wheels.contains(event.code):
      let sum = turned + Int(event.value)
      turned = min(max(sum, -Self.furthest), Self.furthest)
    default: break
    }
  }

  /// The device is gone, or nobody knows: no button stays held for ever.
  package mutating func released() -> [Input] {
    defer { down = [] }
    return down.sorted { $0.name < $1.name }.map { .release($0) }
  }

  private mutating func addTurn(_ inputs: inout [Input]) {
    if turned != 0 { inputs.append(.turn(turned)) }
    turned = 0
  }
}
