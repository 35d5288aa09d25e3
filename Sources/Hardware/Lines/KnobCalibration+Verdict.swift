import Runtime

/// What a turn of so many detents has shown.
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
    // One that is silent but for what it hears of the other.
    if moves.second * 8 < moves.first { return .silent(.second, isClosed: pair.place >= 2) }
    if moves.first * 8 < moves.second { return .silent(.first, isClosed: pair.place == 1 || pair.place == 2) }
    return nil
  }

  /// From three quarters of what was asked for to a third more: what two kinds of knob come to lies apart.
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
