/// What a part that imports or copies one thing after another knows of the piece of work that runs: how to break it off,
/// and whether it goes on afterwards. A value.
///
/// While it is held nothing may be written. The piece that runs then is broken off, and is done again before all others
/// when it is held no longer; a piece that somebody stopped is not.
struct RunningWork {
  /// Breaks off the piece that runs; nil while none does.
  private(set) var sign: StopSign?
  private var goesOn = false
  var isHeld = false {
    didSet {
      guard isHeld, !oldValue, let sign else { return }
      goesOn = true
      sign.raise()
    }
  }

  /// A piece begins. It ends soon after the sign is raised.
  mutating func begin() -> StopSign {
    let new = StopSign()
    (sign, goesOn) = (new, false)
    return new
  }

  /// Breaks the piece off for good.
  mutating func stop() {
    goesOn = false
    sign?.raise()
  }

  /// The piece has ended. Returns whether it goes on afterwards, if it was broken off.
  mutating func end() -> Bool {
    defer { (sign, goesOn) = (nil, false) }
    return goesOn
  }
}
