import Glibc

/// What a sound card's refusal asks for. Numbers as ALSA gives them, negative.
enum ALSARecovery: Equatable {
  /// What the card itself says it is at, as far as it matters here.
  enum State: Equatable {
    case well, underrun, suspended, disconnected
  }

  /// Nothing is wrong; ask again.
  case again
  /// Frames came too late, or it stands still: it is made ready for more. What it still had was heard if they came too
  /// late, and else is lost and given again.
  case prepare(isUnderrun: Bool)
  /// The box has slept, and the card with it.
  case resume
  /// It is not awake yet, and keeps what it has: come back in a moment.
  case wait
  case gone

  /// The state decides where it is known: a card that was pulled out may answer anything, even that it has room.
  static func after(_ answer: Int32, in state: State = .well) -> ALSARecovery {
    switch state {
    case .disconnected: return .gone
    case .suspended: return .resume
    case .underrun: return .prepare(isUnderrun: true)
    case .well: break
    }
    return switch -answer {
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
