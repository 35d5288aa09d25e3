import Runtime

/// What network, power, disk and clock are like, and what the policy makes of it. Owns the policy, and since when a
/// login page is suspected. Lives on the loop `offline`, inside `DownloadEngine`. In memory: a start is told the
/// surroundings before anything runs.
final class RunningConditions {
  /// How long after a suspected login page transfers are tried again, unless the probe says that there is a portal or
  /// no internet.
  static let suspicion: Duration = .seconds(90)

  private let tools: EngineTools
  private let files: DownloadFiles
  private(set) var policy = TransferPolicy()
  private(set) var situation = TransferConditions()
  private var suspectedAt: Moment?
  private var looksAgainAt: Moment?
  var generator = SystemRandomNumberGenerator()

  init(_ tools: EngineTools, _ files: DownloadFiles) { (self.tools, self.files) = (tools, files) }

  func hear(_ rules: TransferRules) { policy.hear(rules) }
  func hear(_ situation: TransferConditions) { self.situation = situation }

  /// What stays free on the disk, so that rows can be stored and files given up on a full one.
  var reserve: Int64 { policy.rules.reserve }

  /// Seconds since 1970; nil while nobody knows the time.
  var date: Int64? { situation.minute == nil ? nil : tools.date() }

  /// As good as the owner wants it, and as the line and the battery allow.
  func quality(for purpose: TransferPolicy.Purpose) -> Quality {
    policy.rules.quality.quality(for: purpose, in: situation, policy.rules)
  }

  /// Measured anew: `kept` bytes are kept. What is free is looked up where there is a disk.
  func measure(kept: Int64, at now: Moment) {
    var measured = situation
    if situation.free != nil { measured.free = files.free }
    measured.kept = kept
    policy.hear(measured, at: now, using: &generator)
  }

  /// False: somebody looks again before that anyway.
  func mustLookAgain(at moment: Moment) -> Bool {
    if let looksAgainAt, looksAgainAt <= moment, looksAgainAt > tools.loop.now { return false }
    looksAgainAt = moment
    return true
  }

  func suspectPortal() {
    suspectedAt = tools.loop.now
    policy.suspectPortal()
  }

  /// True: nobody has said that the page is out of the way, and it is tried again.
  func trustsAgain(at now: Moment) -> Bool {
    guard let since = suspectedAt, now - since >= Self.suspicion, [.unknown, .reached].contains(situation.internet)
    else {
      return false
    }
    policy.trustAgain(at: now, using: &generator)
    suspectedAt = nil
    return true
  }
}

extension TransferConditions {
  /// The network leads out, and it is another one or did not lead out before. Sources that failed may answer now.
  package func isNewLine(after old: TransferConditions) -> Bool {
    leadsOut && (network != old.network || !old.leadsOut)
  }

  private var leadsOut: Bool { network != .none && (internet == .reached || internet == .unknown) }
}
