import Runtime

/// What playing may cost, by what is left in the battery. A value, fed with what the kernel tells of its power
/// supplies; without a battery there is always enough.
///
/// A level wavers, so a step down is taken at once and a step up only when it is `margin` above; on a charger all is
/// allowed at any level.
package struct PowerPolicy: Equatable, Sendable {
  package enum Stage: String, Sendable, CaseIterable, Comparable {
    case low, normal, high

    package static func < (left: Self, right: Self) -> Bool { left.order < right.order }
    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  package struct Plan: Equatable, Sendable {
    package var stage: Stage
    /// Equaliser, crossfade and normaliser.
    package var effects: Bool
    /// The device is given more sound at a time, so that the processor sleeps longer.
    package var deepBuffer: Bool
    /// What can wait for a charger is done: loudness is measured.
    package var chores: Bool
  }

  package enum Event: Equatable, Sendable {
    /// Per cent; nil when there is no battery.
    case battery(Int?)
    case charger(Bool)
  }

  package static let lowBelow = 20
  package static let normalBelow = 50
  package static let margin = 3

  private var level: Int?
  private var isCharging = false
  package private(set) var stage = Stage.high

  package init() {}

  package var plan: Plan {
    let isLow = stage == .low
    return Plan(
      stage: stage, effects: !isLow, deepBuffer: isLow, chores: isCharging || level == nil)
  }

  /// The new plan, if it is another.
  package mutating func hear(_ event: Event) -> Plan? {
    let before = plan
    switch event {
    case .battery(let percent): level = percent.map { min(max($0, 0), 100) }
    case .charger(let plugged): isCharging = plugged
    }
    stage = nextStage
    return plan == before ? nil : plan
  }

  private var nextStage: Stage {
    guard let level, !isCharging else { return .high }
    let now = Self.stage(of: level)
    if now <= stage { return now }
    // Upwards, step by step, when it is clearly above.
    return max(stage, Self.stage(of: level - Self.margin))
  }

  private static func stage(of level: Int) -> Stage {
    level < lowBelow ? .low : level < normalBelow ? .normal : .high
  }
}
