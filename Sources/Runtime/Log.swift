internal import CLinux
import Glibc
import Synchronization

/// What happened, one line an event: `level=notice part=player msg="track began" entry=4`.
///
/// Each part keeps a `Log` named for itself. A line goes into a ring of the last 1,000 in memory (for the panel and
/// `layby log`) and to standard error, in journald's form when journald reads it. Logging never waits: when standard
/// error cannot take a line at once the line is dropped there and counted, and the ring still has it. Not for the
/// output thread, which may neither allocate nor lock.
package struct Log: Sendable {
  package enum Level: Int, Sendable, Comparable {
    case error = 3
    case warning, notice, info, debug

    package var name: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .notice: "notice"
      case .info: "info"
      case .debug: "debug"
      }
    }

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  package let part: String

  package init(_ part: String) { self.part = part }

  package typealias Fields = KeyValuePairs<String, any CustomStringConvertible & Sendable>

  package func error(_ text: String, _ fields: Fields = [:]) { write(.error, text, fields) }
  package func warning(_ text: String, _ fields: Fields = [:]) { write(.warning, text, fields) }
  package func notice(_ text: String, _ fields: Fields = [:]) { write(.notice, text, fields) }
  package func info(_ text: String, _ fields: Fields = [:]) { write(.info, text, fields) }
  package func debug(_ text: String, _ fields: Fields = [:]) { write(.debug, text, fields) }

  private func write(_ level: Level, _ text: String, _ fields: Fields) {
    LogBook.shared.write(level, part: part, text, fields, at: .now)
  }
}

/// A value as it stands in a line: bare when it is one plain word, else quoted, control characters escaped.
package func logQuoted(_ value: String) -> String {
  let plain =
    !value.isEmpty
    && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
  if plain { return value }
  var quoted = "\""
  for scalar in value.unicodeScalars {
    switch scalar {
    case "\"": quoted += "\\\""
    case "\\": quoted += "\\\\"
    case "\n": quoted += "\\n"
    case _ where !isPlain(scalar): quoted += "\\u{\(String(scalar.value, radix: 16))}"
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}

/// Neither a control character (a terminal obeys those, C1 too) nor one that turns the direction of a line.
package func isPlain(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
  default: true
  }
}

/// Foreign text (a file's name, a tag) as it may stand in a line for people: what is not plain shows as a replacement.
package func shownPlain(_ text: String) -> String {
  guard !text.unicodeScalars.allSatisfy(isPlain) else { return text }
  return String(String.UnicodeScalarView(text.unicodeScalars.map { isPlain($0) ? $0 : "\u{FFFD}" }))
}

/// The first 60 letters of what somebody typed, for messages, so that an answer is not as long as the question was.
package func shownBriefly(_ text: String) -> String {
  let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
  return shownPlain(shown) + (shown.utf8.count < text.utf8.count ? "..." : "")
}
