import Runtime

/// How often the watchdog has reset the board since a run last lasted a minute, and in which boot that was last
/// counted: a boot's reset counts once, however often the program starts in it. The part of the starts' history that
/// must survive a boot.
struct ResetCount: Equatable, Sendable {
  static let largestFile = 256

  private(set) var count = 0
  private(set) var countedIn = ""

  init() {}

  /// True when it has changed.
  mutating func count(_ reset: ResetReason?, in bootID: String) -> Bool {
    guard let reset, reset.isByWatchdog, countedIn != bootID else { return false }
    count = min(count + 1, StartHistory.silentLimit)
    countedIn = bootID
    return true
  }

  /// True when it has changed. The boot stays: its reset is forgiven, not forgotten.
  mutating func forgive() -> Bool {
    guard count > 0 else { return false }
    count = 0
    return true
  }

  var bytes: [UInt8] { Array("layby resets 1\n\(count) \(countedIn)\nwhole\n".utf8) }

  /// Nil for anything but what `bytes` gives.
  init?(bytes: [UInt8]) {
    guard bytes.count <= Self.largestFile else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 3 else { return nil }
    let words = lines[1].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let number = Int(words[0]), (0...StartHistory.silentLimit).contains(number) else {
      return nil
    }
    count = number
    countedIn = String(words[1])
    guard self.bytes == bytes else { return nil }
  }
}
