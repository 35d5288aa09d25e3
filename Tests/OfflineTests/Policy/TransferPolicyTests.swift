import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Transfer policy")
struct TransferPolicyTests {
  private static func good() -> TransferConditions {
    var situation = TransferConditions()
    (situation.network, situation.internet) = (.wifi, .reached)
    return situation
  }

  /// Long after the line has come.
  private static let later = Moment(nanoseconds: 3_600_000_000_000)

  private static func policy(
    _ rules: TransferRules = TransferRules(), _ change: (inout TransferConditions) -> Void = { _ in }
  ) -> TransferPolicy {
    var (policy, random, situation) = (TransferPolicy(rules), SeededGenerator(seed: 1), good())
    change(&situation)
    policy.hear(situation, at: Moment(nanoseconds: 0), using: &random)
    return policy
  }

  private static func reasons(_ policy: TransferPolicy, _ purpose: TransferPolicy.Purpose) -> [WaitReason] {
    if case .waits(let reasons) = policy.verdict(purpose, at: later) { reasons } else { [] }
  }

  @Test("on unmetered Wi-Fi with a charger or without a battery all is allowed")
  func good() {
    for purpose in TransferPolicy.Purpose.allCases { #expect(Self.reasons(Self.policy(), purpose) == []) }
  }

  /// What is the matter, and who waits for it: streams, downloads, predictions.
  static let cases: [(String, @Sendable (inout TransferConditions) -> Void, [[WaitReason]])] = [
    ("no network", { $0.network = .none }, [[.noNetwork], [.noNetwork], [.noNetwork]]),
    ("a portal", { $0.internet = .portal }, [[.portal], [.portal], [.portal]]),
    ("no internet", { $0.internet = .none }, [[.noInternet], [.noInternet], [.noInternet]]),
    ("nobody has asked", { $0.internet = .unknown }, [[], [], []]),
    ("metered", { $0.isMetered = true }, [[], [.metered], [.metered]]),
    ("a battery at 9 %", { $0.battery = 9 }, [[], [.battery], [.battery, .noCharger]]),
    ("a battery at 10 %", { $0.battery = 10 }, [[], [], [.noCharger, .battery]]),
    ("a battery at 80 %", { $0.battery = 80 }, [[], [], [.noCharger]]),
    ("a charger at 9 %", { ($0.battery, $0.hasCharger) = (9, true) }, [[], [], [.battery]]),
    ("a charger at 30 %", { ($0.battery, $0.hasCharger) = (30, true) }, [[], [], [.battery]]),
    ("a charger at 31 %", { ($0.battery, $0.hasCharger) = (31, true) }, [[], [], []]),
    ("a wired network", { $0.network = .wired }, [[], [], [.noWifi]]),
    ("a modem that costs nothing", { $0.network = .mobile }, [[], [], [.noWifi]]),
    (
      "nothing is to be written", { ($0.battery, $0.holdsWrites) = (60, true) },
      [[], [.battery], [.battery, .noCharger]]
    ),
    ("a full disk", { $0.free = 499_999_999 }, [[.space], [.space], [.space]]),
    ("just room", { $0.free = 500_000_000 }, [[], [], []]),
    ("a disk that is not there", { $0.free = nil }, [[.otherDisk], [.otherDisk], [.otherDisk]]),
    ("the limit", { $0.kept = 10_000_000_000 }, [[], [.limit], [.limit]]),
    ("heat", { $0.heat = 80 }, [[.heat], [.heat], [.heat]]),
    ("warmth", { $0.heat = 79 }, [[], [], []]),
    (
      "no network, and a low battery", { ($0.network, $0.battery) = (.none, 5) },
      [[.noNetwork], [.noNetwork, .battery], [.noNetwork, .battery, .noCharger]]
    ),
  ]

  @Test("who waits for what", arguments: cases.indices)
  func waits(index: Int) {
    let (what, change, expected) = Self.cases[index]
    let policy = Self.policy(TransferRules(), change)
    let found = [TransferPolicy.Purpose.stream, .download, .prediction].map { Self.reasons(policy, $0) }
    #expect(found == expected, "\(what)")
  }

  @Test("metered by choice, and by item; predictions never")
  func metered() {
    var rules = TransferRules()
    rules.downloadsOnMetered = true
    rules.streamsOnMetered = false
    let policy = Self.policy(rules) { $0.isMetered = true }
    #expect(Self.reasons(policy, .download) == [] && Self.reasons(policy, .stream) == [.metered])
    let strict = Self.policy { $0.isMetered = true }
    #expect(strict.verdict(.download, isExcepted: true, at: Self.later) == .allowed)
    #expect(strict.verdict(.prediction, isExcepted: true, at: Self.later) == .waits([.metered]))
  }

  @Test(
    "hours may go past midnight, and wait for a clock",
    arguments: [
      (22 * 60, 6 * 60, 23 * 60, []), (22 * 60, 6 * 60, 5 * 60 + 59, []), (22 * 60, 6 * 60, 6 * 60, [.hours]),
      (60, 120, 59, [.hours]), (60, 120, 60, []), (60, 120, 120, [.hours]), (60, 60, 5, []),
      (60, 120, nil, [.clock]),
    ] as [(Int, Int, Int?, [WaitReason])])
  func hours(from: Int, to: Int, minute: Int?, reasons: [WaitReason]) {
    var rules = TransferRules()
    rules.hours = .init(from: from, to: to)
    let policy = Self.policy(rules) { $0.minute = minute }
    #expect(Self.reasons(policy, .download) == reasons)
    #expect(Self.reasons(policy, .stream) == [])
  }

  @Test("a battery that wavers at the border pauses once")
  func wavers() {
    var (policy, random, situation) = (TransferPolicy(), SeededGenerator(seed: 1), Self.good())
    var found: [Bool] = []
    for level in [11, 9, 10, 9, 11, 10, 12, 9, 13, 12, 10] {
      situation.battery = level
      policy.hear(situation, at: Moment(nanoseconds: 0), using: &random)
      found.append(Self.reasons(policy, .download).contains(.battery))
    }
    #expect(found == [false, true, true, true, true, true, true, true, false, false, false])
  }

  @Test("a disk and a temperature that waver stop it once")
  func waversElse() {
    var (policy, random, situation) = (TransferPolicy(), SeededGenerator(seed: 1), Self.good())
    var found: [[WaitReason]] = []
    for (free, heat) in [(500, 79), (499, 80), (510, 79), (563, 73), (564, 72), (500, 79)] as [(Int64, Int)] {
      (situation.free, situation.heat) = (free * 1_000_000, heat)
      policy.hear(situation, at: Moment(nanoseconds: 0), using: &random)
      found.append(Self.reasons(policy, .download))
    }
    #expect(found == [[], [.space, .heat], [.space, .heat], [.space, .heat], [], []])
  }

  @Test("when the line is back everybody waits a random time, and a listener does not")
  func settles() {
    var pauses: Set<Int64> = []
    for seed in 0..<100 as Range<UInt64> {
      var (policy, random) = (TransferPolicy(), SeededGenerator(seed: seed))
      let start = Moment(nanoseconds: 0)
      policy.hear(Self.good(), at: start, using: &random)
      let pause = policy.nextLook(at: start) ?? .zero
      #expect(pause <= TransferPolicy.settling && policy.verdict(.stream, at: start) == .allowed)
      #expect(pause == .zero || policy.verdict(.download, at: start) == .waits([.settling]))
      #expect(policy.verdict(.download, at: start + pause) == .allowed)
      // Nothing changes it that is not the line's.
      var situation = Self.good()
      situation.battery = 50
      policy.hear(situation, at: start + pause, using: &random)
      #expect(policy.verdict(.download, at: start + pause) == .allowed)
      pauses.insert(pause.milliseconds / 3_000)
    }
    #expect(pauses.count == 10)
  }

  @Test("a page in place of music stops all, until the probe has seen the internet or the network is another")
  func portal() {
    var random = SeededGenerator(seed: 2)
    var policy = Self.policy()
    policy.suspectPortal()
    #expect(Self.reasons(policy, .stream) == [.portal])
    policy.hear(Self.good(), at: Self.later, using: &random)
    #expect(Self.reasons(policy, .stream) == [.portal])
    policy.probed(.portal, at: Self.later, using: &random)
    #expect(Self.reasons(policy, .download) == [.portal])
    policy.probed(.reached, at: Self.later, using: &random)
    #expect(Self.reasons(policy, .stream) == [])
    policy.suspectPortal()
    var other = Self.good()
    other.network = .mobile
    policy.hear(other, at: Self.later, using: &random)
    #expect(Self.reasons(policy, .stream) == [])
  }

  @Test("the planner's gate is what the verdicts say, for every rank", arguments: 0..<200 as Range<UInt64>)
  func gates(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var rules = TransferRules()
    rules.downloadsOnMetered = Bool.random(using: &random)
    rules.streamsOnMetered = Bool.random(using: &random)
    rules.isPredicting = true
    if Bool.random(using: &random) { rules.hours = .init(from: 60, to: 120) }
    var policy = TransferPolicy(rules)
    for step in 0..<30 as Range<Int64> {
      var situation = TransferConditions()
      situation.network = TransferConditions.Network.allCases.randomElement(using: &random) ?? .wifi
      situation.isMetered = Bool.random(using: &random)
      situation.internet = Bool.random(using: &random) ? .reached : .unknown
      situation.battery = Bool.random(using: &random) ? nil : Int.random(in: 0...100, using: &random)
      situation.hasCharger = Bool.random(using: &random)
      situation.minute = [nil, 30, 90].randomElement(using: &random) ?? nil
      situation.kept = Bool.random(using: &random) ? 0 : .max
      let now = Moment(nanoseconds: step * 60_000_000_000)
      policy.hear(situation, at: now, using: &random)
      let gate = policy.gate(at: now)
      for rank in Rank.allCases {
        let purpose = TransferPolicy.Purpose(rank)
        let all = policy.verdict(purpose, at: now) == .allowed
        let excepted = policy.verdict(purpose, isExcepted: true, at: now) == .allowed
        #expect(gate.all?.contains(rank) ?? false == all, "seed \(seed), step \(step), \(rank)")
        #expect(gate.exceptions?.contains(rank) ?? false == excepted, "seed \(seed), step \(step), \(rank)")
      }
    }
  }

  @Test("every reason is told in plain words, with its number")
  func words() {
    let policy = Self.policy { situation in
      (situation.battery, situation.free, situation.heat) = (9, 123_000_000, 85)
      situation.kept = 10_400_000_000
    }
    #expect(policy.why(.battery) == "the battery is at 9 %")
    #expect(policy.why(.space) == "the disk has 123 MB left, and 500 MB stay free")
    #expect(policy.why(.limit) == "10.4 GB of music are kept, and 10.0 GB are allowed")
    #expect(policy.why(.heat) == "the board is 85 degrees hot")
    for reason in WaitReason.allCases { #expect(!policy.why(reason).isEmpty) }
    var rules = TransferRules()
    rules.hours = .init(from: 22 * 60 + 5, to: 360)
    #expect(Self.policy(rules).why(.hours) == "downloads wait for 22:05")
  }
}

@Suite("Quality choice")
struct QualityChoiceTests {
  @Test(
    "by the network",
    arguments: [
      (QualityChoice.Connection.wired, Quality.veryHigh), (.wifi, .veryHigh), (.fourthGeneration, .high),
      (.thirdGeneration, .normal), (.slow, .low),
    ])
  func auto(line: QualityChoice.Connection, quality: Quality) {
    var choice = QualityChoice()
    (choice.streams, choice.downloads) = (.auto, .auto)
    #expect(choice.quality(for: .stream, on: line) == quality)
    #expect(choice.quality(for: .download, on: line) == quality)
  }

  @Test("the owner's choice goes before, for streams and downloads apart; a low battery caps both")
  func caps() {
    var choice = QualityChoice()
    (choice.streams, choice.downloads) = (.fixed(.low), .fixed(.lossless))
    #expect(choice.quality(for: .stream, on: .wifi) == .low)
    #expect(choice.quality(for: .download, on: .slow) == .lossless)
    #expect(choice.quality(for: .prediction, on: .slow) == .lossless)
    #expect(choice.quality(for: .download, on: .wifi, battery: 19) == .low)
    #expect(choice.quality(for: .download, on: .wifi, battery: 20) == .normal)
    #expect(choice.quality(for: .download, on: .wifi, battery: 50) == .lossless)
  }

  @Test("a stream is never more than half of what the line has carried")
  func measured() {
    for measured in stride(from: 0 as Int64, to: 3_000_000, by: 7_919) {
      let quality = QualityChoice().quality(for: .stream, on: .wifi, measured: measured)
      #expect(quality.bitsASecond * 2 <= measured || quality == .low)
    }
    #expect(QualityChoice().quality(for: .download, on: .wifi, measured: 1) == .lossless)
  }

  private static func situation(
    _ network: TransferConditions.Network, _ measured: Int64? = nil, battery: Int? = nil, hasCharger: Bool = false
  ) -> TransferConditions {
    var situation = TransferConditions()
    (situation.network, situation.bitsASecond) = (network, measured)
    (situation.battery, situation.hasCharger) = (battery, hasCharger)
    return situation
  }

  @Test(
    "a stream is as good as the line and the battery are just now",
    arguments: [
      (situation(.wired), Quality.veryHigh), (situation(.wifi), .veryHigh), (situation(.none), .veryHigh),
      (situation(.wifi, 700_000), .veryHigh), (situation(.wifi, 400_000), .high), (situation(.wifi, 192_000), .normal),
      (situation(.wifi, 191_999), .low),
      (situation(.wired, 30_000), .low), (situation(.mobile), .normal), (situation(.mobile, 1_999_999), .normal),
      (situation(.mobile, 2_000_000), .high), (situation(.mobile, 90_000), .low),
      (situation(.mobile, 399_999), .normal),
      (situation(.wifi, battery: 19), .low), (situation(.wifi, battery: 20), .normal),
      (situation(.wifi, battery: 49), .normal), (situation(.wifi, battery: 50), .high),
      (situation(.wifi, battery: 5, hasCharger: true), .veryHigh), (situation(.mobile, 90_000, battery: 5), .low),
    ])
  func streamed(situation: TransferConditions, quality: Quality) {
    #expect(QualityChoice().quality(for: .stream, in: situation, TransferRules()) == quality)
  }

  @Test("what the owner holds the line back to is all it has")
  func capped() {
    var rules = TransferRules()
    rules.cap = 30_000
    #expect(QualityChoice().quality(for: .stream, in: Self.situation(.wifi), rules) == .normal)
    #expect(QualityChoice().quality(for: .stream, in: Self.situation(.wifi, 100_000), rules) == .low)
    // It makes no line faster.
    rules.cap = 1_000_000
    #expect(QualityChoice().quality(for: .stream, in: Self.situation(.mobile), rules) == .normal)
    rules.cap = 3_000
    #expect(QualityChoice().quality(for: .stream, in: Self.situation(.wifi, 9_000_000), rules) == .low)
  }

  @Test("what to fetch depends on the battery, and on the line only where bytes are paid for")
  func fetched() {
    var (choice, rules) = (QualityChoice(), TransferRules())
    choice.downloads = .auto
    let all = [
      Self.situation(.none), Self.situation(.wifi, 1), Self.situation(.wired, battery: 3, hasCharger: true),
      Self.situation(.mobile, 9_000_000),
    ]
    for situation in all {
      #expect(choice.quality(for: .download, in: situation, rules) == .veryHigh)
      #expect(choice.quality(for: .prediction, in: situation, rules) == .veryHigh)
    }
    for (battery, quality) in [(19, Quality.low), (20, .normal), (49, .normal), (50, .high)] {
      #expect(choice.quality(for: .download, in: Self.situation(.wifi, battery: battery), rules) == quality)
    }
    rules.downloadsOnMetered = true
    var paid = Self.situation(.mobile)
    #expect(choice.quality(for: .download, in: paid, rules) == .veryHigh)
    paid.isMetered = true
    #expect(choice.quality(for: .download, in: paid, rules) == .normal)
    #expect(choice.quality(for: .download, in: Self.situation(.wifi), rules) == .veryHigh)
    #expect(choice.quality(for: .prediction, in: paid, rules) == .veryHigh)
    choice.downloads = .fixed(.lossless)
    #expect(choice.quality(for: .download, in: paid, rules) == .lossless)
  }
}
