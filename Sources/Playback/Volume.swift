/// How loud, in per cent of the knob's way, and the one place that limits it: whatever asks for a volume (a start, a
/// detent, a program) gets it through here.
package struct Volume: Equatable, Sendable {
  package private(set) var percent: Int
  package let maximum: Int

  package init(percent: Int, maximum: Int = 100) {
    self.maximum = min(max(maximum, 0), 100)
    self.percent = min(max(percent, 0), self.maximum)
  }

  package mutating func set(_ wanted: Int) { percent = min(max(wanted, 0), maximum) }

  package mutating func turn(by steps: Int) {
    let (wanted, overflow) = percent.addingReportingOverflow(steps)
    set(overflow ? (steps > 0 ? 100 : 0) : wanted)
  }

  /// The factor for samples. A cube is close to how loud it seems; 100 is exactly 1 and 0 exactly 0, so that the
  /// bits of the file reach the device untouched, or not at all.
  package var gain: Double {
    let part = Double(percent) / 100
    return part * part * part
  }
}
