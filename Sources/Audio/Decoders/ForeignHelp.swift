import Runtime
import Seals

/// Who is asked for what our own decoders do not play, for how long, and until when anything is wanted at all. The player
/// makes one that ends as soon as something else is to be done, so that no program holds up a skip, a stop or the end.
package struct ForeignHelp: Sendable {
  /// The program's words; nil when none is installed.
  var program: [String]? = ForeignProgram.path.map { ["\($0)"] }
  /// So long it may keep us waiting for one answer, our own reading of the file not counted; three times as long for
  /// the first.
  var patience: Duration = .seconds(10)
  /// Nobody waits for it any more. Asked while its answer is waited for.
  var isUnwanted: @Sendable () -> Bool = { false }
  /// Something else is to be played at once: whoever reads a file of its own stops too. Asked many times a second.
  var mustStop: @Sendable () -> Bool = { false }
  /// Opens what is sealed; nil where nothing sealed is opened.
  package var keys: (any TrackKeys)?
  /// Rung as a rule when that may have changed.
  var bell: Bell?

  package init() {}

  /// Whether the program for foreign formats is there. It is looked for anew each time.
  package static var isInstalled: Bool { ForeignProgram.path != nil }

  /// For reasons that nobody rings for, it is looked after so long.
  static let slice: Duration = .milliseconds(50)

  enum Outcome { case answered, silent, unwanted }

  /// Until there is something to read from it.
  func wait(
    for answer: Int32, until end: Moment, slice: Duration = ForeignHelp.slice, unless shouldStop: () -> Bool
  ) -> Outcome {
    var wasRung = false
    // It may have been rung for something else too, which is looked at later.
    defer { if wasRung { bell?.ring() } }
    let numbers = [answer] + (bell.map { [$0.number] } ?? [])
    while true {
      let ready = Readiness.readable(numbers, until: min(end, .now + slice))
      if ready.contains(answer) { return .answered }
      if let bell, !ready.isEmpty {
        // Before the look, so that nothing after it goes unheard.
        bell.hush()
        wasRung = true
      }
      if isUnwanted() || shouldStop() { return .unwanted }
      if Moment.now >= end { return .silent }
    }
  }
}

extension Fault {
  static func givenUp(_ name: String) -> Fault { Fault(.passing, "A-215", "\(name) is not wanted any more") }

  /// It says nothing of the file.
  var isGivingUp: Bool { code == "A-215" }
}
