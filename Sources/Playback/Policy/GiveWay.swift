import Runtime

/// Who may speak over the music, and what the music does meanwhile: it becomes softer, or it pauses, and afterwards all
/// is as it was. A value: it hears who begins and ends, and says what is to change.
///
/// Several may speak at once; the music pauses while any of them asks for that, else it is soft while anybody speaks.
/// It goes on by itself only if it was paused because of them, and if nothing has decided otherwise since: who presses
/// pause during a call wants silence after it, and so does who fell asleep; and where the queue has ended there is
/// nothing to go on with.
package struct GiveWay: Equatable, Sendable {
  package enum Manner: String, Sendable, CaseIterable {
    case duck, pause
    /// It fades out and pauses, and the next start of the program goes on with it: the board goes to sleep.
    case rest
  }

  package enum Change: Equatable, Sendable {
    /// The factor for the music's loudness.
    case loudness(Double)
    case pause, fadeOut, resume
  }

  /// So much softer, that a voice is understood: 20 dB.
  package static let softly = 0.1
  /// How long it fades out: to be heard as one, and short enough for whoever leaves the car.
  package static let fade: Duration = .milliseconds(1_200)
  /// By which the board itself rests; there is always room for it.
  package static let board = "ignition"
  /// Nobody speaks with more tongues; whoever forgets to end does not fill the memory.
  package static let most = 16

  private var speakers: [String: Manner] = [:]
  /// The music pauses because of them, and it is to go on.
  private var resumes = false

  package init() {}

  package var isSilenced: Bool { speakers.values.contains { $0 != .duck } }
  /// The music pauses only because the board rests, and is to go on when that is over, in this life or the next.
  package var goesOnAfterRest: Bool { resumes && speakers.values.contains(.rest) }
  package var loudness: Double { speakers.isEmpty || isSilenced ? 1 : Self.softly }
  package var names: [String] { speakers.keys.sorted() }

  /// `isPlaying`: whether the owner wants music just now. The same name again only changes its manner.
  package mutating func begin(_ name: String, _ manner: Manner, isPlaying: Bool) -> [Change] {
    guard speakers[name] != nil || name == Self.board || speakers.count < Self.most else { return [] }
    return change(isPlaying: isPlaying) { $0[name] = manner }
  }

  package mutating func end(_ name: String, isPlaying: Bool) -> [Change] {
    change(isPlaying: isPlaying) { $0[name] = nil }
  }

  private mutating func change(isPlaying: Bool, _ body: (inout [String: Manner]) -> Void) -> [Change] {
    let (wasSilenced, before) = (isSilenced, loudness)
    body(&speakers)
    var changes: [Change] = []
    if loudness != before { changes.append(.loudness(loudness)) }
    if isSilenced && !wasSilenced && isPlaying {
      changes.append(speakers.values.contains(.pause) ? .pause : .fadeOut)
    }
    if !isSilenced && wasSilenced && resumes {
      resumes = false
      // Whoever started it meanwhile has it already.
      if !isPlaying { changes.append(.resume) }
    }
    return changes
  }

  /// The pause that was asked for is made.
  package mutating func hasPaused() { resumes = isSilenced }

  /// Something else makes it play, pause or stop. From now on nothing resumes by itself.
  package mutating func decided() { resumes = false }
}
