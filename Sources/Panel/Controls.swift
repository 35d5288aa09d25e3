import Hardware
import Playback
import Runtime

/// What an input means on the now-playing screen, and while a question stands: then the knob is its. Pure: gestures and
/// menus will be told apart here.
package struct Controls: Equatable, Sendable {
  package enum Meaning: Equatable, Sendable {
    case command(Player.Command)
    /// Another answer of the question that stands.
    case choose(by: Int)
    /// The chosen one is the answer.
    case confirm
    case help
    case quit
  }

  /// Per cent a detent.
  package var volumeStep: Int
  package var seekStep: Duration = .seconds(10)
  /// What the music does while the board's line says that something else sounds.
  package var givesWay: GiveWay.Manner

  package init(volumeStep: Int, givesWay: GiveWay.Manner = .duck) {
    self.volumeStep = volumeStep
    self.givesWay = givesWay
  }

  /// Nil when it means nothing here.
  package func meaning(of input: Input, elapsed: Duration, whileAsking: Bool = false) -> Meaning? {
    switch input {
    case .turn(let steps) where whileAsking: .choose(by: steps)
    case .press(.knob) where whileAsking: .confirm
    case .turn(let steps): .command(.turn(by: steps.multipliedReportingOverflow(by: volumeStep).partialValue))
    case .press(.knob), .press(.play): .command(.toggle)
    case .press(.next): .command(.next)
    case .press(.previous): .command(.previous)
    case .press(.forward): .command(.seek(to: elapsed + seekStep))
    case .press(.rewind): .command(.seek(to: elapsed - seekStep))
    case .press(.louder): .command(.turn(by: volumeStep))
    case .press(.quieter): .command(.turn(by: -volumeStep))
    case .press(.mute): .command(.toggleMute)
    case .press(.help): .help
    case .otherSound(let sounds): .command(.giveWay(to: "the board", sounds ? givesWay : nil))
    case .quit: .quit
    default: nil
    }
  }
}
