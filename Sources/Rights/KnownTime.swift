import Ciphers
import Runtime

/// What a device knows of the time, of what services have said, and when licences were first played. It is kept in
/// `clock.json`: a line of JSON, and a line with a sum over that which only this device can make.
extension DeviceRights {
  struct Known: Equatable {
    var clock = HonestClock()
    var services: [Service] = []
    var plays: [FirstPlay] = []
    /// There were licences, and nothing is known of the time that was; so it takes a time server, or what a service signs
    /// counts for its own licences.
    var isLost = false
    /// What was known of first playings was lost. A licence that was issued before this time counts as played since it was
    /// issued.
    var lostBefore: Int64 = 0
    /// The TPM has counted on since this folder was written: it is a copy, and each service must be heard of first.
    var isRestored = false
  }

  /// What a service has said, by its root key: its sources may be called as anybody likes.
  struct Service: Equatable {
    let root: SigningKey.PublicKey
    /// Since the service has signed the time. It counts for its licences alone, as anybody can have a root key.
    var clock: HonestClock?
    /// As `Known.lostBefore`, for its licences: it has said the time since what was known of it was lost.
    var lostBefore: Int64?
    /// The number of the newest statement that was here, for each device. From then on none of its licences counts without
    /// a statement of that number at least.
    var statements: [Numbered] = []
    /// It has given something since the folder was put back.
    var isHeard = false

    func number(for device: String) -> Int64 {
      statements.first { ExactText($0.device) == ExactText(device) }?.number ?? 0
    }
  }

  struct Numbered: Equatable {
    let device: String
    let number: Int64
  }

  /// When a track of a licence was first played, for those that count from then on.
  struct FirstPlay: Equatable {
    let root: SigningKey.PublicKey
    let licence: String
    let at: Int64

    func isOf(_ held: Held) -> Bool { root == held.root && ExactText(licence) == ExactText(held.licence.id) }
  }
}

extension DeviceRights.Known {
  static let longest = 1 << 20
  private static let mostPlays = 5_000
  private static let mostServices = 64

  /// As far as anything is known of it.
  func service(_ root: SigningKey.PublicKey) -> DeviceRights.Service {
    services.first { $0.root == root } ?? DeviceRights.Service(root: root)
  }

  /// Nobody has another one forgotten by coming with many of their own.
  private mutating func keep(_ service: DeviceRights.Service) throws(Fault) {
    if let known = services.firstIndex(where: { $0.root == service.root }) {
      services[known] = service
    } else {
      guard services.count < Self.mostServices else {
        throw Fault(.full, "E-173", "this device remembers what \(Self.mostServices) services said, and no more")
      }
      services.append(service)
    }
  }

  mutating func hear(_ statement: DeviceRights.HeldStatement) throws(Fault) {
    var service = service(statement.root)
    let (device, number) = (statement.statement.device, statement.statement.number)
    service.statements.removeAll { ExactText($0.device) == ExactText(device) }
    service.statements.append(DeviceRights.Numbered(device: device, number: number))
    try keep(service)
  }

  mutating func hear(from root: SigningKey.PublicKey) throws(Fault) {
    var service = service(root)
    service.isHeard = true
    try keep(service)
  }

  /// A service has signed that it is so late: for its own licences it is.
  mutating func learn(_ time: Int64, from root: SigningKey.PublicKey, at reading: HonestClock.Reading) throws(Fault) {
    var service = service(root)
    if service.clock == nil, isLost || lostBefore > 0 { service.lostBefore = isLost ? time : min(time, lostBefore) }
    var own = service.clock ?? clock
    own.learn(time, at: reading)
    service.clock = own
    try keep(service)
  }

  mutating func readServices(_ reading: HonestClock.Reading) -> [SigningKey.PublicKey: HonestClock.Time] {
    var times: [SigningKey.PublicKey: HonestClock.Time] = [:]
    for place in services.indices { times[services[place].root] = services[place].clock?.read(reading) }
    return times
  }

  /// A time server was there. One that is behind the time wins nothing: what is held was there before.
  mutating func find(at now: Int64, _ held: [DeviceRights.Held]) {
    let newest = held.map(\.licence.issued).max() ?? 0
    (isLost, lostBefore) = (false, max(now, newest + 1))
  }

  mutating func noteRestored() {
    (isRestored, isLost) = (true, true)
    for place in services.indices {
      (services[place].clock, services[place].lostBefore, services[place].isHeard) = (nil, nil, false)
    }
  }

  mutating func forgetStatements(exceptOf device: String) {
    for place in services.indices {
      services[place].statements.removeAll { ExactText($0.device) != ExactText(device) }
    }
  }

  // MARK: First playings

  func firstPlay(of held: DeviceRights.Held) -> Int64? {
    if let known = plays.first(where: { $0.isOf(held) }) { return known.at }
    guard held.licence.playDays != nil else { return nil }
    let before = service(held.root).lostBefore ?? (isLost ? .max : lostBefore)
    return held.licence.issued < before ? held.licence.issued : nil
  }

  /// `all`: what is held; what is not gives way when there are too many.
  mutating func begin(_ held: DeviceRights.Held, at now: Int64, _ all: HeldLicences) {
    guard !plays.contains(where: { $0.isOf(held) }) else { return }
    if plays.count >= Self.mostPlays {
      plays.remove(at: leastMissed(all))
    }
    let first = firstPlay(of: held) ?? now
    plays.append(DeviceRights.FirstPlay(root: held.root, licence: held.licence.id, at: first))
  }

  /// A licence that takes the place of this one goes on counting where this one was.
  mutating func carry(_ held: DeviceRights.Held, _ all: HeldLicences) {
    if let first = firstPlay(of: held) { begin(held, at: first, all) }
  }

  /// Which first playing gives way: one of the service that has the most of them, so that no service has those of others
  /// forgotten. One whose licence is not here goes first.
  private func leastMissed(_ all: HeldLicences) -> Int {
    let counts = Dictionary(grouping: plays, by: \.root).mapValues(\.count)
    guard let root = counts.max(by: { $0.value < $1.value })?.key else { return 0 }
    let here = Set(all.all.filter { $0.root == root }.map { ExactText($0.licence.id) })
    let first = plays.firstIndex { $0.root == root }
    return plays.firstIndex { $0.root == root && !here.contains(ExactText($0.licence)) } ?? first ?? 0
  }

  // MARK: The file

  /// `number`: of the record, where a TPM counts them; 0 elsewhere.
  func bytes(numbered number: UInt64, by key: borrowing Secret) throws(Fault) -> [UInt8] {
    let json: JSON = [
      "clock": clock.json, "number": JSON(number), "lost": JSON(isLost), "lost_before": JSON(lostBefore),
      "put_back": JSON(isRestored), "services": .list(services.map(\.json)), "plays": .list(plays.map(\.json)),
    ]
    let line = json.bytes
    return line + Array("\n\(Base64.encodeURL(try HMAC.sum(line, key: key)))\n".utf8)
  }

  static func read(_ bytes: [UInt8], by key: borrowing Secret) throws(Fault) -> (known: Self, number: UInt64) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    guard lines.count == 2, lines[1].last == UInt8(ascii: "\n"),
      let sum = Base64.decodeURL(String(decoding: lines[1].dropLast(), as: UTF8.self)),
      try areEqualInSecret(sum, try HMAC.sum(Array(lines[0]), key: key))
    else { throw Fault(.damaged, "E-156", "clock.json was written by somebody else") }
    let json = try JSON(parsing: Array(lines[0]), limits: .init(depth: 6, size: longest, values: 60_000))
    guard let clock = json["clock"].flatMap(HonestClock.init(kept:)), let number = json["number"]?.whole,
      let lostBefore = json["lost_before"]?.whole
    else { throw wrong }
    var known = Self()
    (known.clock, known.lostBefore) = (clock, lostBefore)
    (known.isLost, known.isRestored) = (json["lost"]?.truth == true, json["put_back"]?.truth == true)
    for one in json["services"]?.items ?? [] {
      guard let service = DeviceRights.Service(one) else { throw wrong }
      known.services.append(service)
    }
    for one in json["plays"]?.items ?? [] {
      guard let play = DeviceRights.FirstPlay(one) else { throw wrong }
      known.plays.append(play)
    }
    return (known, UInt64(exactly: number) ?? 0)
  }

  private static var wrong: Fault { Fault(.damaged, "E-156", "clock.json is not what this device writes") }
}

extension HonestClock {
  fileprivate var json: JSON {
    [
      "floor": JSON(floor), "proven": JSON(proven), "boot": JSON(boot), "uptime": JSON(uptime),
      "signed_boot": JSON(signedBoot),
    ]
  }

  fileprivate init?(kept json: JSON) {
    guard let floor = json["floor"]?.whole, let proven = json["proven"]?.whole, let uptime = json["uptime"]?.whole,
      let boot = json["boot"]?.string, Self.possible.contains(floor), Self.possible.contains(proven),
      Self.possible.contains(uptime)
    else { return nil }
    self.init(
      floor: floor, proven: proven, boot: boot, uptime: uptime, signedBoot: json["signed_boot"]?.string ?? "")
  }
}

extension DeviceRights.Service {
  fileprivate var json: JSON {
    let numbers = statements.map { one -> JSON in ["device": JSON(one.device), "number": JSON(one.number)] }
    var members: [(String, JSON)] = [
      ("root", JSON(Base64.encodeURL(root.bytes))), ("statements", .list(numbers)), ("heard", JSON(isHeard)),
    ]
    if let clock { members.append(("clock", clock.json)) }
    if let lostBefore { members.append(("lost_before", JSON(lostBefore))) }
    return .object(JSON.Object(members))
  }

  fileprivate init?(_ json: JSON) {
    guard let root = json["root"]?.string.flatMap(Base64.decodeURL).flatMap({ SigningKey.PublicKey(bytes: $0) }) else {
      return nil
    }
    self.init(root: root)
    if let kept = json["clock"] {
      guard let clock = HonestClock(kept: kept) else { return nil }
      self.clock = clock
    }
    isHeard = json["heard"]?.truth == true
    if let before = json["lost_before"] {
      guard let time = before.whole, HonestClock.possible.contains(time) else { return nil }
      lostBefore = time
    }
    for one in json["statements"]?.items ?? [] {
      guard let device = one["device"]?.string, let number = one["number"]?.whole else { return nil }
      statements.append(DeviceRights.Numbered(device: device, number: number))
    }
  }
}

extension DeviceRights.FirstPlay {
  fileprivate var json: JSON {
    ["root": JSON(Base64.encodeURL(root.bytes)), "licence": JSON(licence), "at": JSON(at)]
  }

  fileprivate init?(_ json: JSON) {
    guard let root = json["root"]?.string.flatMap(Base64.decodeURL).flatMap({ SigningKey.PublicKey(bytes: $0) }),
      let licence = json["licence"]?.string, let at = json["at"]?.whole
    else { return nil }
    self.init(root: root, licence: licence, at: at)
  }
}
