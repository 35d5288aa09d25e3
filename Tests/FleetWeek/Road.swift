import Offline
import Runtime
import TestSupport

/// What a board's week is like: where it is, what is plugged in and what goes wrong, made beforehand from a seed. The last
/// thirty hours are calm: what is wanted has to come then, or to say truly why not.
struct Road {
  enum Server: CaseIterable { case up, down, busy, weary }

  enum Change {
    case power(Bool)
    /// Bytes a second.
    case line(TransferConditions.Network, isMetered: Bool, TransferConditions.Internet, rate: Double)
    case battery(Int, hasCharger: Bool)
    case heat(Int)
    /// What others leave of the disk.
    case others(leaving: Int64?)
    case disk(isThere: Bool)
    case server(Server)
    case signedIn(Bool)
    case calm
  }

  private enum Scene: CaseIterable { case off, home, drive, hotel, cafe, garage }
  private enum Kind: CaseIterable { case car, hand, kiosk }

  static let end = Moment(nanoseconds: 7 * 24 * 3_600_000_000_000)
  static let calm = end - .seconds(30 * 3_600)

  private(set) var changes: [(at: Moment, change: Change)] = []
  private let kind: Kind
  private var level = 90.0
  private var time = Moment(nanoseconds: 0)

  var hasBattery: Bool { kind == .hand }

  init(_ dice: inout SeededGenerator) {
    kind = dice.among(Kind.allCases, else: .car)
    while time < Self.calm { play(&dice) }
    changes.removeAll { $0.at >= Self.calm }
    addTroubles(&dice)
    changes.append((Self.calm, .calm))
    var order: [(number: Int, at: Moment, change: Change)] = []
    for (number, one) in changes.enumerated() { order.append((number, one.at, one.change)) }
    order.sort { $0.at != $1.at ? $0.at < $1.at : $0.number < $1.number }
    changes = order.map { ($0.at, $0.change) }
  }

  private mutating func add(_ change: Change) { changes.append((time, change)) }

  private mutating func play(_ dice: inout SeededGenerator) {
    let scenes: [Scene] =
      switch kind {
      case .car: [.off, .off, .home, .drive, .drive, .garage, .cafe]
      case .hand: [.off, .home, .home, .drive, .hotel, .cafe, .garage]
      case .kiosk: [.off, .home, .home, .home, .cafe, .hotel]
      }
    let scene = dice.among(scenes, else: .home)
    add(.power(scene != .off))
    switch scene {
    case .off: pass(dice.between(kind == .kiosk ? 60 : 600, kind == .kiosk ? 1_200 : 9 * 3_600), drain: 0)
    case .home:
      let network: TransferConditions.Network = kind == .kiosk && dice.chance(oneIn: 2) ? .wired : .wifi
      add(.line(network, isMetered: false, .reached, rate: dice.between(400_000, 6_000_000)))
      pass(dice.between(600, 4 * 3_600), drain: -40)
    case .drive: drive(&dice)
    case .hotel:
      add(.line(.wifi, isMetered: false, .portal, rate: 800_000))
      pass(dice.between(60, 2_400), drain: 8)
      if dice.chance(oneIn: 2) { add(.line(.wifi, isMetered: false, .reached, rate: 800_000)) }
      pass(dice.between(300, 3_600), drain: 8)
      // Whoever has logged in has done so for an hour.
      add(.line(.wifi, isMetered: false, .portal, rate: 800_000))
      pass(dice.between(60, 1_200), drain: 8)
    case .cafe:
      add(.line(.wifi, isMetered: dice.chance(oneIn: 3), .none, rate: 1))
      pass(dice.between(300, 2_400), drain: 8)
    case .garage:
      add(.line(.none, isMetered: false, .none, rate: 1))
      pass(dice.between(300, 3_600), drain: 8)
    }
  }

  /// Tunnels, one after the other.
  private mutating func drive(_ dice: inout SeededGenerator) {
    let end = time + dice.between(600, 5_400)
    while time < end {
      add(.line(.mobile, isMetered: true, .reached, rate: dice.between(60_000, 1_000_000)))
      pass(dice.between(60, 600), drain: 15)
      add(.line(.none, isMetered: false, .none, rate: 1))
      pass(dice.between(5, 240), drain: 15)
    }
  }

  /// `drain`: per cent an hour.
  private mutating func pass(_ seconds: Double, drain: Double) {
    let end = time + seconds
    guard kind == .hand else { return time = end }
    while time < end {
      level = min(max(level - drain / 6, 3), 100)
      add(.battery(Int(level), hasCharger: drain < 0))
      time = min(time + 600.0, end)
    }
  }

  private mutating func addTroubles(_ dice: inout SeededGenerator) {
    func some(_ most: Int, _ seconds: ClosedRange<Double>, _ begin: (inout SeededGenerator) -> Change, _ end: Change) {
      for _ in 0..<Int.random(in: 0...most, using: &dice) {
        let at = Moment(nanoseconds: Int64.random(in: 0..<Self.calm.nanoseconds, using: &dice))
        changes.append((at, begin(&dice)))
        changes.append((at + dice.between(seconds.lowerBound, seconds.upperBound), end))
      }
    }
    some(6, 60...10_000, { $0.among([.down, .busy, .weary], else: .down) }, .server(.up))
    some(3, 600...4_000, { .heat(Int.random(in: 74...90, using: &$0)) }, .heat(60))
    some(5, 600...40_000, { .others(leaving: Int64.random(in: 0...620_000_000, using: &$0)) }, .others(leaving: nil))
    some(2, 60...4_000, { _ in .disk(isThere: false) }, .disk(isThere: true))
    some(1, 600...40_000, { _ in .signedIn(false) }, .signedIn(true))
    changes.removeAll { $0.at >= Self.calm }
  }
}

extension SeededGenerator {
  fileprivate mutating func among(_ servers: [Road.Server], else other: Road.Server) -> Road.Change {
    .server(servers.randomElement(using: &self) ?? other)
  }
}
