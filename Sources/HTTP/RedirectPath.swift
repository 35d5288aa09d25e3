/// Where a transfer was sent until now, and whether it goes on to the next place. A value.
struct RedirectPath {
  private(set) var place: WebPlace
  /// The first host's; who asked meant its headers for it.
  let start: WebPlace
  private var seen: Set<WebPlace>
  /// One of the places lies on the internet. From there nobody is sent to a router or to this device itself.
  private var wasOnInternet = false

  init(from place: WebPlace) {
    (self.place, start, seen) = (place, place, [place])
  }

  /// `next` is nil when it cannot be understood.
  mutating func go(to next: WebPlace?) -> TransferTrouble.Redirect? {
    guard let next else { return .insecure }
    if place.isSafe && !next.isSafe { return .insecure }
    if seen.contains(next) { return .loop }
    // The first place is no redirect.
    if seen.count > RedirectRule.most { return .tooMany }
    seen.insert(next)
    place = next
    return nil
  }

  /// The place has the address `reach` tells of; asked for each before anything is said to it.
  mutating func arrive(_ reach: NetworkReach) -> TransferTrouble.Redirect? {
    if reach == .local && wasOnInternet { return .inward }
    wasOnInternet = wasOnInternet || reach == .everywhere
    return nil
  }

  var isAtStart: Bool { place.isSameOrigin(as: start) }
}
