import Runtime

/// Deals out what all transfers together may receive. A value: it is told how much time has gone by and who could use
/// how much, and says what each gets.
///
/// Those that somebody listens to are served first. Among equals everybody gets the same, but nobody more than they can
/// use: what one leaves goes to the others.
struct FairShare {
  struct Claim: Equatable {
    var id: UInt64
    var urgency: TransferRequest.Urgency
    var bytes: Int64
  }

  /// Nobody gathers more than is due in this time, so that a break is not made up for by a flood.
  static let deepest: Duration = .milliseconds(200)
  /// How often something is dealt out.
  static let turn: Duration = .milliseconds(50)

  private(set) var bytesASecond: Int64?
  /// Less than a byte, in bytes a second times nanoseconds.
  private var crumbs: Int64 = 0
  /// What those that have ended took beyond their parts: curl hands over whole pieces.
  private var debt: Int64 = 0

  init(bytesASecond: Int64?) { self.bytesASecond = bytesASecond.map { min(max($0, 1), Self.unlimited) } }

  /// More than any line; the products below stay within 64 bits.
  private static let unlimited: Int64 = 10_000_000_000

  var most: Int64? { bytesASecond.map { max($0 / 5, 1) } }

  /// What is dealt to each; who gets nothing is not named.
  mutating func deal(after elapsed: Duration, to claims: [Claim]) -> [UInt64: Int64] {
    guard let bytesASecond else { return [:] }
    let time = min(max(elapsed.nanoseconds, 0), Self.deepest.nanoseconds)
    let product = bytesASecond * time + crumbs
    var left = product / 1_000_000_000
    crumbs = product % 1_000_000_000
    pay(with: &left, and: elapsed - Self.deepest)
    var dealt: [UInt64: Int64] = [:]
    for urgency in [TransferRequest.Urgency.listening, .whenever] {
      let hungry = claims.filter { $0.urgency == urgency && $0.bytes > 0 }
      Self.share(&left, among: hungry, into: &dealt)
    }
    return dealt
  }

  /// One that has ended had taken so much too much.
  mutating func owe(_ bytes: Int64) { debt += max(bytes, 0) }

  /// Time that nobody may make up for pays debts all the same.
  private mutating func pay(with left: inout Int64, and spare: Duration) {
    guard let bytesASecond, debt > 0 else { return }
    let milliseconds = min(max(spare.milliseconds, 0), 3_600_000)
    debt = max(debt - bytesASecond * milliseconds / 1_000, 0)
    let paid = min(debt, left)
    (debt, left) = (debt - paid, left - paid)
  }

  /// From the most modest on, an equal part of what is left: so each gets what they can use, or the same as the rest.
  private static func share(_ left: inout Int64, among claims: [Claim], into dealt: inout [UInt64: Int64]) {
    let modestFirst = claims.sorted { ($0.bytes, $0.id) < ($1.bytes, $1.id) }
    for (place, claim) in modestFirst.enumerated() {
      let part = left / Int64(modestFirst.count - place)
      let given = min(part, claim.bytes)
      if given > 0 { dealt[claim.id] = given }
      left -= given
    }
  }
}
