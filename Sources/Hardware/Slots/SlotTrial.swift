import Runtime

/// When a slot that is tried for the first time may be called good: the player has answered for a while without a
/// break, its sound and its panel ran all that time, and neither has a device that is there and does not work.
///
/// A device that is not there says nothing about a version: without the owner's sound card or screen the version before
/// would play and show as little. So one that is missing, or that another program has, is no hindrance, and any other
/// fault of it is one.
package struct SlotTrial: Sendable {
  package enum Device: Equatable, Sendable {
    /// The part has none of its own, such as a panel that nothing shows.
    case none
    /// It was not asked yet.
    case untried
    case works
    /// It is not plugged in, or another program has it.
    case absent
    /// It is there, and cannot be used.
    case fails

    /// The player's word for it: `works`, or the kind of a fault.
    package init(word: String?) {
      switch word {
      case nil: self = .untried
      case "works": self = .works
      case Fault.Kind.missing.rawValue, Fault.Kind.busy.rawValue: self = .absent
      default: self = .fails
      }
    }
  }

  /// A part as the player tells of it.
  package struct Part: Sendable {
    package let name: String
    package let isRunning: Bool
    package let restarts: Int64
    package let device: Device
    /// For the part `sound`: how many frames its device has played, if it is open and music is to be heard.
    package let played: Int64?

    package init(_ name: String, isRunning: Bool, restarts: Int64, device: Device = .none, played: Int64? = nil) {
      (self.name, self.isRunning, self.restarts) = (name, isRunning, restarts)
      (self.device, self.played) = (device, played)
    }

    fileprivate var hinders: String? {
      if !isRunning { return "\(name) does not run" }
      return switch device {
      case .none, .works, .absent: nil
      case .untried: "the device of \(name) was not asked yet"
      case .fails: "the device of \(name) is there and does not work"
      }
    }
  }

  /// A player that crashes again and again is there for some seconds each time.
  package static let span = Duration.seconds(30)

  /// Why it is not good yet, in words for the log; nil when nothing but time is missing.
  package private(set) var hindrance: String?
  private let span: Duration
  private var since: Moment?
  private var restarts: Int64 = 0
  /// What the device had played when the time began.
  private var played: Int64?

  package init(span: Duration = Self.span) { self.span = span }

  /// `parts`: the player's answer, or nil when there was none. True as soon as the slot is good. A board without a panel
  /// has no such part; other parts, such as the network's, say nothing about a version. `hasIdleSoundCard`: a sound card
  /// is plugged in that the kernel has no driver for, so a device that is missing is not missing for want of a card.
  package mutating func take(_ parts: [Part]?, hasIdleSoundCard: Bool = false, at now: Moment) -> Bool {
    let needed = parts?.filter { ["sound", "panel"].contains($0.name) } ?? []
    let restarts = needed.reduce(0) { $0 + $1.restarts }
    let sound = needed.first { $0.name == "sound" }
    hindrance =
      if sound == nil { "the player does not answer" } else if hasIdleSoundCard, sound?.device == .absent {
        "the kernel has no driver for the sound card that is plugged in"
      } else { needed.lazy.compactMap(\.hinders).first }
    guard hindrance == nil else {
      since = nil
      return false
    }
    guard let since, restarts == self.restarts else {
      (self.since, self.restarts, played) = (now, restarts, sound?.played)
      return false
    }
    // What has begun to play, or has ended, in the meantime tells nothing yet, and need not.
    guard let before = played, let after = sound?.played else {
      played = nil
      return now - since >= span
    }
    guard now - since >= span else { return false }
    if after == before {
      hindrance = "the sound device is open, and nothing of the music is played"
      (self.since, played) = (now, after)
      return false
    }
    return true
  }
}
