/// One line of a bench's table: what was measured, what a peer needs for the same, and what was promised.
struct Row: Equatable {
  let bench: String
  let name: String
  let value: Spread
  let unit: Unit
  var peer = Peer.none
  var goal = Goal.none

  var ratio: Double? {
    guard case .measured(_, let theirs) = peer, theirs.median > 0 else { return nil }
    return value.median / theirs.median
  }

  /// Nil when nothing was promised, or when the promise names a peer that could not be measured.
  var isMet: Bool? { goal.isMet(by: value.median, peer: peer.value?.median) }
}

/// What a figure counts, and how finely it is worth reading.
enum Unit: String {
  case milliseconds = "ms"
  /// Of a million bytes: the stricter of the two readings.
  case megabytes = "MB"
  case perSecond = "/s"
  case seconds = "s"
  case secondsPerMinute = "s/min"
  /// Of one core.
  case percent = "%"
  case times = "times"
  case count = ""

  var decimals: Int {
    switch self {
    case .milliseconds, .megabytes, .perSecond: 1
    case .seconds, .secondsPerMinute, .percent: 3
    case .times, .count: 0
    }
  }
}

/// Another program doing the same. A figure stands here only when it was measured in this run.
enum Peer: Equatable {
  case none
  case notInstalled(String)
  case measured(String, Spread)

  var name: String? {
    switch self {
    case .none: nil
    case .notInstalled(let name), .measured(let name, _): name
    }
  }

  var value: Spread? { if case .measured(_, let value) = self { value } else { nil } }
}

enum Goal: Equatable {
  case none
  case below(Double)
  case belowAndBelowPeer(Double)
  case notMoreThanPeer
  case nothing

  func isMet(by value: Double, peer: Double?) -> Bool? {
    switch self {
    case .none: nil
    case .below(let limit): value < limit
    // Over the limit it is missed, whatever the peer does.
    case .belowAndBelowPeer(let limit): value < limit ? peer.map { value < $0 } : false
    case .notMoreThanPeer: peer.map { value <= $0 }
    case .nothing: value == 0
    }
  }

  /// As it stands in the table.
  func words(in unit: Unit) -> String {
    switch self {
    case .none: ""
    case .below(let limit): "< \(decimal(limit, places: 0))"
    case .belowAndBelowPeer(let limit): "< \(decimal(limit, places: 0)), < peer"
    case .notMoreThanPeer: "<= peer"
    case .nothing: "0"
    }
  }
}
