import Runtime

/// What was decided about sticks once and for all, as a small file of lines. What cannot be understood in it is left
/// out: the worst that comes of it is a question that was answered before.
package struct StickMemory: Equatable, Sendable {
  package static let fileName = "sticks"
  package static let limit = 65_536
  /// The oldest goes for a new one.
  static let most = 500

  /// Whose music nobody shall ask about again, by the identity of their file systems.
  private var leftAlone: [String] = []

  package init() {}

  package init(parsing bytes: [UInt8]) {
    for line in bytes.prefix(Self.limit).split(separator: 0x0A) {
      let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
      guard words.count == 2, StickIdentity.isPlain(words[1]) else { continue }
      let word = String(decoding: words[1], as: UTF8.self)
      switch String(decoding: words[0], as: UTF8.self) {
      case "leave": leaveAlone(word)
      default: break
      }
    }
  }

  package var bytes: [UInt8] { Array(leftAlone.map { "leave \($0)\n" }.joined().utf8) }

  /// One without an identity cannot be known again.
  package func leavesAlone(_ stick: Stick) -> Bool { stick.uuid.map { leftAlone.contains($0) } ?? false }

  package mutating func leaveAlone(_ stick: Stick) { if let uuid = stick.uuid { leaveAlone(uuid) } }

  private mutating func leaveAlone(_ uuid: String) {
    guard !leftAlone.contains(uuid) else { return }
    if leftAlone.count == Self.most { leftAlone.removeFirst() }
    leftAlone.append(uuid)
  }
}

/// What becomes of the music on a stick that has come.
package enum StickMusic: Equatable, Sendable {
  case isTakenIn, isAskedFor, isLeft

  /// `isKnown`: it was taken in before. What was taken in once is kept up to date, whatever was said of it since.
  package init(_ setting: StickImport, isKnown: Bool, isLeftAlone: Bool) {
    self =
      switch setting {
      case .always: .isTakenIn
      case .ask: isKnown ? .isTakenIn : isLeftAlone ? .isLeft : .isAskedFor
      case .never: .isLeft
      }
  }

  package enum Answer: Int, Sendable { case notNow, yes, never }

  /// Only a stick that is known again can be left alone for ever.
  package static func question(about stick: Stick) -> OwnersQuestion {
    let answers = ["Not now", "Yes, each time it is in"] + (stick.uuid == nil ? [] : ["Never from this stick"])
    return OwnersQuestion("H-713", "Take in the music of \(stick.nameInQuestions)?", answers: answers)
  }
}

extension Stick {
  /// Shorter than a label can be: what is asked has to be read at a glance.
  package var nameInQuestions: String {
    let scalars = label.unicodeScalars
    if scalars.count <= 20 { return label.isEmpty ? "this stick" : "\"\(label)\"" }
    return "\"\(String(String.UnicodeScalarView(scalars.prefix(19))))…\""
  }
}
