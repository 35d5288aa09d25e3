import Offline
import Runtime
import TestSupport

/// A week of one board, an event after the other: its owner, its road, its shop and its power are made from a seed; what
/// it decides are the very values that the program runs. After every step `Laws` are looked at.
///
/// What is said here in place of the actors is only what they perform.
package final class Week {
  package let seed: UInt64
  package internal(set) var counts = Counts()
  /// Empty, or what did not hold first.
  package internal(set) var complaints: [String] = []

  var dice: SeededGenerator
  var shop: Shop
  let road: Road
  let disk: FleetDisk
  let folder = MediaFolder(FilePath("media"))
  var agenda = Agenda()
  var now = Moment(nanoseconds: 0)

  // The surroundings as they are; what the board knows of them is its policy's.
  var truth = TransferConditions()
  var rate = 1.0
  var server = Road.Server.up
  var isSignedIn = true
  var isDiskThere = true
  var isCalm = false
  /// The clock keeps the time when the power is gone.
  let hasClock: Bool

  // What survives a power cut.
  var rows: [MediaKey: DownloadRecord] = [:]
  var stored = Wants()
  var rules = TransferRules()
  var isExcepted: Set<MediaKey> = []
  var history: [Prediction.Play] = []
  /// Of which bytes came that were not theirs.
  var garbled: Set<MediaKey> = []
  var ledger = Ledger()

  var life: Life?
  var lives = 0
  /// After so many actions the power goes, if the week's own plan does not take it before.
  var actionsLeft: Int?
  /// The same sum is not made again at each step of a file.
  var paths: [MediaKey: (part: FilePath, whole: FilePath)] = [:]

  package init(seed: UInt64) {
    self.seed = seed
    dice = SeededGenerator(seed: seed)
    shop = Shop(&dice)
    road = Road(&dice)
    disk = FleetDisk(capacity: Int64.random(in: 1_400_000_000...4_000_000_000, using: &dice))
    hasClock = dice.chance(oneIn: 2)
    truth.free = disk.free
    truth.battery = road.hasBattery ? 90 : nil
    rules.limit = Int64.random(in: 60_000_000...900_000_000, using: &dice)
    rules.atOnce = Int.random(in: 1...4, using: &dice)
    rules.downloadsOnMetered = dice.chance(oneIn: 3)
    rules.streamsOnMetered = !dice.chance(oneIn: 3)
    rules.isPredicting = dice.chance(oneIn: 2)
    if dice.chance(oneIn: 4) { rules.hours = .init(from: 1_320, to: 360) }
    stored.quota = Int.random(in: 14...56, using: &dice)
  }

  package func run() {
    for (number, one) in road.changes.enumerated() { agenda.add(.road(number), at: one.at) }
    agenda.add(.owner, at: now + 30.0)
    agenda.add(.hour, at: now + 3_600.0)
    while let next = agenda.next(), next.at < Road.end, complaints.isEmpty {
      if let begun = next.life, begun != life?.number { continue }
      now = next.at
      counts.steps += 1
      happen(next.happening)
      afterwards()
    }
    if complaints.isEmpty { checkEnd() }
  }

  func after(_ seconds: Double, _ happening: Agenda.Happening) {
    guard let life else { return }
    agenda.add(happening, at: now + seconds, life: life.number)
  }

  private func happen(_ happening: Agenda.Happening) {
    switch happening {
    case .road(let number): change(road.changes[number].change)
    case .powerOn: if life == nil { powerOn() }
    case .told, .probe: hearSurroundings(isProbed: true)
    case .poll:
      hearSurroundings(isProbed: false)
      sendScouts()
      after(60, .poll)
    case .look: break
    case .clockIsSet: setClock()
    case .resolve(let key, let ticket): resolve(key, ticket)
    case .head(let key, let ticket): head(key, ticket)
    case .piece(let key, let ticket): piece(key, ticket)
    case .due(let key, let ticket): tell(.due(ticket), key)
    case .owner:
      if !isCalm { actAsOwner() }
      agenda.add(.owner, at: now + dice.between(900, 12_000))
    case .hour:
      everyHour()
      agenda.add(.hour, at: now + 3_600.0)
    }
  }

  /// Whatever happened: what follows from it for the others, then who is next, then the laws.
  private func afterwards() {
    goOn()
    guard let life, life.isReady else { return }
    if life.hasSuspicion {
      life.hasSuspicion = false
      life.policy.suspectPortal()
      after(dice.between(2, 10), .probe)
    }
    holdWhatMayNot()
    pump()
    checkStep()
  }

  func complain(_ what: String) {
    guard complaints.isEmpty else { return }
    let hours = now.nanoseconds / 3_600_000_000_000
    complaints.append("seed \(seed), hour \(hours), step \(counts.steps): \(what)")
  }

  /// Seconds since 1970, as the board believes: a clock that is not set yet is wrong.
  var date: Int64 {
    let right = 1_790_000_000 + now.nanoseconds / 1_000_000_000
    return life?.isClockSet == true ? right : Int64(lives % 3) * 1_000_000_000
  }

  /// Since 1970, by the clock on the wall.
  var day: Int { 20_717 + Int(now.nanoseconds / 86_400_000_000_000) }
  var minute: Int { Int(now.nanoseconds / 60_000_000_000 % 1_440) }
}

/// What a week has gone through: a law that nothing came near to says little.
package struct Counts: Sendable {
  package var steps = 0
  package var powerCuts = 0
  package var cutsInside = 0
  package var completed = 0
  package var bytes: Int64 = 0
  package var again: Int64 = 0
  package var failures = 0
  package var waits: [WaitReason: Int] = [:]
  /// Of one download in an hour.
  package var mostWaits = 0
  package var holds = 0
  package var givenUp = 0
  package var versions = 0
  package var predicted = 0
  package var streams = 0
  package var refused = 0
  package var wanted = 0
  package var here = 0

  package init() {}

  package mutating func add(_ other: Counts) {
    steps += other.steps
    powerCuts += other.powerCuts
    cutsInside += other.cutsInside
    completed += other.completed
    bytes += other.bytes
    again += other.again
    failures += other.failures
    for (reason, count) in other.waits { waits[reason, default: 0] += count }
    mostWaits = max(mostWaits, other.mostWaits)
    holds += other.holds
    givenUp += other.givenUp
    versions += other.versions
    predicted += other.predicted
    streams += other.streams
    refused += other.refused
    wanted += other.wanted
    here += other.here
  }
}
