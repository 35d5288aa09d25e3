/// The redirects of one transfer so far, and the rule for whether it may follow the next one. A value.
struct RedirectPath {
  private(set) var place: WebPlace
  /// The address that was asked for. The request's headers are for its host only.
  let start: WebPlace
  private var seen: Set<WebPlace>
  /// One of the addresses is on the internet. A server there may not redirect into this network or to this device.
  private var wasOnInternet = false

  init(from place: WebPlace) {
    (self.place, start, seen) = (place, place, [place])
  }

  /// `next` is nil when the address is not valid.
  mutating func go(to next: WebPlace?) -> TransferTrouble.Redirect? {
    guard let next else { return .insecure }
    if place.isSafe && !next.isSafe { return .insecure }
    if seen.contains(next) { return .loop }
    // `seen` includes the address that was asked for, which is no redirect.
    if seen.count > RedirectRule.most { return .tooMany }
    seen.insert(next)
    place = next
    return nil
  }

  /// To be asked with the reach of each address before anything is sent to it. Nil when the transfer may go on.
  mutating func arrive(_ reach: NetworkReach) -> TransferTrouble.Redirect? {
    if reach == .local && wasOnInternet { return .inward }
    wasOnInternet = wasOnInternet || reach == .everywhere
    return nil
  }

  var isAtStart: Bool { place.isSameOrigin(as: start) }
}
