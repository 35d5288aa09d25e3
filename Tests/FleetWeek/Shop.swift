import Offline
import Runtime
import TestSupport

/// What the fleet's servers have: wares of which there are versions one after the other, each with habits of its own, of
/// which some are bad; and containers that change.
struct Shop {
  enum Tags: CaseIterable { case strong, weak, none, flipping }

  /// What will never come, or not by itself, and which trouble says so.
  enum Flaw: Equatable {
    case none, gone, denied, untrusted
    /// Its server has a page in its place.
    case page
    /// It promises a hash that its bytes do not have.
    case lying
  }

  struct Ware {
    var version = 1
    /// Bytes at high quality.
    var size: Int64
    var tags: Tags
    var keepsRanges: Bool
    var keepsIfRange: Bool
    var tellsTotal: Bool
    var tellsHash: Bool
    var tellsSize: Bool
    /// Sends the rest in parts of that many bytes.
    var part: Int64?
    var flaw = Flaw.none
    var visits = 0
    /// The address that was given last is good until then.
    var addressUntil = Moment(nanoseconds: 0)
  }

  static let source = "shop"
  var wares: [Ware] = []
  var containers: [ContainerKey: [Int]] = [:]

  init(_ dice: inout SeededGenerator) {
    let count = Int.random(in: 16...48, using: &dice)
    for number in 0..<count { wares.append(Self.ware(number, &dice)) }
    var first = 0
    while first < count {
      let end = min(first + Int.random(in: 4...14, using: &dice), count)
      containers[Self.container(.album, "a\(first)")] = Array(first..<end)
      first = end
    }
    for number in 0..<3 {
      let picked = (0..<Int.random(in: 5...25, using: &dice)).map { _ in Int.random(in: 0..<count, using: &dice) }
      containers[Self.container(.playlist, "p\(number)")] = picked
    }
  }

  private static func ware(_ number: Int, _ dice: inout SeededGenerator) -> Ware {
    var ware = Ware(
      size: dice.chance(oneIn: 30)
        ? Int64.random(in: 1...40_000, using: &dice) : .random(in: 1 << 20...14 << 20, using: &dice),
      tags: dice.among(Tags.allCases, else: .strong), keepsRanges: !dice.chance(oneIn: 6),
      keepsIfRange: dice.chance(oneIn: 2), tellsTotal: !dice.chance(oneIn: 4), tellsHash: !dice.chance(oneIn: 3),
      tellsSize: !dice.chance(oneIn: 3))
    if dice.chance(oneIn: 12) { ware.part = Int64.random(in: 100_000...3_000_000, using: &dice) }
    switch Int.random(in: 0..<60, using: &dice) {
    case 0: ware.flaw = .gone
    case 1: ware.flaw = .denied
    case 2: ware.flaw = .untrusted
    case 3:
      ware.flaw = .lying
      ware.tellsHash = true
    case 4: ware.flaw = .page
    default: break
    }
    return ware
  }

  static func container(_ kind: ContainerKey.Kind, _ id: String) -> ContainerKey {
    ContainerKey(source: source, kind: kind, id: id)
  }

  static func item(_ number: Int) -> ItemKey { ItemKey(source: source, item: "\(number)") }
  static func number(_ item: ItemKey) -> Int { Int(item.item) ?? 0 }

  func ware(_ key: MediaKey) -> Ware { wares[Self.number(key.item)] }

  func size(_ key: MediaKey, _ version: Int) -> Int64 {
    // Every other version is as long as the one before: then its length does not tell them apart.
    let base = ware(key).size + Int64((version - 1) / 2) * 4_321
    return max(base * key.quality.bitsASecond / Quality.high.bitsASecond, 1)
  }

  func hash(_ key: MediaKey, _ version: Int) -> String { "\(key.item.item)/\(key.quality.rawValue)/\(version)" }

  /// What a source says of it.
  func place(_ key: MediaKey) -> Download.SourceFacts {
    let ware = ware(key)
    let hash = ware.flaw == .lying ? "a lie" : hash(key, ware.version)
    return .init(size: ware.tellsSize ? size(key, ware.version) : nil, hash: ware.tellsHash ? hash : nil)
  }

  /// In the container's order.
  func items(_ container: ContainerKey) -> [Wants.Item] {
    var items: [Wants.Item] = []
    for number in containers[container] ?? [] {
      items.append(.init(Self.item(number), length: .seconds(200), bytes: wares[number].size))
    }
    return items
  }

  // MARK: Answers

  static func answer(_ status: Int, _ headers: [(name: String, value: String)] = []) -> MediaResponse {
    MediaResponse(status: status, headers: headers)
  }

  /// What a request gets when nothing is in the way: the head, and which bytes follow.
  mutating func answer(_ key: MediaKey, _ asked: Asked) -> (answer: MediaResponse, body: Range<Int64>) {
    let number = Self.number(key.item)
    wares[number].visits += 1
    let ware = wares[number]
    let size = size(key, ware.version)
    var headers = [(name: "Content-Type", value: "audio/flac")]
    var tag: String?
    switch ware.tags {
    case .strong: tag = "\"\(ware.version)\""
    case .weak: tag = "W/\"\(ware.version)\""
    case .flipping: tag = "\"visit-\(ware.visits)\""
    case .none: break
    }
    if let tag { headers.append((name: "ETag", value: tag)) }
    let isOther = ware.keepsIfRange && asked.ifRange != nil && asked.ifRange != tag
    guard asked.from > 0, ware.keepsRanges, !isOther else {
      return (Self.answer(200, headers + [(name: "Content-Length", value: "\(size)")]), 0..<size)
    }
    guard asked.from < size else {
      return (Self.answer(416, ware.tellsTotal ? [(name: "Content-Range", value: "bytes */\(size)")] : []), 0..<0)
    }
    let end = ware.part.map { min(asked.from + $0, size) } ?? size
    let total = ware.tellsTotal ? "\(size)" : "*"
    headers.append((name: "Content-Range", value: "bytes \(asked.from)-\(end - 1)/\(total)"))
    return (Self.answer(206, headers), asked.from..<end)
  }
}
