internal import CLinux
import Runtime

/// Why the board started last, as its watchdog's driver remembers it. It says the same for as long as the board runs,
/// so who shows it must know whether that was done already (`StartLedger.isFirstOfBoot`).
package struct ResetReason: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let overheated = ResetReason(rawValue: UInt32(WDIOF_OVERHEAT))
  package static let fanFailed = ResetReason(rawValue: UInt32(WDIOF_FANFAULT))
  package static let external = ResetReason(rawValue: UInt32(WDIOF_EXTERN1) | UInt32(WDIOF_EXTERN2))
  package static let lowPower = ResetReason(rawValue: UInt32(WDIOF_POWERUNDER))
  package static let watchdog = ResetReason(rawValue: UInt32(WDIOF_CARDRESET))
  package static let highPower = ResetReason(rawValue: UInt32(WDIOF_POWEROVER))

  /// The number that stands in `bootstatus`; what else its bits say are abilities of the driver. Nil when it is none.
  package init?(bootstatus text: String) {
    guard let bits = UInt32(text) else { return nil }
    self.init(rawValue: bits & 0x7F)
  }

  /// The program hung, and the watchdog started the board anew.
  package var isByWatchdog: Bool { contains(.watchdog) }

  /// For people; nil for a plain start.
  package var words: String? {
    let known: [(ResetReason, String)] = [
      (.overheated, "it was too hot"), (.fanFailed, "its fan failed"), (.lowPower, "its supply was too weak"),
      (.highPower, "its supply was too strong"), (.watchdog, "the program did not answer"),
      (.external, "a signal from outside asked for it"),
    ]
    let found = known.filter { !isDisjoint(with: $0.0) }.map(\.1)
    return found.isEmpty ? nil : "The board was reset: " + found.joined(separator: ", ") + "."
  }
}

/// What the kernel tells of a watchdog without its being opened, which would start it.
package struct WatchdogFacts: Equatable, Sendable {
  package var identity: String?
  package var timeout: Duration?
  package var reason: ResetReason?

  package init() {}

  /// Of /dev/watchdog0, or /dev/watchdog, which is the same. What cannot be read stays unknown.
  package init(of device: FilePath, in folder: FilePath = FilePath("/sys/class/watchdog")) {
    let name = device.name.description
    let facts = folder / (name == "watchdog" ? "watchdog0" : name)
    func line(_ file: String) -> String? {
      do throws(Fault) {
        let bytes = try AtomicFile.read(facts / file, limit: 4_096)
        return shownPlain(String(decoding: bytes.prefix(100).prefix { $0 != 0x0A }, as: UTF8.self))
      } catch {
        if error.kind != .missing { Log("watchdog").info("not told", ["what": file, "reason": error.message]) }
        return nil
      }
    }
    identity = line("identity")
    timeout = line("timeout").flatMap { Int32($0) }.flatMap { $0 > 0 ? .seconds(Int($0)) : nil }
    reason = line("bootstatus").flatMap { ResetReason(bootstatus: $0) }
  }
}
