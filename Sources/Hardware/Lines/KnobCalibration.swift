import Runtime

/// Finds out how a knob is built (`KnobForm`) while somebody turns it a given number of detents clockwise at any speed. It
/// says what is wrong when it cannot find out.
///
/// A hand that turns from detent to detent pauses at each. So the levels during pauses show how many edges lie between two
/// detents. The number of all edges shows it again, and both must agree. Bounces are removed as in `EveryEdge`.
package struct KnobCalibration: Sendable {
  /// What a panel shows meanwhile.
  package struct Progress: Equatable, Sendable {
    /// Of both lines, with all that bounced.
    package var edges = 0
    package var clicks = 0
    package var wanted: Int
  }

  package enum Outcome: Equatable, Sendable {
    case found(KnobForm)
    case failed(KnobTrouble)
  }

  /// Counts for the first contact, for the second, and for both at once.
  struct Sides: Sendable {
    var first = 0
    var second = 0
    var both = 0
  }

  /// The knob rests when nothing has moved for so long.
  static let rest: Duration = .milliseconds(80)
  /// The person has finished when nothing has moved for so long.
  static let ending: Duration = .seconds(2)
  /// How long to wait for the first edge.
  static let patience: Duration = .seconds(20)
  /// The longest calibration. What came until then is judged, even if something still moves.
  static let longest: Duration = .seconds(60)
  /// No hand turns so long without a rest, nor makes so many edges.
  static let restless: Duration = .seconds(8)
  static let mostEdges = 4_000
  /// The worst contacts bounce for so long, and nobody who calibrates is in a hurry.
  static let lasting: Duration = .milliseconds(5)

  private(set) var pair: EveryEdge
  let wanted: Int
  let begun: Moment
  private var firstEdge: Moment?
  private var latestEdge: Moment?
  /// The edges of the first and of the second contact.
  private(set) var edges = Sides()
  /// The moves of the contacts, which are those edges without their bounces.
  private(set) var moves = Sides()
  /// Quarters clockwise, and all of them whichever way.
  private(set) var travel = (net: 0, whole: 0)
  /// The places in which it rested, the one in which it began first.
  private(set) var rests: [Int]
  private var isAtRest = true
  private(set) var hasSwung = false
  package private(set) var outcome: Outcome?

  /// The contacts as they are at the detent from which it will be turned: closed or not.
  package init(detents: Int, first: Bool, second: Bool, at now: Moment) {
    (wanted, begun) = (detents, now)
    pair = EveryEdge(.four, lasting: Self.lasting, first: first, second: second)
    rests = [pair.place]
  }

  package var progress: Progress {
    Progress(edges: edges.first + edges.second, clicks: abs(travel.net) / edgesByRests.rawValue, wanted: wanted)
  }

  /// When something will have happened although no edge comes.
  package var due: Moment? {
    guard outcome == nil else { return nil }
    guard let latestEdge else { return begun + Self.patience }
    let next = isAtRest ? latestEdge + Self.ending : latestEdge + Self.rest
    return [pair.due, next, begun + Self.longest].compactMap { $0 }.min()
  }

  package mutating func edge(of contact: Quadrature.Contact, closed: Bool, at moment: Moment) {
    settle(by: moment)
    guard outcome == nil else { return }
    if contact == .first { edges.first += 1 } else { edges.second += 1 }
    follow { $0.edge(of: contact, closed: closed, at: moment) }
    if isAtRest { firstEdge = moment }
    (latestEdge, isAtRest) = (moment, false)
    let isRestless = firstEdge.map { moment - $0 > Self.restless } ?? false
    if isRestless || edges.first + edges.second > Self.mostEdges {
      hasSwung = true
      judge()
    }
  }

  package mutating func settle(by now: Moment) {
    guard outcome == nil else { return }
    guard let latestEdge else {
      if now - begun >= Self.patience { judge() }
      return
    }
    follow { $0.settle(by: now) }
    if !isAtRest, now - latestEdge >= Self.rest {
      isAtRest = true
      rests.append(pair.place)
    }
    let isDone = isAtRest && now - latestEdge >= Self.ending
    if isDone || now - begun >= Self.longest { judge() }
  }

  package var levels: (first: Bool, second: Bool) { pair.levels }

  package func agrees(first: Bool, second: Bool) -> Bool { pair.agrees(first: first, second: second) }

  /// The levels were read, and edges had gone missing before.
  package mutating func see(first: Bool, second: Bool) {
    follow { contacts in
      contacts.see(first: first, second: second)
      return 0
    }
  }

  package mutating func lose() { pair.lose() }

  private mutating func follow(_ body: (inout EveryEdge) -> Int) {
    let before = pair.settled
    _ = body(&pair)
    let quarters: Int
    switch (pair.settled - before) & 3 {
    case 0: return
    case 1: quarters = 1
    case 3: quarters = -1
    default:
      // Both at once: it has gone on, or they are one.
      moves.both += 1
      quarters = travel.net < 0 ? -2 : 2
    }
    if abs(quarters) == 1 {
      // Out of both even places the first contact leads clockwise.
      if (quarters == 1) == before.isMultiple(of: 2) { moves.first += 1 } else { moves.second += 1 }
    }
    travel = (travel.net + quarters, travel.whole + abs(quarters))
  }

  private mutating func judge() { outcome = verdict }
}

/// The result of a calibration.
extension KnobCalibration {
  /// Fewer rests say nothing of where its detents are, and how far it came alone fits several kinds of knob.
  private static let tellingRests = 4

  var verdict: Outcome {
    if let trouble = troubleOfLines { return .failed(trouble) }
    guard abs(travel.net) * 10 >= travel.whole * 7 else { return .failed(.toAndFro) }
    guard rests.count >= Self.tellingRests else { return .failed(.unclear) }
    let edges = edgesByRests
    let clicks = (abs(travel.net) + edges.rawValue / 2) / edges.rawValue
    guard isEnough(abs(travel.net), edges) else { return .failed(.miscounted(clicks, of: wanted)) }
    return .found(KnobForm(edges: edges, rests: place(edges), isReversed: travel.net < 0))
  }

  private var troubleOfLines: KnobTrouble? {
    let (loud, soft) = (max(edges.first, edges.second), min(edges.first, edges.second))
    if loud == 0 { return .nothing }
    let louder: Quadrature.Contact = edges.first >= edges.second ? .first : .second
    if hasSwung { return .swinging(loud > 3 * soft ? louder : nil) }
    if moves.first + moves.second + moves.both == 0 { return .bounces }
    if moves.both > moves.first + moves.second { return .together }
    // The second contact is silent, except for a few edges that its wire picks up from the first.
    if moves.second * 8 < moves.first { return .silent(.second, isClosed: pair.place >= 2) }
    if moves.first * 8 < moves.second { return .silent(.first, isClosed: pair.place == 1 || pair.place == 2) }
    return nil
  }

  /// From three quarters of what was asked for to a third more. These ranges do not overlap for two kinds of knob.
  private func isEnough(_ quarters: Int, _ edges: KnobEdges) -> Bool {
    let whole = wanted * edges.rawValue
    return quarters * 4 >= whole * 3 && quarters * 10 <= whole * 13
  }

  /// Whoever turns slowly may rest between two detents now and then.
  var edgesByRests: KnobEdges {
    let most = rests.count * 4
    let places = (0..<4).map { place in rests.count { $0 == place } * 5 }
    if places.contains(where: { $0 >= most }) { return .four }
    return places[0] + places[2] >= most || places[1] + places[3] >= most ? .two : .one
  }

  private func place(_ edges: KnobEdges) -> KnobRest {
    let counts = (0..<edges.rawValue).map { place in
      rests.count { $0 & (edges.rawValue - 1) == place }
    }
    let most = counts.indices.max { counts[$0] < counts[$1] } ?? 0
    return KnobRest(rawValue: most) ?? .open
  }
}
