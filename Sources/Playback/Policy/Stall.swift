import Runtime

/// Music that comes over a line, and does not come in time: when people are told that it waits, and when that it goes on.
/// As long as something is left to be heard, nobody needs to know.
package struct Stall: Equatable, Sendable {
  package enum Change: Equatable, Sendable { case begins, ends }

  /// Less is as good as nothing: it fades out just now.
  package static let silence: Duration = .milliseconds(300)
  /// With so much it goes on, and does not stop again at once.
  package static let enough: Duration = .seconds(1)

  package private(set) var isOn = false

  package init() {}

  /// Somebody waits for more of it, with so much still to be heard.
  package mutating func waits(isPlaying: Bool, unheard: Duration) -> Change? {
    if isOn { return unheard >= Self.enough ? over() : nil }
    guard isPlaying, unheard < Self.silence else { return nil }
    isOn = true
    return .begins
  }

  /// More has come, or something else is played.
  package mutating func over() -> Change? {
    defer { isOn = false }
    return isOn ? .ends : nil
  }
}
