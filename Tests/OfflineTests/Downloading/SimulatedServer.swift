import TestSupport

@testable import Offline

/// A server of one file, of which there are several versions, one after the other; it keeps the rules of HTTP or breaks
/// them, by chance. Bytes are not made: what counts is of which version and from where they are.
struct SimulatedServer {
  struct Version: Equatable {
    var number: Int
    var size: Int64
    var hash: String { "hash \(number)" }
  }

  enum Tags: CaseIterable { case strong, weak, none, flipping }

  private(set) var version: Version
  var tags: Tags
  var keepsRanges: Bool
  var keepsIfRange: Bool
  var tellsTotal: Bool
  var tellsHash: Bool
  var tellsSize: Bool
  private var visits = 0

  init(_ random: inout SeededGenerator) {
    version = Version(number: 1, size: Int64.random(in: 1...4_000_000, using: &random))
    tags = Tags.allCases.randomElement(using: &random) ?? .strong
    keepsRanges = Int.random(in: 0..<5, using: &random) > 0
    keepsIfRange = Bool.random(using: &random)
    tellsTotal = Bool.random(using: &random)
    tellsHash = Bool.random(using: &random)
    tellsSize = Bool.random(using: &random)
  }

  mutating func change(_ random: inout SeededGenerator) {
    let isAsLong = Bool.random(using: &random)
    let size = isAsLong ? version.size : Int64.random(in: 1...4_000_000, using: &random)
    version = Version(number: version.number + 1, size: size)
  }

  var place: Download.SourceFacts { .init(size: tellsSize ? version.size : nil, hash: tellsHash ? version.hash : nil) }

  /// What a request gets when nothing is in the way: the head, and which bytes follow.
  mutating func answer(_ asked: Asked) -> (answer: MediaResponse, body: Range<Int64>) {
    visits += 1
    var headers: [(String, String)] = [("Content-Type", "audio/flac")]
    var tag: String?
    switch tags {
    case .strong: tag = "\"\(version.number)\""
    case .weak: tag = "W/\"\(version.number)\""
    case .flipping: tag = "\"visit \(visits)\""
    case .none: break
    }
    if let tag { headers.append(("ETag", tag)) }
    let isOther = keepsIfRange && asked.ifRange != nil && asked.ifRange != tag
    guard asked.from > 0, keepsRanges, !isOther else {
      return (Told.answer(200, headers + [("Content-Length", "\(version.size)")]), 0..<version.size)
    }
    guard asked.from < version.size else {
      return (Told.answer(416, tellsTotal ? [("Content-Range", "bytes */\(version.size)")] : []), 0..<0)
    }
    let range = "bytes \(asked.from)-\(version.size - 1)/\(tellsTotal ? "\(version.size)" : "*")"
    return (Told.answer(206, headers + [("Content-Range", range)]), asked.from..<version.size)
  }
}

/// A file that grows: of which version its bytes are, and from where in that version. What was not synced may be gone,
/// or anything, after a power cut.
struct SimulatedFile: Equatable {
  struct Run: Equatable {
    /// 0: nobody knows what.
    var version: Int
    var from: Int64
    var count: Int64
  }

  private(set) var runs: [Run] = []
  var length: Int64 { runs.reduce(0) { $0 + $1.count } }

  mutating func cut(to length: Int64) {
    var left = length
    for index in runs.indices {
      runs[index].count = min(runs[index].count, left)
      left -= runs[index].count
    }
    runs.removeAll { $0.count == 0 }
  }

  mutating func append(_ run: Run) {
    if let last = runs.last, last.version == run.version, last.from + last.count == run.from {
      runs[runs.count - 1].count += run.count
    } else {
      runs.append(run)
    }
  }

  /// The one version that all of it is the beginning of.
  var version: Int? { runs.count == 1 && runs[0].from == 0 && runs[0].version > 0 ? runs[0].version : nil }
}
