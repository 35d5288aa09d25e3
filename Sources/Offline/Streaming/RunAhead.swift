import Runtime
import Services

/// How far what is fetched for listening may run ahead of whoever listens. Of what comes next the beginning is enough. What
/// will not be kept is fetched a minute ahead, and half a minute while the battery is low: it rests when that is there and
/// goes on when half of it is left.
struct RunAhead: Equatable {
  enum Need: Equatable {
    case all
    /// So that it begins at once when its turn comes.
    case beginning
    /// Somebody listens, and has read so far; it is fetched so far ahead of that.
    case from(Int64, ahead: Duration)
  }

  static let beginning: Duration = .seconds(10)
  static let refill: Duration = .seconds(30)
  static let most: Duration = .seconds(60)
  /// While the battery is low.
  static let mostOnLowBattery: Duration = .seconds(30)
  /// Tags and a cover stand before the music.
  static let head: Int64 = 256 << 10

  /// Less is there, and nothing else takes part of the line until it is `refill`.
  static let least: Duration = .seconds(10)

  private(set) var rests = false
  private(set) var isPressed = false

  /// Whether it may be fetched on, with so much of it here.
  mutating func mayGoOn(_ need: Need, arrived: Int64, at quality: Quality) -> Bool {
    switch need {
    case .all: rests = false
    case .beginning: rests = arrived >= Self.head + quality.estimate(of: Self.beginning)
    case .from(let place, let ahead):
      let (least, most) = (quality.estimate(of: ahead / 2), Self.head + quality.estimate(of: ahead))
      rests = arrived - place >= (rests ? least : most)
    }
    return !rests
  }

  /// Somebody listens who has read up to `place`, and it runs: whether it shall have the whole line.
  mutating func presses(from place: Int64, arrived: Int64, of size: Int64?, at quality: Quality) -> Bool {
    let (there, wanted) = (arrived - place, quality.estimate(of: isPressed ? Self.refill : Self.least))
    isPressed = there < wanted && (size.map { arrived < $0 } ?? true)
    return isPressed
  }
}
