import Runtime

/// Edges and levels in, inputs out: what stands between the kernel's lines and a person's wish, without descriptor or
/// clock. Wires are meant by their place in the plan.
package struct LineInputs: Sendable {
  private let plan: LinePlan
  private var knob = Quadrature()
  private var buttons: [Int: Debounce] = [:]
  /// The last number of each open wire; the next edge has the next one.
  private var numbers: [Int: UInt32] = [:]
  private var inputs: [Input] = []
  private var turned = 0

  /// Edges have gone missing: the levels must be read.
  package private(set) var mustLook = false

  package init(_ plan: LinePlan) { self.plan = plan }

  /// These wires were opened, and stand so. A button that is held down already was not pressed now.
  package mutating func begin(_ levels: [Int: Bool], debounced: Bool) {
    for (wire, level) in levels {
      numbers[wire] = 0
      guard case .button = plan.wires[wire].role else { continue }
      buttons[wire] = Debounce(level: level, period: debounced ? .zero : plan.debounce)
    }
    if let (first, second) = contacts(levels) { knob = Quadrature(first: first, second: second) }
  }

  /// These wires are gone.
  package mutating func end(_ wires: some Sequence<Int>) {
    for wire in wires {
      numbers[wire] = nil
      buttons[wire] = nil
    }
  }

  /// When something will have happened although nothing comes any more.
  package var due: Moment? { buttons.values.compactMap(\.due).min() }

  /// Edges of one go. Detents between two presses are added up.
  package mutating func take(_ edges: [(wire: Int, edge: LineEdge)], isWhole: Bool = true) -> [Input] {
    // Stable, so that a source's own order decides between edges of one moment.
    let ordered = edges.enumerated().sorted { ($0.element.edge.at, $0.offset) < ($1.element.edge.at, $1.offset) }
    for (_, (wire, edge)) in ordered where numbers[wire] != nil { take(edge, of: wire) }
    if !isWhole {
      knob.lose()
      mustLook = true
    }
    return given
  }

  /// What has lasted long enough by `now`.
  package mutating func settle(by now: Moment) -> [Input] {
    settleButtons(by: now)
    return given
  }

  /// Whether the levels are those that the edges led to.
  package func agrees(with levels: [Int: Bool]) -> Bool {
    if let (first, second) = contacts(levels), !knob.agrees(first: first, second: second) { return false }
    return levels.allSatisfy { wire, level in (buttons[wire]?.latest ?? level) == level }
  }

  /// The levels as they are, with no edge on its way: they count, whatever the edges said.
  package mutating func see(_ levels: [Int: Bool], at now: Moment) -> [Input] {
    mustLook = false
    settleButtons(by: now)
    if let (first, second) = contacts(levels), !knob.agrees(first: first, second: second) {
      knob.see(first: first, second: second)
    }
    for (wire, level) in levels.sorted(by: { $0.key < $1.key }) where buttons[wire].map({ $0.latest != level }) == true
    {
      buttons[wire]?.edge(to: level, at: now)
    }
    settleButtons(by: now)
    return given
  }

  private mutating func take(_ edge: LineEdge, of wire: Int) {
    settleButtons(by: edge.at)
    if edge.number != 0 {
      if let last = numbers[wire], edge.number != last &+ 1 { miss(wire) }
      numbers[wire] = edge.number
    }
    switch plan.wires[wire].role {
    case .knob(let contact):
      let step = knob.edge(of: contact, closed: edge.rises != plan.knobRestsActive)
      turned += plan.reverse ? -step : step
    case .button:
      buttons[wire]?.edge(to: edge.rises, at: edge.at)
      settleButtons(by: edge.at)
    }
  }

  private mutating func miss(_ wire: Int) {
    mustLook = true
    if case .knob = plan.wires[wire].role { knob.lose() }
  }

  private mutating func settleButtons(by now: Moment) {
    let settling = buttons.filter { ($0.value.due ?? .init(nanoseconds: .max)) <= now }
    let ordered = settling.sorted { ($0.value.due ?? now, $0.key) < ($1.value.due ?? now, $1.key) }
    for wire in ordered.map(\.key) {
      guard buttons[wire]?.settle(by: now) == true, case .button(let button) = plan.wires[wire].role else { continue }
      addTurn()
      inputs.append(.press(button))
    }
  }

  private mutating func addTurn() {
    if turned != 0 { inputs.append(.turn(turned)) }
    turned = 0
  }

  private var given: [Input] {
    mutating get {
      addTurn()
      defer { inputs = [] }
      return inputs
    }
  }

  /// The knob's two contacts, closed or not, when both are among `levels`.
  private func contacts(_ levels: [Int: Bool]) -> (first: Bool, second: Bool)? {
    func closed(_ contact: Quadrature.Contact) -> Bool? {
      plan.wires.indices.first { plan.wires[$0].role == .knob(contact) }.flatMap { levels[$0] }
        .map { $0 != plan.knobRestsActive }
    }
    guard let first = closed(.first), let second = closed(.second) else { return nil }
    return (first, second)
  }
}
