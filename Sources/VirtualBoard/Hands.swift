import Runtime

/// Moves the board's knob and buttons. It sends lines of text, and a program in the guest sets simulated GPIO lines by
/// them.
package final class Hands {
  /// The raw values are the names of the GPIO lines in board.conf.
  package enum Switch: String, CaseIterable, Sendable {
    case knob = "ENC_SW"
    case play = "BTN_PLAY"
    case next = "BTN_NEXT"
    case previous = "BTN_PREV"
    case back = "BTN_BACK"
    case mute = "BTN_MUTE"
  }

  /// Each becomes one line of text. A GPIO line is high at rest, and low while a button is pressed.
  package enum Move: Equatable, Sendable {
    case line(String, high: Bool)
    case wait(milliseconds: Int)
    /// Turns the knob with `microseconds` between two edges. `swings` says how often the contact bounces at each edge; the
    /// list is repeated when it ends.
    case spin(detents: Int, microseconds: Int, swings: [Int])

    package var text: String {
      switch self {
      case .line(let name, let high): "\(name) \(high ? "up" : "down")"
      case .wait(let time): "wait \(time)"
      case .spin(let detents, let time, let swings):
        "spin \(detents > 0 ? "ENC_A ENC_B" : "ENC_B ENC_A") \(abs(detents)) \(time) "
          + swings.map { "\(min(max($0, 0), 9))" }.joined()
      }
    }
  }

  private let channel: Channel

  package init(connectingTo path: FilePath, within limit: Duration) throws(Fault) {
    channel = try Channel(connectingTo: path, named: "the board's hands", within: limit)
  }

  package func make(_ moves: [Move]) throws(Fault) {
    try channel.send(Array(moves.map { $0.text + "\n" }.joined().utf8))
  }

  /// `time` is in milliseconds. 60 is longer than any debouncing and shorter than a long press.
  package static func press(_ button: Switch, for time: Int = 60) -> [Move] {
    [
      .line(button.rawValue, high: false), .wait(milliseconds: time), .line(button.rawValue, high: true),
      .wait(milliseconds: time),
    ]
  }

  package static func hold(_ button: Switch) -> [Move] { [.line(button.rawValue, high: false)] }
  package static func release(_ button: Switch) -> [Move] { [.line(button.rawValue, high: true)] }

  /// Four edges a detent, beginning and ending with both lines high; clockwise the first line leads.
  package static func turn(_ detents: Int, pause: Int = 2) -> [Move] {
    let (first, second) = detents > 0 ? ("ENC_A", "ENC_B") : ("ENC_B", "ENC_A")
    let detent: [(String, Bool)] = [(first, false), (second, false), (first, true), (second, true)]
    return (0..<abs(detents)).flatMap { _ in
      detent.flatMap { [Move.line($0.0, high: $0.1), .wait(milliseconds: pause)] }
    }
  }

  /// A turn at a given speed, with contacts that bounce.
  package static func spin(_ detents: Int, microseconds: Int, swings: [Int] = [0]) -> [Move] {
    [.spin(detents: detents, microseconds: microseconds, swings: swings)]
  }
}
