import Runtime

/// How an update stands, as the unit layby-update.service writes it: lines `name=value` in one file.
package struct UpdateProgress: Equatable, Sendable {
  package enum State: String, Sendable {
    /// The file is looked at; nothing is written yet.
    case checking
    /// The file may be written; only that was asked.
    case offered
    /// The other slot is written.
    case writing
    /// The new version starts at the next start.
    case ready
    /// Nothing was changed.
    case refused
    /// The other slot was written in part. The version that runs stays.
    case failed
  }

  package let state: State
  /// The wish that it answers.
  package let wish: String
  package var percent = 0
  package var version = ""
  /// What went wrong, or what is new.
  package var words = ""
  package var reason: Refusal?

  package enum Refusal: String, Sendable {
    case board, older, key, damaged, room, battery
    /// The system was not started from one of two slots, or the card's other slot is not there.
    case slots
    /// The version that runs is the same.
    case same
  }

  package var isOver: Bool {
    switch state {
    case .checking, .writing: false
    case .offered, .ready, .refused, .failed: true
    }
  }

  /// Nil for what is not such a file.
  package init?(_ text: String) {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let end = line.firstIndex(of: "=") ?? line.endIndex
      values[line[..<end]] = line[end...].dropFirst()
    }
    guard let state = State(rawValue: String(values["state"] ?? "")), let wish = values["wish"] else { return nil }
    (self.state, self.wish) = (state, String(wish))
    percent = min(max(Int(values["percent"] ?? "") ?? 0, 0), 100)
    version = String(values["version"] ?? "")
    words = String(values["words"] ?? "")
    reason = values["reason"].flatMap { Refusal(rawValue: String($0)) }
  }

  package static let wishName = "update"

  package enum Deed: String, Sendable {
    /// Says only whether the file may be written, and which version it is.
    case check
    case write
  }

  /// What the player or the command line leaves in the player's run folder, for the unit to find.
  package struct Wish: Sendable {
    package let name: String
    package let deed: Deed
    package let file: FilePath
    /// The only one that somebody said yes to; empty for whichever the file has.
    package let version: String

    package init(_ name: String, to deed: Deed, _ file: FilePath, version: String = "") {
      (self.name, self.deed, self.file, self.version) = (name, deed, file, version)
    }

    package var bytes: [UInt8] {
      Array("wish=\(name)\ndo=\(deed.rawValue)\nversion=\(version)\nfile=".utf8) + file.bytes + [0x0A]
    }
  }
}
