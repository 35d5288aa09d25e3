import Runtime

/// What the music does while something else is heard (navigation, a call, speech): it becomes softer or pauses, and
/// goes back afterwards. A value: it is told which speakers begin and end, and gives the changes to make.
///
/// Several speakers can be active at once. The music pauses while any of them asks for a pause, and is soft otherwise.
/// It resumes by itself only if it was paused because of them and nobody has decided otherwise since: whoever presses
/// pause during a call wants silence after it; after the sleep timer or the end of the queue there is nothing to
/// resume.
package struct GiveWay: Equatable, Sendable {
  package enum Manner: String, Sendable, CaseIterable {
    case duck, pause
    /// The board goes to sleep: the music fades out and pauses, and the next start of the program resumes it.
    case rest
  }

  package enum Change: Equatable, Sendable {
    /// The factor for the music's volume, 0 to 1.
    case loudness(Double)
    case pause, fadeOut, resume
  }

  /// The factor while somebody speaks: 20 dB softer, so that a voice is understood.
  package static let softly = 0.1
  /// The length of the fade-out before the board sleeps: long enough to be heard as one, short enough for leaving a
  /// car.
  package static let fade: Duration = .milliseconds(1_200)
  /// The speaker's name under which the board itself goes to sleep. It is accepted even when there are `most` others.
  package static let board = "ignition"
  /// The most speakers at once, so that clients that forget to end do not fill the memory.
  package static let most = 16

  private var speakers: [String: Manner] = [:]
  /// The music was paused because of the speakers, and resumes after them.
  private var resumes = false

  package init() {}

  package var isSilenced: Bool { speakers.values.contains { $0 != .duck } }
  /// The music is paused only because the board sleeps, so it resumes after that, also in the next run of the program.
  package var goesOnAfterRest: Bool { resumes && speakers.values.contains(.rest) }
  package var loudness: Double { speakers.isEmpty || isSilenced ? 1 : Self.softly }
  package var names: [String] { speakers.keys.sorted() }

  /// `isPlaying`: whether music is wanted now. Beginning again with the same name changes the manner.
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
      // Somebody may have started it in the meantime.
      if !isPlaying { changes.append(.resume) }
    }
    return changes
  }

  /// Call it when the pause has been made.
  package mutating func hasPaused() { resumes = isSilenced }

  /// Call it when something else makes the player play, pause or stop. Then nothing resumes by itself any more.
  package mutating func decided() { resumes = false }
}
