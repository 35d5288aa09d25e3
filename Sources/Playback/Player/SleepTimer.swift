import Runtime

/// The music goes out by itself: after a while, or at the end of the chapter, of the track, or of the queue. It becomes
/// softer over the last half minute, as somebody would turn the knob, and then pauses; how loud it was is not touched, so
/// that it wakes as it always does. A value: what time it is and what is left of the music is told to it.
package struct SleepTimer: Equatable, Sendable {
  package enum Until: Equatable, Sendable {
    case time(Duration)
    /// At the end of the chapter that is heard; without chapters at the end of the track.
    case chapter
    case track, queue

    /// It ends where the music does, and not at a time.
    var isOfMusic: Bool { if case .time = self { false } else { true } }
  }

  package static let fade: Duration = .seconds(30)
  package static let longest: Duration = .seconds(24 * 3_600)

  package private(set) var until: Until?
  private var end = Moment(nanoseconds: 0)
  private var fade = Self.fade

  package init() {}

  package var isOn: Bool { until != nil }

  /// `music` is what is left of it until then, as far as that is known. When there is less time than a fade takes, the
  /// fade is shorter; it never begins in its middle.
  package mutating func set(_ until: Until?, at now: Moment, music: Duration? = nil) {
    self.until = until
    fade = Self.fade
    if case .time(let time) = until { end = now + min(max(time, .zero), Self.longest) }
    if let left = left(at: now, music: music) { fade = min(fade, left) }
  }

  /// Nil when it is off, or nobody knows.
  package func left(at now: Moment, music: Duration?) -> Duration? {
    switch until {
    case .time: max(end - now, .zero)
    case .chapter, .track, .queue: music.map { max($0, .zero) }
    case nil: nil
    }
  }

  /// Time and a chapter end it here; tracks and queues tell their own end.
  package func isOver(at now: Moment, music: Duration?) -> Bool {
    switch until {
    case .time: now >= end
    case .chapter: music.map { $0 <= .zero } ?? false
    case .track, .queue, nil: false
    }
  }

  package func factor(at now: Moment, music: Duration?) -> Factor {
    guard let left = left(at: now, music: music), left < fade else { return .full }
    let part = Double(left.nanoseconds) / Double(fade.nanoseconds)
    return Factor(part * part * part)
  }

  /// When it must be looked at again: at the beginning of the fade, and then often enough that no step is heard.
  package func nextLook(at now: Moment, music: Duration?) -> Duration? {
    guard let left = left(at: now, music: music) else { return nil }
    return left > fade ? left - fade : min(max(left, .milliseconds(1)), .milliseconds(100))
  }
}
