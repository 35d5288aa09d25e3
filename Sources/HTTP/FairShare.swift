import Runtime

/// Divides a limited bandwidth among the transfers. A value: it is told how much time has passed and how many bytes each
/// transfer could take, and returns how many bytes each may receive.
///
/// Transfers that somebody listens to come first. Among transfers of the same urgency all get the same, but none gets
/// more than it can take; what it leaves goes to the others.
struct FairShare {
  struct Claim: Equatable {
    var id: UInt64
    var urgency: TransferRequest.Urgency
    var bytes: Int64
  }

  /// At most this time is made up for after a pause, so that no burst of bytes follows it.
  static let deepest: Duration = .milliseconds(200)
  /// How often bytes are dealt out.
  static let turn: Duration = .milliseconds(50)

  private(set) var bytesASecond: Int64?
  /// What was left below one byte at the last deal, in (bytes / s) x ns. The next deal adds it.
  private var crumbs: Int64 = 0
  /// Bytes that ended transfers have received beyond their parts, since curl hands over whole blocks. Later deals are
  /// smaller by that.
  private var debt: Int64 = 0

  init(bytesASecond: Int64?) { self.bytesASecond = bytesASecond.map { min(max($0, 1), Self.unlimited) } }

  /// In bytes a second. No connection is faster, and the products below stay within 64 bits.
  private static let unlimited: Int64 = 10_000_000_000

  var most: Int64? { bytesASecond.map { max($0 / 5, 1) } }

  /// Bytes for each transfer, by its id. A transfer that gets none is missing.
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

  /// A transfer has ended that had received so many bytes more than it was given.
  mutating func owe(_ bytes: Int64) { debt += max(bytes, 0) }

  /// `spare`: time beyond `deepest`. No transfer may use it, but it reduces the debt.
  private mutating func pay(with left: inout Int64, and spare: Duration) {
    guard let bytesASecond, debt > 0 else { return }
    let milliseconds = min(max(spare.milliseconds, 0), 3_600_000)
    debt = max(debt - bytesASecond * milliseconds / 1_000, 0)
    let paid = min(debt, left)
    (debt, left) = (debt - paid, left - paid)
  }

  /// Begins with the smallest claim and gives each an equal part of what is left, at most its claim. So each gets all
  /// that it asks for, or as much as every other that does not.
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
