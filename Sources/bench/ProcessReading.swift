import Glibc
import Runtime

/// What the kernel says of a running process, read from /proc and its processor clock.
struct ProcessReading {
  let pid: pid_t

  struct Memory {
    /// Its own, and its part of what it shares with others, in bytes.
    let proportional: Int
    /// The part of it that no file backs: the kernel cannot drop it and read it again.
    let anonymous: Int
  }

  func memory() throws(Fault) -> Memory {
    let text = try read("smaps_rollup")
    guard let all = ProcText.number(after: "Pss:", in: text), let own = ProcText.number(after: "Pss_Anon:", in: text)
    else { throw Fault(.malformed, "B-120", "/proc/\(pid)/smaps_rollup names no Pss and Pss_Anon") }
    return Memory(proportional: all * 1024, anonymous: own * 1024)
  }

  /// To the nanosecond, ended threads included; /proc counts hundredths of a second.
  func processorSeconds() throws(Fault) -> Double {
    var clock = clockid_t()
    var time = timespec()
    let refused = clock_getcpuclockid(pid, &clock)
    guard refused == 0, clock_gettime(clock, &time) == 0 else {
      throw Fault.system("B-121", doing: "read the processor clock of \(pid)", errno: refused == 0 ? errno : refused)
    }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }

  /// How often each thread was switched to, by its id.
  func threads() throws(Fault) -> [Int: ThreadReading] {
    var all: [Int: ThreadReading] = [:]
    for name in try Folder.names(in: FilePath("/proc/\(pid)/task")) {
      // A thread may end between the listing and the reading.
      guard let id = Int(name.description), let text = readThread(id) else { continue }
      all[id] = ProcText.thread(text)
    }
    return all
  }

  private func readThread(_ id: Int) -> String? {
    do throws(Fault) { return try read("task/\(id)/status") } catch { return nil }
  }

  private func read(_ name: String) throws(Fault) -> String {
    String(decoding: try AtomicFile.read(FilePath("/proc/\(pid)/\(name)"), limit: 1 << 20), as: UTF8.self)
  }
}

struct ThreadReading: Equatable {
  var name: String
  /// Voluntary and not: each time it went to sleep or was put aside.
  var switches: Int
}

/// How /proc writes.
enum ProcText {
  /// The number behind `key` at the beginning of a line.
  static func number(after key: String, in text: String) -> Int? {
    for line in text.split(separator: "\n") where line.hasPrefix(key) {
      return line.dropFirst(key.count).split(whereSeparator: { $0 == " " || $0 == "\t" }).first.flatMap { Int($0) }
    }
    return nil
  }

  static func thread(_ status: String) -> ThreadReading? {
    guard let voluntary = number(after: "voluntary_ctxt_switches:", in: status),
      let involuntary = number(after: "nonvoluntary_ctxt_switches:", in: status)
    else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("Name:") }
    let name = line.map { $0.dropFirst("Name:".count).drop { $0 == "\t" || $0 == " " } } ?? ""
    return ThreadReading(name: String(name), switches: voluntary + involuntary)
  }
}
