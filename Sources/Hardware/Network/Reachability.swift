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

  /// What came of asking.
  package enum ProbeResult: String, CaseIterable, Sendable {
    case expected
    /// Somebody else answers in its place: they want to be seen first.
    case other
    case nothing
  }

  package enum Event: Equatable, Sendable {
    /// The way to everywhere; another one is another network, of which nothing is known.
    case line(Route?)
    /// By the number that asking gave: an answer to an earlier network's question is none.
    case answered(Int, ProbeResult)
    /// A transfer got a page in place of music.
    case suspected
    /// A transfer got just what it asked for.
    case proved
  }

  package struct Route: Equatable, Sendable {
    package var name: String
    package var ssid: [UInt8]?
    /// The one by which it is known to others.
    package var address: String?

    package init(name: String, ssid: [UInt8]? = nil, address: String? = nil) {
      self.name = name
      self.ssid = ssid
      self.address = address
    }
  }

  /// So long after each outcome it is asked again.
  package static let whenReached: Duration = .seconds(600)
  /// Somebody may just be filling in the page.
  package static let whenPortal: Duration = .seconds(20)
  package static let firstPause: Duration = .seconds(5)
  package static let longestPause: Duration = .seconds(300)
  /// So many questions in a row without an answer end what was proved.
  package static let failures = 2
  /// Where nobody can ask, a page is forgotten after this.
  package static let suspicion: Duration = .seconds(300)

  package private(set) var reach = Reach.none
  /// `internet` by an answer or a transfer, since the line is there and nobody has doubted it; else it is only
  /// believed.
  package private(set) var isProven = false
  /// When to ask next; nil while an answer is on its way, or there is nothing to ask over.
  package private(set) var due: Moment?
  private let canAsk: Bool
  private var line: Route?
  private var asked = 0
  private var isAsking = false
  private var failed = 0
  private var pause = Reachability.firstPause

  package init(canAsk: Bool) { self.canAsk = canAsk }

  /// It is being asked from now on; the number is for its answer.
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
    // Whatever was asked over the other one.
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

  /// Asked at once where that is possible, and only the answer counts: one server's odd page is no portal.
  private mutating func suspect(at now: Moment) {
    guard line != nil else { return }
    isProven = false
    if canAsk {
      // A question that is on its way was put before the page came.
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
