internal import CLinux
import Glibc
import Synchronization

/// Where the lines of every `Log` go: the ring in memory and standard error. One a process; tests make their own.
package final class LogBook: Sendable {
  package static let shared = LogBook(descriptor: STDERR_FILENO)

  package static let ringLimit = 1_000
  /// So many lines of one text from one part within `window`; further ones are counted and told when it ends.
  package static let burst = 20
  package static let window: Duration = .seconds(10)
  /// A pipe takes this much in one piece, or says so beforehand (PIPE_BUF); and a thousand lines must not fill memory.
  private static let lineLimit = 4_000

  fileprivate struct Allowance {
    var since: Moment
    var written = 0
    var suppressed = 0
  }

  fileprivate struct State {
    var ring: [String] = []
    var oldest = 0
    var allowances: [String: Allowance] = [:]
    var unwritten = 0
    var threshold = Log.Level.info
    var descriptor: Int32
  }

  private let state: Mutex<State>
  private let forJournal = EnvironmentVariable.journal.text != nil

  package init(descriptor: Int32) { state = Mutex(State(descriptor: descriptor)) }

  /// Lines above this level reach neither the ring nor standard error.
  package func show(upTo level: Log.Level) { state.withLock { $0.threshold = level } }

  /// The terminal that shows the panel cannot show the log as well.
  package func redirect(to descriptor: Int32) { state.withLock { $0.descriptor = descriptor } }

  /// The last lines, oldest first.
  package var lines: [String] { state.withLock { Array($0.ring[$0.oldest...] + $0.ring[..<$0.oldest]) } }

  package func write(_ level: Log.Level, part: String, _ text: String, _ fields: Log.Fields, at moment: Moment) {
    state.withLock { state in
      guard level <= state.threshold else { return }
      let key = part + "\0" + text
      var suppressedBefore = 0
      var allowance = state.allowances[key] ?? Allowance(since: moment)
      if moment - allowance.since > Self.window {
        suppressedBefore = allowance.suppressed
        allowance = Allowance(since: moment)
      }
      allowance.written += 1
      if allowance.written > Self.burst { allowance.suppressed += 1 }
      // Texts are literals in the code, so the table stays small; this bounds it all the same.
      if state.allowances.count > 500 { state.allowances.removeAll() }
      state.allowances[key] = allowance
      if allowance.written > Self.burst { return }

      var line = "level=\(level.name) part=\(part) msg=\(logQuoted(text))"
      for (name, value) in fields { line += " \(name)=\(logQuoted(value.description))" }
      if line.utf8.count > Self.lineLimit { line = String(decoding: line.utf8.prefix(Self.lineLimit), as: UTF8.self) }
      if suppressedBefore > 0 { line += " suppressed_before=\(suppressedBefore)" }
      state.remember(line)
      state.emit(line, level, forJournal: forJournal)
    }
  }
}

extension LogBook.State {
  fileprivate mutating func remember(_ line: String) {
    if ring.count < LogBook.ringLimit {
      ring.append(line)
    } else {
      ring[oldest] = line
      oldest = (oldest + 1) % LogBook.ringLimit
    }
  }

  fileprivate mutating func emit(_ line: String, _ level: Log.Level, forJournal: Bool) {
    guard descriptor >= 0 else { return }
    var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&readiness, 1, 0) == 1, readiness.revents & Int16(POLLOUT) != 0 else {
      unwritten += 1
      return
    }
    var bytes = Array((forJournal ? "<\(level.rawValue)>" : "").utf8)
    bytes += line.utf8
    if unwritten > 0 { bytes += " unwritten_before=\(unwritten)".utf8 }
    bytes.append(UInt8(ascii: "\n"))
    if Glibc.write(descriptor, bytes, bytes.count) == bytes.count { unwritten = 0 } else { unwritten += 1 }
  }
}
