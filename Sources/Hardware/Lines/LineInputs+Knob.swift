import Runtime

/// Whose the knob's edges are: the one who turns it, or the calibration for which it is turned.
extension LineInputs {
  /// From the detent at which it stands. False when its lines are not open.
  package mutating func calibrate(_ detents: Int, at now: Moment) -> Bool {
    let wires = plan.knobWires
    guard wires.count == 2, wires.allSatisfy({ numbers[$0] != nil }) else { return false }
    let place = knob.levels
    calibration = KnobCalibration(detents: detents, first: place.first, second: place.second, at: now)
    return true
  }

  /// The knob is turned by whoever turns it again; from now on it is built so.
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
