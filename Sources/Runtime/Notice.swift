/// Something a person must be told although everything goes on: a fault that was survived, and what was done
/// instead. The panel shows it, the log keeps it.
package struct Notice: Equatable, Sendable {
  package let code: String
  package let message: String
  /// The music has stopped over it, or will not begin: it is seen before all others.
  package let isUrgent: Bool
  /// What the panel's languages call it by, where that is not its code.
  package let phrase: String
  /// What they have no words for: names and figures, in the order of `message`.
  package let names: [String]
  /// Why, by the code of a reason: the last of what stands in a phrase.
  package let reason: String?
  /// Something went wrong, and is not just news: what whoever helps wants to hear of first.
  package private(set) var isProblem = false
  /// What kind of trouble it is, where it was a fault: said in languages that have no words for its code.
  package private(set) var kind: Fault.Kind?
  /// Of a settings file: each is said in the panel's language.
  package private(set) var mistakes: SettingsMistakes?
  /// The file that `message` names by its whole path, which fills a small panel before anything is said of it.
  package private(set) var path: FilePath?

  package init(
    _ code: String, _ message: String, isUrgent: Bool = false, as phrase: String? = nil, names: [String] = [],
    because reason: String? = nil
  ) {
    (self.code, self.message, self.isUrgent) = (code, message, isUrgent)
    (self.phrase, self.names, self.reason) = (phrase ?? code, names, reason)
  }

  /// `instead` is what was done: "the settings of last time are used".
  package init(_ fault: Fault, instead: String) {
    // A question has its own end.
    let isAsked = fault.message.hasSuffix("?")
    let done = isAsked ? " \(instead.prefix(1).uppercased())\(instead.dropFirst())" : "; \(instead)"
    self.init(fault.code, "\(fault.message)\(done)")
    (isProblem, kind) = (true, fault.kind)
  }

  /// A fault of which all is said.
  package init(_ fault: Fault, isUrgent: Bool = false) {
    self.init(fault.code, fault.message, isUrgent: isUrgent)
    (isProblem, kind) = (true, fault.kind)
  }

  init(_ code: String, _ mistakes: SettingsMistakes, instead: String) {
    self.init(mistakes.fault(code), instead: instead)
    self.mistakes = mistakes
  }

  package func about(_ path: FilePath?) -> Notice {
    var notice = self
    notice.path = path
    return notice
  }

  /// For a panel: a file is called by its name. Logs and programs get the whole path.
  package var shortMessage: String {
    guard let path = path ?? mistakes?.kept.first.map({ FilePath($0.file) }) else { return message }
    let (long, name) = (Array("\(path)".utf8), Array("\(path.name)".utf8))
    guard !long.isEmpty else { return message }
    var (rest, short) = (Array(message.utf8)[...], [UInt8]())
    while let start = rest.indices.first(where: { rest[$0...].starts(with: long) }) {
      short += rest[..<start] + name
      rest = rest[(start + long.count)...]
    }
    return String(decoding: short + rest, as: UTF8.self)
  }

  package var asProblem: Notice {
    var problem = self
    problem.isProblem = true
    return problem
  }
}

extension Notice {
  /// For how long it is seen: as long as somebody takes to notice and read it who reads slowly. What has stopped the music
  /// is there for as long as anything is.
  package var readingTime: Duration { isUrgent ? Self.longestReading : Self.readingTime(of: shortMessage) }

  /// The same of any text that goes by itself.
  package static func readingTime(of text: String) -> Duration {
    let letters = min(text.count, 1_000)
    return min(max(.milliseconds(2_500 + 60 * letters), shortestReading), longestReading)
  }

  package static let shortestReading: Duration = .seconds(5)
  package static let longestReading: Duration = .seconds(10)
}

extension Notice: CustomStringConvertible {
  package var description: String { "\(message) (\(code))" }
}
