import Runtime

/// Turns edges and levels of GPIO lines into inputs. A value without a descriptor or a clock: `LinesPart` gives it what
/// the kernel told, with the kernel's timestamps, on the main loop. Wires are indices into `LinePlan.wires`.
package struct LineInputs: Sendable {
  var plan: LinePlan
  var knob: Quadrature
  /// Set while somebody turns the knob to find out how it is built. Its edges are then no turns.
  package internal(set) var calibration: KnobCalibration?
  private var acceleration: Acceleration
  private var buttons: [Int: Debounce] = [:]
  /// The kernel's number of the last edge of each open wire. A gap means that edges were lost.
  private(set) var numbers: [Int: UInt32] = [:]
  private var inputs: [TimedInput] = []
  private var turned = 0
  /// The same as `turned`, but in rows of a long list (see `Acceleration`).
  private var far = 0
  /// The ignition's last known level, while its line is open.
  private var ignition: Bool?
  private var ignitionEdges: [(isOn: Bool, at: Moment)] = []
  /// When the last detent of `turned` was reached.
  private var turnedAt = Moment(nanoseconds: 0)

  /// Edges were lost, so the levels must be read.
  package private(set) var mustLook = false

  /// The levels differ from those that the edges led to. The missing edge may only be late.
  private(set) var isDoubtful = false
  /// The levels of the knob's contacts at that time, where they differ.
  var doubtedContacts: (first: Bool, second: Bool)?

  package init(_ plan: LinePlan) {
    self.plan = plan
    knob = Quadrature(plan.knob)
    acceleration = Acceleration(plan.acceleration)
  }

  /// Whether the levels must be read after each edge: where every edge is a detent, a lost edge would count as a step
  /// in the other direction.
  package var looksAlways: Bool { plan.knob.edges == .one || calibration != nil }

  /// These wires were opened, and have these levels. A button that is held down already gives no press.
  package mutating func begin(_ levels: [Int: Bool], debounced: Bool, at now: Moment = Moment(nanoseconds: 0)) {
    for (wire, level) in levels {
      numbers[wire] = 0
      let period = debounced ? .zero : plan.debounce(of: wire)
      switch plan.wires[wire].role {
      case .knob: break
      case .ignition:
        ignition = nil
        swing(to: level, at: now)
      case .button: buttons[wire] = Debounce(level: level, period: period)
      case .otherSound, .headlights:
        // The level is told whatever it is: it may have changed while the line was gone.
        var contact = Debounce(level: !level, period: period)
        contact.edge(to: level, at: Moment(nanoseconds: 0))
        buttons[wire] = contact
      }
    }
    guard let (first, second) = contacts(levels) else { return }
    knob = Quadrature(plan.knob, first: first, second: second)
  }

  /// These wires are gone, and will tell nothing more. So a button that was down is released, another sound is over,
  /// and the state of the headlights is unknown.
  package mutating func end(_ wires: some Sequence<Int>, at now: Moment) -> [TimedInput] {
    for wire in wires {
      numbers[wire] = nil
      if plan.wires[wire].role == .ignition { ignition = nil }
      guard let last = buttons.removeValue(forKey: wire)?.level else { continue }
      switch plan.wires[wire].role {
      case .button(let button) where last: inputs += takeTurn() + [TimedInput(.release(button), at: now)]
      case .otherSound where last: inputs += takeTurn() + [TimedInput(.otherSound(false), at: now)]
      case .headlights: inputs += takeTurn() + [TimedInput(.headlights(nil), at: now)]
      case .button, .otherSound, .knob, .ignition: continue
      }
    }
    return takeInputs()
  }

  /// When `settle` must be called next, even if no edge comes; nil when nothing is pending.
  package var due: Moment? {
    guard ignitionEdges.isEmpty else { return Moment(nanoseconds: 0) }
    let knobs = isDoubtful ? nil : calibration.map(\.due) ?? knob.due
    return (buttons.values.compactMap(\.due) + [knobs].compactMap { $0 }).min()
  }

  /// The edges that were read together. Detents between two presses are added up.
  package mutating func take(_ edges: [(wire: Int, edge: LineEdge)], isWhole: Bool = true) -> [TimedInput] {
    // Stable, so that a source's own order decides between edges of one moment.
    let ordered = edges.enumerated().sorted { ($0.element.edge.at, $0.offset) < ($1.element.edge.at, $1.offset) }
    for (_, (wire, edge)) in ordered where numbers[wire] != nil { take(edge, of: wire) }
    if !isWhole {
      loseKnob()
      mustLook = true
    }
    return takeInputs()
  }

  /// The inputs that are certain by `now`, such as a press that has outlasted its bouncing.
  package mutating func settle(by now: Moment) -> [TimedInput] {
    settleButtons(by: now)
    if !isDoubtful { settleKnob(by: now) }
    return takeInputs()
  }

  /// The levels are those that the edges led to, or will be looked at once more: until then nothing counts by time
  /// alone.
  package mutating func compare(with levels: [Int: Bool]) -> Bool {
    isDoubtful = !agrees(with: levels)
    doubtedContacts = contacts(levels).flatMap { knobAgrees($0.first, $0.second) ? nil : $0 }
    return !isDoubtful
  }

  /// Whether the levels are those that the edges led to.
  package func agrees(with levels: [Int: Bool]) -> Bool {
    if let (first, second) = contacts(levels), !knobAgrees(first, second) { return false }
    return levels.allSatisfy { wire, level in
      (plan.wires[wire].role == .ignition ? ignition ?? level : buttons[wire]?.latest ?? level) == level
    }
  }

  /// The levels as they are, with no edge on its way: they count, whatever the edges said.
  package mutating func see(_ levels: [Int: Bool], at now: Moment) -> [TimedInput] {
    (mustLook, isDoubtful, doubtedContacts) = (false, false, nil)
    settleButtons(by: now)
    if let (first, second) = contacts(levels), !knobAgrees(first, second) {
      if calibration == nil { knob.see(first: first, second: second) }
      calibration?.see(first: first, second: second)
    }
    for (wire, level) in levels.sorted(by: { $0.key < $1.key }) where buttons[wire].map({ $0.latest != level }) == true
    {
      buttons[wire]?.edge(to: level, at: now)
    }
    for (wire, level) in levels where plan.wires[wire].role == .ignition && level != ignition {
      swing(to: level, at: now)
    }
    settleButtons(by: now)
    settleKnob(by: now)
    return takeInputs()
  }

  /// An edge of the ignition. Of many edges that are taken together, the first and the last two are told: the levels in
  /// between did not last. An edge to the level that the line has already means that one went missing before it.
  private mutating func swing(to isOn: Bool, at moment: Moment) {
    if let ignition, ignition == isOn { swing(to: !isOn, at: moment) }
    ignition = isOn
    ignitionEdges.append((isOn, moment))
    if ignitionEdges.count > 3 { ignitionEdges.removeSubrange(1...2) }
  }

  private mutating func take(_ edge: LineEdge, of wire: Int) {
    settleButtons(by: edge.at)
    if edge.number != 0 {
      if let last = numbers[wire], edge.number != last &+ 1 { miss(edge.number &- last &- 1, of: wire) }
      numbers[wire] = edge.number
    }
    switch plan.wires[wire].role {
    case .knob(let contact):
      move(contact, closed: edge.rises != plan.knobOpensActive, at: edge.at)
    case .ignition: swing(to: edge.rises, at: edge.at)
    case .button, .otherSound, .headlights:
      buttons[wire]?.edge(to: edge.rises, at: edge.at)
      settleButtons(by: edge.at)
    }
  }

  mutating func count(_ step: Int) {
    guard step != 0 else { return }
    let detents = plan.knob.isReversed ? -step : step
    turnedAt = knob.latestStep
    turned += detents
    far += acceleration.rows(for: detents, at: turnedAt)
  }

  /// `count` edges of this wire went missing. The knob can recover from a single one, which it sees as a level that is
  /// told twice.
  private mutating func miss(_ count: UInt32, of wire: Int) {
    mustLook = true
    if case .knob = plan.wires[wire].role, count > 1 || calibration != nil { loseKnob() }
  }

  private mutating func settleButtons(by now: Moment) {
    let settling = buttons.filter { ($0.value.due ?? .init(nanoseconds: .max)) <= now }
    let ordered = settling.sorted { ($0.value.due ?? now, $0.key) < ($1.value.due ?? now, $1.key) }
    for wire in ordered.map(\.key) {
      // The moment at which the level had lasted long enough, not that of this call: so presses and turns keep their
      // order.
      let moment = buttons[wire]?.due ?? now
      guard let level = buttons[wire]?.settle(by: now) else { continue }
      switch plan.wires[wire].role {
      case .button(let button):
        inputs += takeTurn() + [TimedInput(level ? .press(button) : .release(button), at: moment)]
      case .otherSound: inputs += takeTurn() + [TimedInput(.otherSound(level), at: moment)]
      case .headlights: inputs += takeTurn() + [TimedInput(.headlights(level), at: moment)]
      case .knob, .ignition: continue
      }
    }
  }

  /// What was turned since it was last taken.
  private mutating func takeTurn() -> [TimedInput] {
    defer { (turned, far) = (0, 0) }
    return turned == 0 ? [] : [TimedInput(.turned(turned, far: far), at: turnedAt)]
  }

  /// Everything that has come since it was last taken.
  private mutating func takeInputs() -> [TimedInput] {
    defer { (inputs, ignitionEdges) = ([], []) }
    return inputs + takeTurn() + ignitionEdges.map { TimedInput(.ignition($0.isOn), at: $0.at) }
  }

  /// The knob's two contacts, closed or not, when both are among `levels`.
  private func contacts(_ levels: [Int: Bool]) -> (first: Bool, second: Bool)? {
    func closed(_ contact: Quadrature.Contact) -> Bool? {
      plan.wires.indices.first { plan.wires[$0].role == .knob(contact) }.flatMap { levels[$0] }
        .map { $0 != plan.knobOpensActive }
    }
    guard let first = closed(.first), let second = closed(.second) else { return nil }
    return (first, second)
  }
}

/// While the knob is calibrated, its edges go to the calibration and not to the decoder.
extension LineInputs {
  /// From the detent at which it stands. False when its lines are not open.
  package mutating func calibrate(_ detents: Int, at now: Moment) -> Bool {
    let wires = plan.knobWires
    guard wires.count == 2, wires.allSatisfy({ numbers[$0] != nil }) else { return false }
    let place = knob.levels
    calibration = KnobCalibration(detents: detents, first: place.first, second: place.second, at: now)
    return true
  }

  /// Decodes the knob's edges by this form from now on, and ends a calibration.
  package mutating func shape(_ form: KnobForm) {
    let levels = calibration?.levels ?? knob.levels
    calibration = nil
    plan.knob = form
    knob = Quadrature(form, first: levels.first, second: levels.second)
  }

  mutating func move(_ contact: Quadrature.Contact, closed: Bool, at moment: Moment) {
    guard calibration == nil else {
      calibration?.edge(of: contact, closed: closed, at: moment)
      return
    }
    // The levels were not where the edges led to: this is the edge that was only late, or that one went missing.
    if looksAlways, let seen = doubtedContacts {
      let now = knob.levels
      let isLate = contact == .first ? (closed, now.second) == seen : (now.first, closed) == seen
      if isLate { doubtedContacts = nil } else { knob.lose() }
    }
    count(knob.edge(of: contact, closed: closed, at: moment))
  }

  mutating func settleKnob(by now: Moment) {
    if calibration == nil { count(knob.settle(by: now)) }
    calibration?.settle(by: now)
  }

  mutating func loseKnob() {
    knob.lose()
    calibration?.lose()
  }

  func knobAgrees(_ first: Bool, _ second: Bool) -> Bool {
    calibration?.agrees(first: first, second: second) ?? knob.agrees(first: first, second: second)
  }
}
