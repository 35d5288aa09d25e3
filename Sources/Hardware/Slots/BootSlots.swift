import Runtime

/// The counters of a card with two slots: which slot U-Boot starts, and how many tries each has left. image/boot.cmd
/// reads and writes the same; image/README.md has the form.
package struct BootSlots: Equatable, Sendable {
  package enum Slot: String, CaseIterable, Sendable {
    case a, b

    package var other: Slot { self == .a ? .b : .a }
  }

  package enum State: Equatable, Sendable {
    /// It has run before. Its starts are not counted.
    case good
    /// How often U-Boot will still start it, 3 at most. With 0 it takes the other slot.
    case tries(Int)
    /// Nothing was ever written to it.
    case empty

    package static let allTries = State.tries(3)

    package var canStart: Bool { self == .good || self != .empty && self != .tries(0) }
  }

  /// Why U-Boot took the other slot.
  package struct Abandoned: Equatable, Sendable {
    package enum Reason: String, Sendable {
      /// All its tries were used up.
      case tries
      /// Its kernel could not be read.
      case load
    }

    package let slot: Slot
    package let reason: Reason
  }

  /// How often the counters were written. Of two sectors with a right sum the one with the higher number counts.
  package private(set) var number: UInt64 = 0
  package private(set) var first = Slot.a
  private var states: [Slot: State] = [.a: .good, .b: .empty]
  package private(set) var abandoned: Abandoned?

  /// What U-Boot assumes when neither sector is right.
  package init() {}

  package subscript(slot: Slot) -> State { states[slot] ?? .empty }

  /// A slot that ran for a while. When U-Boot did not have it first, but there was no other that starts, it is first
  /// from now on.
  package func marked(good slot: Slot) -> BootSlots {
    var new = self
    new.states[slot] = .good
    if !new[first].canStart { new.first = slot }
    return new
  }

  /// A slot that must not be started, such as one that is about to be written. The other one is first then.
  package func marked(bad slot: Slot) -> BootSlots {
    var new = self
    new.states[slot] = .tries(0)
    if first == slot, new[slot.other].canStart { (new.first, new.abandoned) = (slot.other, nil) }
    return new
  }

  /// A slot that is started from now on; unless it is known to be good, it has three tries. Nil for one that is empty.
  package func choosing(_ slot: Slot) -> BootSlots? {
    guard self[slot] != .empty else { return nil }
    var new = self
    if self[slot] != .good { new.states[slot] = .allTries }
    (new.first, new.abandoned) = (slot, nil)
    return new
  }
}

// MARK: - The two sectors

extension BootSlots {
  package static let sectorSize = 512
  /// Where the second sector lies in the partition.
  package static let secondPlace = 524_288

  /// What two sectors say; `second` tells which of them counts. Neither is right: what U-Boot assumes, and the first is
  /// to be written next.
  package static func read(_ one: [UInt8], _ two: [UInt8]) -> (slots: BootSlots, second: Bool?) {
    switch (BootSlots(sector: one), BootSlots(sector: two)) {
    case (let first?, let second?): second.number > first.number ? (second, true) : (first, false)
    case (let first?, nil): (first, false)
    case (nil, let second?): (second, true)
    case (nil, nil): (BootSlots(), nil)
    }
  }

  /// The sector that is written next, under the next number.
  package func next() -> (slots: BootSlots, sector: [UInt8]) {
    var new = self
    new.number += 1
    let names = ["lb_a=\(new[.a].text)", "lb_b=\(new[.b].text)", "lb_first=\(new.first.rawValue)"]
    let facts = names + ["lb_n=\(String(new.number, radix: 16))", "lb_why=\(new.abandoned?.text ?? "none")"]
    var text: [UInt8] = []
    for fact in facts {
      text += fact.utf8
      text.append(0)
    }
    text += [UInt8](repeating: 0, count: Self.sectorSize - 4 - text.count)
    let sum = Checksum.crc32(text)
    let sector = (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    return (new, sector + text)
  }

  /// Nil when its sum is wrong, or it says what no slot can be.
  private init?(sector: [UInt8]) {
    guard sector.count == Self.sectorSize else { return nil }
    let sum = (0..<4).reduce(UInt32(0)) { $0 | UInt32(sector[$1]) << ($1 * 8) }
    guard sum == Checksum.crc32(sector[4...]) else { return nil }
    var values: [Substring: Substring] = [:]
    for fact in String(decoding: sector[4...], as: UTF8.self).split(separator: "\0") {
      let end = fact.firstIndex(of: "=") ?? fact.endIndex
      values[fact[..<end]] = fact[end...].dropFirst()
    }
    guard let number = UInt64(values["lb_n"] ?? "", radix: 16), number < .max,
      let first = Slot(rawValue: String(values["lb_first"] ?? "")),
      let a = State(values["lb_a"] ?? ""), let b = State(values["lb_b"] ?? "")
    else { return nil }
    (self.number, self.first, states) = (number, first, [.a: a, .b: b])
    abandoned = values["lb_why"].flatMap { Abandoned(String($0)) }
  }
}

extension BootSlots.State {
  package var text: String {
    switch self {
    case .good: "good"
    case .tries(let left): "\(left)"
    case .empty: "empty"
    }
  }

  fileprivate init?(_ text: Substring) {
    switch text {
    case "good": self = .good
    case "empty": self = .empty
    case "0", "1", "2", "3": self = .tries(Int(text) ?? 0)
    default: return nil
    }
  }
}

extension BootSlots.Abandoned {
  package var text: String { "\(slot.rawValue):\(reason.rawValue)" }

  init?(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let slot = BootSlots.Slot(rawValue: String(parts[0])),
      let reason = Reason(rawValue: String(parts[1]))
    else { return nil }
    (self.slot, self.reason) = (slot, reason)
  }
}
