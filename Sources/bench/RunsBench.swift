import Glibc
import Runtime

/// Whether a run ever ends by itself: the player is started again and again with the state that the run before it left,
/// asked at random, and ended at random by a stop or as by a power cut. Each has its own dice, so a run that went wrong
/// can be had again. What counts is ends that nobody asked for.
struct RunsBench {
  static let name = "runs"
  static let about = "10,000 starts, or --rounds N, each asked for things at random and then stopped or cut off"

  let layby: String
  let scratch: Scratch
  let rounds: Int

  private static let asked = 8

  func run() throws(Fault) -> [Row] {
    let music = try Music(in: scratch.folder("music"))
    guard let file = music.flac ?? music.mp3 else {
      throw Fault(.missing, "B-183", "neither flac nor lame is installed, so there is nothing to play")
    }
    let files = try Music.links(20, to: file, in: scratch.folder("library"))
    let player = try Layby(layby, home: scratch.folder("layby"))
    try player.start(["--output", "null", "--play"] + files.map(\.description)).child.stop()
    var (ends, safeStarts) = (0, 0)
    for number in 1...rounds {
      var dice = Dice(seed: UInt64(number))
      let ending = try live(player, files, &dice)
      if case .unasked(let words) = ending {
        ends += 1
        Patience.tell("run \(number) ended by itself: \(words)")
      }
      if case .safe = ending { safeStarts += 1 }
      if number % 500 == 0 { Patience.tell("\(number) of \(rounds) runs, \(ends) ended by themselves") }
    }
    return [
      Row(
        bench: Self.name, name: "of \(rounds) runs ended by themselves", value: Spread(Double(ends)), unit: .times,
        goal: .flawless),
      Row(
        bench: Self.name, name: "of \(rounds) runs began in safe mode", value: Spread(Double(safeStarts)), unit: .times,
        goal: .flawless),
    ]
  }

  private enum Ending {
    case asked
    case safe
    case unasked(String)
  }

  private func live(_ player: Layby, _ files: [FilePath], _ dice: inout Dice) throws(Fault) -> Ending {
    let run = try player.launch()
    var said: [String] = []
    do throws(Fault) {
      try run.waitUntilReady()
      let isSafe = try run.ask("status")?["safe_mode"]?.truth == true
      for _ in 0..<dice.below(Self.asked) {
        let (verb, arguments) = Self.wish(files, &dice)
        said.append(([verb] + arguments).joined(separator: " "))
        // A refusal is an answer.
        do throws(Fault) { _ = try run.ask(verb, arguments) } catch { if error.code != "B-151" { throw error } }
      }
      guard !run.child.hasEnded else { return .unasked(words(run, said)) }
      if dice.below(4) == 0 {
        try player.cut(run.child)
      } else {
        run.child.signal(SIGTERM)
        let ending = try run.child.wait(within: .seconds(20))
        guard ending.code == 0 else { return .unasked("code \(ending.code) at its stop; \(words(run, said))") }
      }
      return isSafe ? .safe : .asked
    } catch {
      guard run.child.hasEnded else { throw error }
      return .unasked("\(error); \(words(run, said))")
    }
  }

  private func words(_ run: Layby.Run, _ said: [String]) -> String { "asked for \(said.joined(separator: ", "))" }

  /// Of what a person does with music, and some that is wrong.
  private static func wish(_ files: [FilePath], _ dice: inout Dice) -> (String, [String]) {
    switch dice.below(16) {
    case 0: ("play", [])
    case 1: ("pause", [])
    case 2: ("stop", [])
    case 3, 4: ("next", [])
    case 5: ("previous", [])
    case 6, 7: ("seek", ["\(dice.below(200))"])
    case 8: ("volume", ["\(dice.below(101))"])
    case 9: ("queue", ["add", "\(files[dice.below(files.count)])"])
    case 10: ("queue", ["jump", "\(dice.below(40))"])
    case 11: ("queue", ["remove", "\(dice.below(40))"])
    case 12: ("shuffle", [dice.below(2) == 0 ? "on" : "off"])
    case 13: ("repeat", [["off", "one", "all"][dice.below(3)]])
    case 14: ("queue", ["add", "/nowhere/\(dice.below(9)).flac"])
    default: ("status", [])
    }
  }

  /// The same for the same seed.
  private struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state >> 11) % limit
    }
  }
}
