import Runtime

/// The state of all power supplies, read once.
package struct PowerReading: Equatable, Sendable {
  package var hasBattery = false
  /// Per cent of all batteries together; nil when none says.
  package var level: Int?
  /// Power comes from outside.
  package var isPlugged = true

  package init(_ supplies: [PowerSupply]) {
    var batteries: [(level: Int?, holds: Int64?, status: PowerSupply.Status)] = []
    var lines: [Bool] = []
    for supply in supplies {
      switch supply.kind {
      case .battery(let level, let holds, let status): batteries.append((level, holds, status))
      case .line(let isOnline): lines.append(isOnline)
      }
    }
    // What has no battery and runs is plugged in, whatever a line says of itself.
    guard !batteries.isEmpty else { return }
    hasBattery = true
    // A charger that is no supply of its own shows in the battery alone.
    isPlugged = lines.contains(true) || batteries.contains { $0.status == .charging }
    if lines.isEmpty, !isPlugged {
      isPlugged = batteries.allSatisfy { $0.status == .full || $0.status == .notCharging }
    }
    level = Self.together(batteries.compactMap { battery in battery.level.map { ($0, battery.holds) } })
  }

  /// Each by how much it holds, if all say that.
  private static func together(_ batteries: [(level: Int, holds: Int64?)]) -> Int? {
    guard !batteries.isEmpty else { return nil }
    let knowsAll = batteries.allSatisfy { $0.holds != nil }
    var (sum, all) = (0.0, 0.0)
    for battery in batteries {
      let weight = knowsAll ? Double(battery.holds ?? 1) : 1
      sum += Double(battery.level) * weight
      all += weight
    }
    return Int((sum / all).rounded())
  }
}

/// What feeds this machine, as far as decisions depend on it. Followers are told when it changes.
package struct PowerState: Hashable, Sendable {
  package var hasBattery = false
  /// Of the battery, in per cent, without its wavering; nil when there is none, or it does not say.
  package var level: Int?
  /// Without a battery there is nothing else.
  package var isPlugged = true

  package init() {}

  package init(hasBattery: Bool, level: Int?, isPlugged: Bool) {
    self.hasBattery = hasBattery
    self.level = level
    self.isPlugged = isPlugged
  }

  package func json(_ supplies: [PowerSupply] = []) -> JSON {
    [
      "battery": JSON(hasBattery), "percent": level.map { JSON($0) } ?? .null, "plugged": JSON(isPlugged),
      "supplies": .list(supplies.map(\.json)),
    ]
  }
}
