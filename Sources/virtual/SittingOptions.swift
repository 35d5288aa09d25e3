import Glibc
import Runtime

/// What `board/virtual/run` was told.
struct SittingOptions {
  var image = FilePath(".build/image/virtual")
  var machine = FilePath("board/virtual/machine")
  var endsAfter: Duration?
  var window: String?

  static let usage = "usage: virtual --image DIR --machine FILE [--for 60s] [--window]"

  init(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--image": image = FilePath(try Self.value(of: word, in: &rest))
      case "--machine": machine = FilePath(try Self.value(of: word, in: &rest))
      case "--for": endsAfter = try Self.duration(try Self.value(of: word, in: &rest))
      case "--window": window = try Self.windowOfThisSession()
      default: throw Fault(.malformed, "V-201", "there is no \(word); \(Self.usage)")
      }
    }
  }

  private static func value(of word: String, in rest: inout ArraySlice<String>) throws(Fault) -> String {
    guard let value = rest.popFirst() else { throw Fault(.malformed, "V-201", "\(word) needs a value; \(usage)") }
    return value
  }

  private static func duration(_ text: String) throws(Fault) -> Duration {
    guard let duration = SettingType<Duration>.duration(.seconds(1) ... .seconds(86_400)).parse(text) else {
      throw Fault(.malformed, "V-202", "\"\(text)\" is no time like 60s or 5m")
    }
    return duration
  }

  private static func windowOfThisSession() throws(Fault) -> String {
    guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else {
      throw Fault(.missing, "V-203", "there is no desktop here for a window; without --window the terminal shows it")
    }
    return "gtk"
  }
}

/// Where messages for people go that are no result.
struct StandardError: TextOutputStream {
  mutating func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }
}

nonisolated(unsafe) var standardError = StandardError()
