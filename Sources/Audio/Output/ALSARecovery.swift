import Glibc

/// What a sound card's refusal asks for. Numbers as ALSA gives them, negative.
enum ALSARecovery: Equatable {
  /// Nothing is wrong; ask again.
  case again
  /// Frames came too late, or it stands still: what it still had is lost, and it is made ready for more.
  case prepare(isUnderrun: Bool)
  /// The box has slept, and the card with it.
  case resume
  /// It is not awake yet, and keeps what it has: come back in a moment.
  case wait
  case gone

  static func after(_ answer: Int32) -> ALSARecovery {
    switch -answer {
    case EAGAIN, EINTR: .again
    case EPIPE: .prepare(isUnderrun: true)
    // A card that was pulled out while in a wrong state says so when it is prepared.
    case EBADFD: .prepare(isUnderrun: false)
    case ESTRPIPE: .resume
    default: .gone
    }
  }

  static func afterResume(_ answer: Int32) -> ALSARecovery {
    if answer >= 0 { return .again }
    return switch -answer {
    case EAGAIN, EINTR: .wait
    case ENODEV: .gone
    // Many cards cannot go on where they were.
    default: .prepare(isUnderrun: false)
    }
  }
}
