import Runtime

/// Whether the internet can be reached: no network, only the local network, a captive portal, or the internet. A value: it
/// is told of events with their time, and says when the next probe is due.
///
/// A link that is up proves nothing, and a failed transfer proves little. The expected answer to a probe proves that the
/// internet is there, and one failed probe does not undo that, because connections drop out for moments. Without a probe
/// in the settings, a link with a default route counts as the internet, until a transfer meets a captive portal.
package struct Reachability: Equatable, Sendable {
  package enum Reach: String, CaseIterable, Sendable {
    case none, local, portal, internet
  }

  /// The result of a probe.
  package enum ProbeResult: String, CaseIterable, Sendable {
    case expected
    /// Somebody else has answered in its place: a captive portal, which wants its page to be seen first.
    case other
    case nothing
  }

  package enum Event: Equatable, Sendable {
    /// The default route, or nil for none. Another route means another network, of which nothing is known.
    case line(Route?)
    /// The result of the probe with this number. The answer to a probe of an earlier network does not count.
    case answered(Int, ProbeResult)
    /// A transfer got a page in place of music.
    case suspected
    /// A transfer got just what it asked for.
    case proved
  }

  package struct Route: Equatable, Sendable {
    package var name: String
    package var ssid: [UInt8]?
    /// The link's own address.
    package var address: String?

    package init(name: String, ssid: [UInt8]? = nil, address: String? = nil) {
      self.name = name
      self.ssid = ssid
      self.address = address
    }
  }

  /// How long after a probe that reached the internet the next one is due.
  package static let whenReached: Duration = .seconds(600)
  /// The same behind a captive portal, where somebody may just be filling in the page.
  package static let whenPortal: Duration = .seconds(20)
  package static let firstPause: Duration = .seconds(5)
  package static let longestPause: Duration = .seconds(300)
  /// After so many probes in a row without an answer, the internet does not count as proved any more.
  package static let failures = 2
  /// Without a probe, the suspicion of a portal ends after this.
  package static let suspicion: Duration = .seconds(300)

  package private(set) var reach = Reach.none
  /// A probe or a transfer on this route has proved that the internet is there, and nothing has raised doubts since.
  /// Otherwise `reach` is only assumed.
  package private(set) var isProven = false
  /// When the next probe is due; nil while one is under way, or there is no route.
  package private(set) var due: Moment?
  private let canAsk: Bool
  private var line: Route?
  private var asked = 0
  private var isAsking = false
  private var failed = 0
  private var pause = Reachability.firstPause

  package init(canAsk: Bool) { self.canAsk = canAsk }

  /// A probe begins. Gives the number that its answer must have.
  package mutating func ask() -> Int {
    asked += 1
    isAsking = true
    due = nil
    return asked
  }

  /// Starts a probe if one is due and returns its number, else nil. Without a probe a suspicion that is due ends here.
  package mutating func comeDue(at now: Moment) -> Int? {
    guard let due, due <= now, line != nil else { return nil }
    if canAsk { return ask() }
    self.due = nil
    reach = .internet
    return nil
  }

  package mutating func hear(_ event: Event, at now: Moment) {
    switch event {
    case .line(let new): if new != line { take(new, at: now) }
    case .answered(let number, let answer): if number == asked, isAsking { take(answer, at: now) }
    case .suspected: suspect(at: now)
    case .proved: if line != nil { take(.expected, at: now) }
    }
  }

  private mutating func take(_ new: Route?, at now: Moment) {
    line = new
    isProven = false
    // Answers to probes over the route before do not count.
    asked += 1
    isAsking = false
    failed = 0
    pause = Self.firstPause
    reach = new == nil ? .none : canAsk ? .local : .internet
    due = new != nil && canAsk ? now : nil
  }

  private mutating func take(_ answer: ProbeResult, at now: Moment) {
    isAsking = false
    switch answer {
    case .expected:
      (reach, isProven) = (.internet, true)
      failed = 0
      pause = Self.firstPause
      due = canAsk ? now + Self.whenReached : nil
    case .other:
      (reach, isProven) = (.portal, false)
      failed = 0
      pause = Self.firstPause
      due = now + Self.whenPortal
    case .nothing:
      failed += 1
      if reach != .internet || failed >= Self.failures { (reach, isProven) = (.local, false) }
      due = now + pause
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// A probe begins at once where there is one, and only its answer counts: one server's odd page is no portal.
  private mutating func suspect(at now: Moment) {
    guard line != nil else { return }
    isProven = false
    if canAsk {
      // A probe that is under way was sent before the page came, so its answer does not count.
      if isAsking { (asked, isAsking) = (asked + 1, false) }
      due = now
    } else {
      reach = .portal
      due = now + Self.suspicion
    }
  }
}

/// What the probe's server must answer, as proof that the internet is there.
package struct ProbeExpectation: Equatable, Sendable {
  package var status: Int
  /// How the answer begins; nil when any will do.
  package var body: [UInt8]?

  package init(status: Int = 204, body: [UInt8]? = nil) {
    self.status = status
    self.body = body
  }

  /// `status` nil: nobody answered. A server in need (5xx) says nothing about the way to it, but 511 is made for
  /// portals.
  package func answer(status: Int?, body found: [UInt8]) -> Reachability.ProbeResult {
    guard let status else { return .nothing }
    if status == self.status, body.map({ found.starts(with: $0) }) ?? true { return .expected }
    return status >= 500 && status != 511 ? .nothing : .other
  }
}
