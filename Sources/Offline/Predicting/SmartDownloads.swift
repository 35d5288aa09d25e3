/// What is fetched unasked, and what shall not be. A value: each round it is told what is claimed, the surest first, and
/// says what comes and what goes; whoever stores it stores all of it.
///
/// Never more than the budget, and never more than fifty new ones a round. What the owner has dismissed, and what had to
/// make room, is not chosen again before its time.
package struct SmartDownloads: Equatable, Sendable {
  package struct Offer: Equatable, Sendable {
    package var item: ItemKey
    package var reasons: [Prediction.Reason]
    package var bytes: Int64

    package init(_ item: ItemKey, because reasons: [Prediction.Reason], bytes: Int64) {
      (self.item, self.reasons, self.bytes) = (item, reasons, bytes)
    }
  }

  package struct Change: Equatable, Sendable {
    package var new: [ItemKey] = []
    package var gone: [ItemKey] = []
  }

  private static let day: Int64 = 86_400
  /// The owner does not want it: a season is long enough to ask again.
  package static let refusedFor = 90 * day
  /// It had to make room, and would have to again.
  package static let evictedFor = 3 * day

  package var budget = Prediction.budget
  package private(set) var chosen: [ItemKey: Offer] = [:]
  /// Until when, in seconds since 1970.
  package private(set) var refused: [ItemKey: Int64] = [:]

  package init() {}

  /// As it was stored.
  package init(chosen: [Offer], refused: [ItemKey: Int64]) {
    for offer in chosen { self.chosen[offer.item] = offer }
    self.refused = refused
  }

  package var bytes: Int64 { chosen.values.reduce(0) { $0.plus(max($1.bytes, 0)) } }

  /// When the clock was wrong by years and is set right, nobody waits for years.
  package func isRefused(_ item: ItemKey, at date: Int64) -> Bool {
    guard let until = refused[item] else { return false }
    return date < until && until - date <= 2 * Self.refusedFor
  }

  /// `offers`: all that is claimed now, the surest first; what is chosen and not among them has left the prediction.
  package mutating func round(_ offers: [Offer], at date: Int64) -> Change {
    var (next, left, new): ([ItemKey: Offer], Int64, [ItemKey]) = ([:], budget, [])
    for offer in offers where next[offer.item] == nil && !isRefused(offer.item, at: date) {
      let isNew = chosen[offer.item] == nil
      guard offer.bytes <= left, !isNew || new.count < Prediction.mostInARound else { continue }
      left -= max(offer.bytes, 0)
      next[offer.item] = offer
      if isNew { new.append(offer.item) }
    }
    let gone = chosen.keys.filter { next[$0] == nil }.sorted()
    chosen = next
    refused = refused.filter { isRefused($0.key, at: date) }
    return Change(new: new, gone: gone)
  }

  /// The owner says no. False: it was not chosen.
  package mutating func dismiss(_ item: ItemKey, at date: Int64) -> Bool {
    guard chosen.removeValue(forKey: item) != nil else { return false }
    refused[item] = date + Self.refusedFor
    return true
  }

  /// It has made room for something else.
  package mutating func gaveUp(_ item: ItemKey, at date: Int64) -> Bool {
    guard chosen.removeValue(forKey: item) != nil else { return false }
    refused[item] = date + Self.evictedFor
    return true
  }

  /// Nothing is fetched unasked any more. What the owner has dismissed is not chosen again.
  package mutating func forgetAll() -> [ItemKey] {
    defer { chosen = [:] }
    return chosen.keys.sorted()
  }
}
