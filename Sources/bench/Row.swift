/// One line of a bench's table: what was measured, what a peer needs for the same, and what was promised.
struct Row: Equatable {
  let bench: String
  let name: String
  /// Nil when it could not be measured here; the name says why.
  let value: Spread?
  let unit: Unit
  var peer = Peer.none
  var goal = Goal.none

  var ratio: Double? {
    guard let value, case .measured(_, let theirs) = peer, theirs.median > 0 else { return nil }
    return value.median / theirs.median
  }

  /// Nil when nothing was promised, or when the promise names a peer that could not be measured.
  var isMet: Bool? { value.flatMap { goal.isMet(by: $0.median, peer: peer.value?.median) } }

  /// Not slow but wrong: the bench fails.
  var isWrong: Bool { goal == .flawless && isMet == false }
}

/// What a figure counts, and how finely it is worth reading.
enum Unit: String {
  case milliseconds = "ms"
  case microseconds = "µs"
  case bytes = "B"
  /// Of a million bytes: the stricter of the two readings.
  case megabytes = "MB"
  case megabits = "Mbit/s"
  case perSecond = "/s"
  case seconds = "s"
  case secondsPerMinute = "s/min"
  /// Of one core.
  case percent = "%"
  case times = "times"
  /// Of what another needed in the same turn.
  case ratio = "ratio"
  case frames = "frames"
  case samples = "samples"
  case count = ""

  /// Of anything else the less is the better.
  var moreIsBetter: Bool { self == .megabits }

  /// What it is a figure of.
  var words: String {
    switch self {
    case .milliseconds, .microseconds, .seconds: "time in \(rawValue)"
    case .megabytes, .bytes: "memory in \(rawValue)"
    case .megabits: "speed in \(rawValue)"
    case .perSecond: "context switches a second"
    case .secondsPerMinute: "processor time in \(rawValue)"
    case .percent, .times, .ratio, .frames, .samples: rawValue
    case .count: "threads"
    }
  }

  var decimals: Int {
    switch self {
    case .milliseconds, .megabytes, .perSecond: 1
    case .megabits, .ratio: 2
    case .seconds, .secondsPerMinute, .percent: 3
    case .microseconds, .bytes, .times, .frames, .samples, .count: 0
    }
  }
}

/// Another program doing the same. A figure stands here only when it was measured in this run.
enum Peer: Equatable {
  case none
  case notInstalled(String)
  case measured(String, Spread)
  /// What ours is held against: not slower or faster, but right.
  case standard(String)

  var name: String? {
    switch self {
    case .none: nil
    case .notInstalled(let name), .measured(let name, _), .standard(let name): name
    }
  }

  var value: Spread? { if case .measured(_, let value) = self { value } else { nil } }
}

enum Goal: Equatable {
  case none
  case below(Double)
  case belowAndBelowPeer(Double)
  case notMoreThanPeer
  case belowAndNotMoreThanPeer(Double)
  /// So much of the peer's or more.
  case atLeastOfPeer(Double)
  /// So many times the peer's or less.
  case notMoreThanPeers(Double)
  case nothing
  /// None at all, or the bench fails.
  case flawless

  func isMet(by value: Double, peer: Double?) -> Bool? {
    switch self {
    case .none: nil
    case .below(let limit): value < limit
    // Over the limit it is missed, whatever the peer does.
    case .belowAndBelowPeer(let limit): value < limit ? peer.map { value < $0 } : false
    case .notMoreThanPeer: peer.map { value <= $0 }
    case .belowAndNotMoreThanPeer(let limit): value < limit ? peer.map { value <= $0 } : false
    case .atLeastOfPeer(let part): peer.map { value >= part * $0 }
    case .notMoreThanPeers(let times): peer.map { value <= times * $0 }
    case .nothing, .flawless: value == 0
    }
  }

  /// As it stands in the table.
  func words(in unit: Unit) -> String {
    switch self {
    case .none: ""
    case .below(let limit): "< \(decimal(limit, places: limit < 1 ? 1 : 0))"
    case .belowAndBelowPeer(let limit): "< \(decimal(limit, places: 0)), < peer"
    case .notMoreThanPeer: "<= peer"
    case .belowAndNotMoreThanPeer(let limit): "< \(decimal(limit, places: 0)), <= peer"
    case .atLeastOfPeer(let part): ">= \(decimal(part, places: 2)) peer"
    case .notMoreThanPeers(let times): "<= \(decimal(times, places: (times * 10).rounded() == times * 10 ? 1 : 2)) peer"
    case .nothing, .flawless: "0"
    }
  }
}
