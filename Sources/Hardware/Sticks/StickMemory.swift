import Runtime

/// The owner's lasting decisions about sticks, in a small file of lines. Lines that cannot be read are left out; at worst
/// a question is asked again.
package struct StickMemory: Equatable, Sendable {
  package static let fileName = "sticks"
  package static let limit = 65_536
  /// The oldest goes for a new one.
  static let most = 500

  /// Whose music nobody shall ask about again, by the identity of their file systems.
  private var leftAlone: [String] = []
  /// Of the network that was set up last: enough to know it again, too little to get a password back from it.
  private var network: UInt32?
  /// What the owner has called the board.
  package private(set) var boardName: String?

  package init() {}

  package init(parsing bytes: [UInt8]) {
    for line in bytes.prefix(Self.limit).split(separator: 0x0A) {
      let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
      guard words.count >= 2 else { continue }
      let rest = line.dropFirst(words[0].count + 1)
      let word = String(decoding: rest, as: UTF8.self)
      switch String(decoding: words[0], as: UTF8.self) {
      case "leave": if StickIdentity.isPlain(rest) { leaveAlone(word) }
      case "network": network = UInt32(word, radix: 16)
      case "name": if shownPlain(word) == word { boardName = word }
      default: break
      }
    }
  }

  package var bytes: [UInt8] {
    var lines = leftAlone.map { "leave \($0)" }
    if let network { lines.append("network \(String(network, radix: 16))") }
    if let boardName { lines.append("name \(boardName)") }
    return Array(lines.map { "\($0)\n" }.joined().utf8)
  }

  /// Whether the setup would change nothing.
  package func has(_ setup: StickSetup) -> Bool {
    (setup.network == nil || setup.network.map(Self.mark) == network)
      && (setup.boardName == nil || setup.boardName == boardName)
  }

  package mutating func remember(_ setup: StickSetup) {
    if let wanted = setup.network { network = Self.mark(wanted) }
    if let name = setup.boardName { boardName = name }
  }

  /// A stick that names it is asked about again.
  package mutating func forgetNetwork() { network = nil }

  /// FNV-1a.
  private static func mark(_ network: StickSetup.Network) -> UInt32 {
    let bytes = Array(network.ssid.utf8) + [0] + Array((network.password ?? "").utf8)
    return bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  /// One without an identity cannot be known again.
  package func leavesAlone(_ stick: Stick) -> Bool { stick.uuid.map { leftAlone.contains($0) } ?? false }

  package mutating func leaveAlone(_ stick: Stick) { if let uuid = stick.uuid { leaveAlone(uuid) } }

  private mutating func leaveAlone(_ uuid: String) {
    guard !leftAlone.contains(uuid) else { return }
    if leftAlone.count == Self.most { leftAlone.removeFirst() }
    leftAlone.append(uuid)
  }
}

extension RefusedStick {
  package enum ReadDecision: Int, Sendable { case no, yes }

  /// For one that waits.
  package var question: OwnersQuestion {
    let name = Stick.nameInQuestions(label)
    return OwnersQuestion(
      "H-717", "Read \(name)?", about: label.isEmpty ? nil : name, answers: ["No", "Yes"])
  }
}

/// What happens with the music of a stick that is plugged in: it is imported, the owner is asked, or nothing is done.
package enum StickMusic: Equatable, Sendable {
  case isTakenIn, isAskedFor, isLeft

  /// `isKnown`: it was taken in before, and is recognised by more than its identity, which anybody can give to another
  /// stick. What was taken in once is kept up to date, whatever was said of it since; but not where strangers put sticks
  /// in, who may have seen what is on them.
  package init(_ setting: StickImport, isKnown: Bool, isLeftAlone: Bool, amongStrangers: Bool) {
    self =
      switch setting {
      case .always: .isTakenIn
      case .ask where amongStrangers: .isAskedFor
      case .ask: isKnown ? .isTakenIn : isLeftAlone ? .isLeft : .isAskedFor
      case .never: .isLeft
      }
  }

  package enum ImportDecision: Int, Sendable { case notNow, yes, yesAndPlay, never }

  /// Only a stick that is known again can be left alone for ever.
  package static func question(about stick: Stick) -> OwnersQuestion {
    let never = stick.uuid == nil ? [] : ["Never from this stick"]
    return OwnersQuestion(
      "H-713", "Take in the music of \(stick.nameInQuestions)?",
      about: stick.label.isEmpty ? nil : stick.nameInQuestions,
      answers: ["Not now", "Yes, each time it is in", "Yes, and play it now"] + never)
  }
}

extension Stick {
  /// Shorter than a label can be: what is asked has to be read at a glance.
  package var nameInQuestions: String { Self.nameInQuestions(label) }

  static func nameInQuestions(_ label: String) -> String {
    let scalars = label.unicodeScalars
    if scalars.count <= 20 { return label.isEmpty ? "this stick" : "\"\(label)\"" }
    return "\"\(String(String.UnicodeScalarView(scalars.prefix(19))))…\""
  }
}
