import Runtime

extension Survey {
  /// The lines that the board's file gives to knob and buttons; nil when it gives none.
  var plannedLines: Finding? {
    let plan = wishes.lines
    guard !plan.isEmpty else { return nil }
    let name = plan.hasHands ? "knob and buttons" : "lines"
    var faults: [Fault] = []
    var open: [String] = []
    for wire in plan.wires {
      do throws(Fault) {
        try check(wire)
        open.append(wire.name.description)
      } catch {
        if !faults.contains(error) { faults.append(error) }
      }
    }
    guard let worst = faults.first(where: { $0.kind == .denied }) ?? faults.first else {
      return Finding(name, .works, "lines \(Self.list(open, most: plan.wires.count))")
    }
    var seen = faults.prefix(4).map(\.message)
    if faults.count > seen.count { seen.append("and \(faults.count - seen.count) more") }
    if !open.isEmpty { seen.append("lines \(Self.list(open)) can be used") }
    let verdict: Finding.Verdict = !open.isEmpty ? .limited : worst.kind == .denied ? .forbidden : .missing
    return Finding(name, verdict, seen.joined(separator: "; "), advice: advice(for: worst))
  }

  private func check(_ wire: LinePlan.Wire) throws(Fault) {
    let place = try machine.lines.find(wire.name)
    // A player that runs has them already.
    guard let holder = machine.lines[place]?.holder, holder != LinePlan.consumer else { return }
    throw .taken(wire, by: holder)
  }

  private func advice(for fault: Fault) -> String {
    switch fault.kind {
    case .denied:
      let closed = machine.gpioChips.first { !$0.isUsable }
      return closed.map(permission) ?? "add this user to the group that may use /dev/gpiochip*"
    case .busy:
      return "another program or a driver of the kernel uses it: stop that, or wire the button to another line"
    default:
      return "compare [encoder], [buttons] and [power] in the board's file with what gpioinfo (package gpiod) shows"
    }
  }
}
