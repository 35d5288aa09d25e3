import Runtime

/// Which GPIO lines the board's knob and buttons are on, and how they are wired.
package struct LinePlan: Sendable {
  package enum Role: Hashable, Sendable {
    case knob(Quadrature.Contact)
    case button(Button)
    /// Active while something else sounds in the car: a telephone, a beeper.
    case otherSound
    /// Active while the car's ignition is on.
    case ignition
    /// Active while the car's lights are on.
    case headlights
  }

  /// One line and what hangs on it.
  package struct Wire: Sendable {
    package let name: LineName
    package let role: Role
  }

  /// The name by which the kernel shows others who holds the lines.
  static let consumer = "layby"

  package let wires: [Wire]
  /// As the board's file has it, or as it was found out.
  package var knob: KnobForm
  package let acceleration: KnobAcceleration
  package let bias: LineBias
  package let activeLow: Bool
  package let debounce: Duration
  /// The ignition's wire comes from the car and not from a button, so it is wired in its own way.
  package let ignitionBias: LineBias
  package let ignitionActiveLow: Bool

  /// `encoder`: the two lines of the knob in the order in which they close clockwise, or none.
  package init(
    encoder: [LineName] = [], knob: KnobForm = KnobForm(), acceleration: KnobAcceleration = .off,
    buttons: [(Button, LineName)] = [],
    otherSound: LineName? = nil, bias: LineBias = .pullUp, activeLow: Bool = true,
    debounce: Duration = .milliseconds(5), ignition: LineName? = nil, ignitionBias: LineBias = .pullDown,
    ignitionActiveLow: Bool = false, headlights: LineName? = nil
  ) {
    var wires: [Wire] = []
    if encoder.count == 2 {
      wires.append(Wire(name: encoder[0], role: .knob(.first)))
      wires.append(Wire(name: encoder[1], role: .knob(.second)))
    }
    wires += buttons.map { Wire(name: $0.1, role: .button($0.0)) }
    wires += otherSound.map { [Wire(name: $0, role: .otherSound)] } ?? []
    wires += ignition.map { [Wire(name: $0, role: .ignition)] } ?? []
    self.wires = wires + (headlights.map { [Wire(name: $0, role: .headlights)] } ?? [])
    self.ignitionBias = ignitionBias
    self.ignitionActiveLow = ignitionActiveLow
    (self.knob, self.acceleration) = (knob, acceleration)
    self.bias = bias
    self.activeLow = activeLow
    self.debounce = debounce
  }

  package var isEmpty: Bool { wires.isEmpty }

  /// The knob's two.
  package var knobLines: KnobLines? {
    func line(_ contact: Quadrature.Contact) -> LineName? { wires.first { $0.role == .knob(contact) }?.name }
    guard let first = line(.first), let second = line(.second) else { return nil }
    return KnobLines(first, second)
  }

  package var hasHands: Bool {
    wires.contains { $0.role != .ignition && $0.role != .otherSound && $0.role != .headlights }
  }

  /// The knob's two, by their place in `wires`, or none.
  var knobWires: [Int] { wires.indices.filter { if case .knob = wires[$0].role { true } else { false } } }

  /// Wires (by their place in `wires`) that only make sense together: the knob's two, and each button alone.
  var groups: [[Int]] {
    let knob = knobWires
    let buttons = wires.indices.filter { !knob.contains($0) }
    return (knob.isEmpty ? [] : [knob]) + buttons.map { [$0] }
  }

  /// How long the headlights must be on or off before that counts: flashing them does not change the panel's colours.
  static let headlightsLast: Duration = .seconds(1)

  /// The kernel's debounce for this wire. All edges of a knob are needed, and the ignition's first edge at once; how
  /// long the ignition must be off is judged later.
  func debounce(of wire: Int) -> Duration {
    switch wires[wire].role {
    case .knob, .ignition: .zero
    case .button, .otherSound: debounce
    case .headlights: Self.headlightsLast
    }
  }

  /// Whether the knob's contacts are active when they are open: the resistor pulls them there.
  var knobOpensActive: Bool {
    switch bias {
    case .pullUp: !activeLow
    case .pullDown: activeLow
    case .none: false
    }
  }
}

extension LinePlan.Role: CustomStringConvertible {
  package var description: String {
    switch self {
    case .knob: "the knob"
    case .button(let button): "the button \"\(button.name)\""
    case .otherSound: "the other sound"
    case .ignition: "the ignition"
    case .headlights: "the headlights"
    }
  }
}

extension Fault {
  /// `holder` in its own word; empty when it gave none.
  static func taken(_ wire: LinePlan.Wire, by holder: String) -> Fault {
    let who = holder.isEmpty ? "the kernel or another program" : "\"\(holder)\""
    return Fault(.busy, "H-209", "the line \(wire.name) of \(wire.role) is taken by \(who)")
  }
}
