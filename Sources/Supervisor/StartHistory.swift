import Runtime

/// How a start shall go.
package enum StartVerdict: Equatable, Sendable {
  case normal
  /// Without the owner's settings and without imports: what a person reads is `because`. When that has not helped it
  /// starts `silent`: perhaps what it would play is what ends it.
  case safe(because: String, silent: Bool)
}

/// The starts of this boot and how they ended, and the rule of safe mode: when there were three unclean ends within a
/// minute before this start, it is a safe one. An end counts when the next start finds it, on the boot clock.
///
/// Resets by the board's watchdog are unclean ends too. The boot clock begins anew with each, so they count for as long
/// as no run lasted a minute. That a run did, or was stopped on purpose, forgives all; a power cut is no end of ours.
package struct StartHistory: Equatable, Sendable {
  package static let limit = 3
  /// So many mean that safe mode has not helped.
  package static let silentLimit = 5
  package static let window: Duration = .seconds(60)
  /// A run of this length has shown that it can live.
  package static let probation: Duration = .seconds(60)

  package let bootID: String
  /// Of the run that has begun and not ended; a start that finds it knows that it ended badly.
  private(set) var running: Moment?
  /// Whether that run came so far as to be ready.
  private(set) var isReady = false
  /// Runs in a row that ended before they were ready, however long they took for it: a start that hangs is ended by
  /// the service manager, and three of them take longer than any window.
  private(set) var failedStarts = 0
  private(set) var ends: [Moment] = []
  /// Resets by the watchdog that nothing has forgiven yet, those of earlier boots among them.
  private(set) var resets: Int

  /// The first start of a boot.
  package init(bootID: String, resets: Int) {
    self.bootID = bootID
    self.resets = min(max(resets, 0), Self.silentLimit)
  }

  package mutating func begin(at now: Moment) -> StartVerdict {
    if running != nil {
      ends.append(now)
      failedStarts = isReady ? 0 : min(failedStarts + 1, Self.silentLimit)
    }
    ends.removeAll { now - $0 > Self.window || $0 > now }
    // More are of no use to the rule, and a file that grows with every crash is a second fault.
    ends = Array(ends.suffix(Self.silentLimit))
    running = now
    isReady = false
    let bad = max(ends.count, failedStarts) + resets
    guard bad >= Self.limit else { return .normal }
    let crashes =
      failedStarts > ends.count
      ? "it did not start \(Self.times(failedStarts))"
      : ends.isEmpty ? nil : "it ended badly \(Self.times(ends.count)) within a minute"
    let hangs = resets == 0 ? nil : "the watchdog had to reset the board \(Self.times(resets))"
    return .safe(
      because: [crashes, hangs].compactMap { $0 }.joined(separator: ", and "),
      silent: bad >= Self.silentLimit)
  }

  /// It plays, or could.
  package mutating func becameReady() {
    isReady = true
    failedStarts = 0
  }

  /// It ended in order because it could not go on; that is no crash, and forgives none.
  package mutating func gaveUp() { running = nil }

  /// The run has lasted `probation`. Its own end, should it be a bad one, is the first of a new count.
  package mutating func survived() { forgive() }

  /// Somebody wanted it to stop.
  package mutating func endCleanly() {
    forgive()
    running = nil
  }

  private mutating func forgive() {
    ends = []
    failedStarts = 0
    resets = 0
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}

// MARK: As a file

extension StartHistory {
  /// What is longer is not ours.
  static let largestFile = 1_024

  var bytes: [UInt8] {
    var text = "layby starts 1\nboot \(bootID)\nresets \(resets)\n"
    if failedStarts > 0 { text += "failed \(failedStarts)\n" }
    if let running { text += "\(isReady ? "ready" : "running") \(running.nanoseconds)\n" }
    for end in ends { text += "end \(end.nanoseconds)\n" }
    return Array((text + "whole\n").utf8)
  }

  /// Nil for anything but what `bytes` gives.
  init?(bytes: [UInt8]) {
    guard bytes.count <= Self.largestFile else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = text.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: false) }
    guard lines.count >= 4, lines.removeFirst() == ["layby", "starts", "1"], lines.removeLast() == ["whole"],
      lines[0].count == 2, lines[0][0] == "boot", lines[1].count == 2, lines[1][0] == "resets",
      let resets = Int(lines[1][1])
    else { return nil }
    self.init(bootID: String(lines[0][1]), resets: resets)
    for line in lines.dropFirst(2) {
      guard line.count == 2, let number = Int64(line[1]), number >= 0 else { return nil }
      switch line[0] {
      case "failed" where number <= Int64(Self.silentLimit): failedStarts = Int(number)
      case "running" where running == nil: running = Moment(nanoseconds: number)
      case "ready" where running == nil:
        running = Moment(nanoseconds: number)
        isReady = true
      case "end": ends.append(Moment(nanoseconds: number))
      default: return nil
      }
    }
    // As strict as the writer: half a file that happens to make sense is none.
    guard self.bytes == bytes, ends.count <= Self.silentLimit else { return nil }
  }
}
