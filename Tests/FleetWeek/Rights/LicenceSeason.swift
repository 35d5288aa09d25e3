import Glibc
import Rights
import Runtime
import Seals
import Synchronization
import TestSupport

/// Some weeks of one device and its licences: power, clocks, time servers, a service and somebody who cheats, made from a
/// seed. What decides is `DeviceRights` as the program has it, with its files. After every step it is compared with what the
/// service has truly given and said, and with what the clocks have truly shown.
package final class LicenceSeason {
  struct Held {
    let given: RightsShop.Given
    /// By the device's clock.
    var firstPlayed: Int64?
  }

  /// What the device has by now, told by what was signed for it.
  struct Ledger {
    var held: [Int: Held] = [:]
    var said: RightsShop.Said?
    var bounds = TimeBounds()
  }

  /// What was known of first playings is lost: what was issued before some time counts as played since it was issued.
  struct Loss {
    var before: Int64 = 0
    /// The service has said the time since.
    var isSigned = true
  }

  enum TimeServer: Equatable { case none, right, wrong(by: Int64) }

  package let seed: UInt64
  package var counts = SeasonCounts()
  /// Empty, or what did not hold first.
  package private(set) var complaints: [String] = []

  var dice: SeededGenerator
  let shop: RightsShop
  var rights: DeviceRights
  let card: DeviceCard
  var clocks: TimeBounds.Clocks
  var server = TimeServer.right
  var isOn = true
  var ledger = Ledger()
  /// What the disk has of the clock and of first plays; nil when that file is gone.
  var kept: (bounds: TimeBounds, plays: [Int: Int64], loss: Loss)?
  var loss = Loss()
  var hasLostTime: Bool { loss.before == .max }
  /// For who sends again what was sent before.
  var sent: [RightsShop.Bundle] = []
  var sentTimes: [String] = []
  private let folder: TempFolder
  private let reading: BoardReading
  private var step = 0

  private static let steps = 60

  package init(seed: UInt64) throws(Fault) {
    self.seed = seed
    dice = SeededGenerator(seed: seed &+ 7_919)
    shop = try RightsShop()
    // In memory: a season writes some hundred files.
    folder = TempFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    clocks = TimeBounds.Clocks(
      now: 1_790_000_000, boot: 1, bootedAt: 1_789_999_900, hasBattery: dice.chance(oneIn: 2))
    reading = BoardReading(clocks)
    rights = try Self.opened(folder.path, shop, reading)
    card = try DeviceCard(rights.card)
  }

  private static func opened(
    _ folder: FilePath, _ shop: RightsShop, _ reading: BoardReading
  ) throws(Fault) -> DeviceRights {
    try DeviceRights(in: folder / "rights", board: [], roots: ["shop": shop.rootKey]) { reading.now }
  }

  package func run() {
    do throws(Fault) {
      look()
      try takeRound(isAsked: false)
      while step < Self.steps, complaints.isEmpty {
        step += 1
        pass(Int64.random(in: 60...40_000, using: &dice))
        try happen()
        guard isOn else { continue }
        look()
        try checkAll()
        if !dice.chance(oneIn: 4) { try keep() }
      }
    } catch { complain("\(error)") }
  }

  func complain(_ what: String) {
    guard complaints.isEmpty else { return }
    complaints.append("season \(seed), day \((clocks.now - 1_790_000_000) / RightsShop.day), step \(step): \(what)")
  }

  // MARK: Time and power

  /// With the power as it is.
  func pass(_ seconds: Int64) {
    clocks.now += seconds
    reading.now = Self.reading(clocks)
  }

  func set(_ change: (inout TimeBounds.Clocks) -> Void) {
    change(&clocks)
    reading.now = Self.reading(clocks)
  }

  fileprivate static func reading(_ clocks: TimeBounds.Clocks) -> HonestClock.Reading {
    .init(
      system: clocks.now + clocks.offset, uptime: clocks.now - clocks.bootedAt, boot: "boot \(clocks.boot)",
      isSynchronised: clocks.isSynchronised, hasBattery: clocks.hasBattery)
  }

  func cutPower() {
    isOn = false
    server = .none
    counts.cuts += 1
  }

  func powerOn() throws(Fault) {
    isOn = true
    set { clocks in
      (clocks.boot, clocks.bootedAt, clocks.isSynchronised) = (clocks.boot + 1, clocks.now - 5, false)
      // As the image was made.
      if !clocks.hasBattery { clocks.offset = 1_700_000_000 - clocks.now }
    }
    try start()
  }

  /// The program begins with what the disk has.
  func start() throws(Fault) {
    rights = try Self.opened(folder.path, shop, reading)
    for (number, _) in ledger.held where shop.parcels[number].isStreaming { ledger.held[number] = nil }
    ledger.bounds = kept?.bounds ?? TimeBounds()
    loss = kept?.loss ?? (ledger.held.isEmpty ? Loss() : Loss(before: .max, isSigned: false))
    for (number, one) in ledger.held {
      let first = kept == nil ? one.given.issued : kept?.plays[number]
      ledger.held[number]?.firstPlayed = shop.parcels[number].playDays == nil ? nil : first
    }
  }

  func removeClockFile() {
    _ = (folder.path / "rights/clock.json").withCString { unlink($0) }
    kept = nil
  }

  /// The device reads its clocks, and what it may believe of them is reckoned.
  func look() {
    let time = rights.time(of: "shop")
    ledger.bounds.read(clocks, isLost: hasLostTime)
    if hasLostTime, clocks.isSynchronised {
      let newest = ledger.held.values.map(\.given.issued).max() ?? 0
      loss.before = max(clocks.now + clocks.offset, newest + 1)
    }
    let (least, most) = (ledger.bounds.least.floor, ledger.bounds.most.floor)
    guard !hasLostTime else { return }
    guard time.now < least - TimeBounds.slack || time.now > most + TimeBounds.slack else { return }
    complain("the device believes that it is \(time.now), and it can be \(least) to \(most)")
  }

  func keep() throws(Fault) {
    try rights.keepClock()
    hasKept()
  }

  private func hasKept() {
    kept = (ledger.bounds, ledger.held.compactMapValues(\.firstPlayed), loss)
  }

  // MARK: What is given

  func take(_ bundle: RightsShop.Bundle) throws(Fault) {
    look()
    _ = try rights.take(bundle.bytes, from: "shop")
    for given in bundle.given where given.serial > ledger.held[given.parcel]?.given.serial ?? 0 {
      let isLost = given.issued < loss.before && shop.parcels[given.parcel].playDays != nil
      let lost = isLost ? given.issued : nil
      ledger.held[given.parcel] = Held(given: given, firstPlayed: ledger.held[given.parcel]?.firstPlayed ?? lost)
      counts.taken += 1
    }
    if bundle.said.number > ledger.said?.number ?? 0 { ledger.said = bundle.said }
    hasKept()
  }

  /// As `LicenceDepot` asks a depot; small batches, so that the power often goes between two of them.
  func takeRound(isAsked: Bool) throws(Fault) {
    if rights.time(of: "shop").witness != .network { try askTime() }
    let offers = shop.offers(at: clocks.now)
    let due = RenewalRule.due(offers, rights.lines().map(\.licence), at: rights.time(of: "shop").now, isAsked: isAsked)
    checkOrder(due)
    if due.isEmpty { try give([]) }
    for first in stride(from: 0, to: due.count, by: 2) {
      try give(Array(due[first..<min(first + 2, due.count)]))
      if dice.chance(oneIn: 8) { return cutPower() }
    }
    counts.rounds += 1
    checkRenewed(offers)
  }

  private func give(_ ids: [String]) throws(Fault) {
    let bundle = try shop.bundle(ids, for: card, at: clocks.now)
    // What is only streamed would come back by being sent again, which it may.
    if !bundle.given.contains(where: { shop.parcels[$0.parcel].isStreaming }) { sent.append(bundle) }
    try take(bundle)
  }

  func askTime() throws(Fault) {
    let question = rights.timeQuestion()
    let answer = try shop.time(clocks.now, for: question)
    sentTimes.append(answer.text)
    try rights.take(time: answer.text, answer.keys, for: question, from: "shop")
    if !loss.isSigned { loss = Loss(before: min(loss.before, clocks.now)) }
    ledger.bounds.learn(clocks)
    hasKept()
  }
}

/// What the board's clocks say, as the device asks for it.
private final class BoardReading: Sendable {
  private let value: Mutex<HonestClock.Reading>

  init(_ clocks: TimeBounds.Clocks) { value = Mutex(LicenceSeason.reading(clocks)) }

  var now: HonestClock.Reading {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

/// What a season has gone through: a law that nothing came near to says little.
package struct SeasonCounts: Sendable {
  package var plays = 0
  package var refusals: [String: Int] = [:]
  package var cuts = 0
  package var rounds = 0
  package var taken = 0
  package var removed = 0
  package var wrongServers = 0
  package var cheats = 0
  package var lostTimes = 0

  package init() {}

  package mutating func add(_ other: SeasonCounts) {
    plays += other.plays
    for (name, count) in other.refusals { refusals[name, default: 0] += count }
    cuts += other.cuts
    rounds += other.rounds
    taken += other.taken
    removed += other.removed
    wrongServers += other.wrongServers
    cheats += other.cheats
    lostTimes += other.lostTimes
  }
}
