import Remote
import Runtime
import TestSupport

/// What somebody does with the player in a round, decided by dice.
struct Walk {
  enum Command: Equatable, Sendable {
    case add([String]), remove(Int), jump(Int), clear
    case playNext([String]), move(Int, to: Int)
    case shuffle(Bool)
    case play, pause, next, previous
    case seek(Double)
    case volume(Int64)
    case repeats(String)

    var request: Request {
      switch self {
      case .add(let paths): Request(verb: "queue", arguments: ["add"] + paths.map { JSON($0) })
      case .remove(let number): Request(verb: "queue", arguments: ["remove", JSON("\(number)")])
      case .jump(let number): Request(verb: "queue", arguments: ["jump", JSON("\(number)")])
      case .playNext(let paths): Request(verb: "playnext", arguments: paths.map { JSON($0) })
      case .move(let number, let place): Request(verb: "move", arguments: [JSON("\(number)"), JSON("\(place)")])
      case .shuffle(let on): Request(verb: "shuffle", arguments: [on ? "on" : "off"])
      case .clear: Request(verb: "queue", arguments: ["clear"])
      case .play: Request(verb: "play")
      case .pause: Request(verb: "pause")
      case .next: Request(verb: "next")
      case .previous: Request(verb: "previous")
      case .seek(let place): Request(verb: "seek", arguments: [JSON("\(place)")])
      case .volume(let percent): Request(verb: "volume", arguments: [JSON("\(percent)")])
      case .repeats(let mode): Request(verb: "repeat", arguments: [JSON(mode)])
      }
    }

    var volume: Int64? { if case .volume(let percent) = self { percent } else { nil } }
    var repeats: String? { if case .repeats(let mode) = self { mode } else { nil } }

    /// What the player may be doing once it is done.
    var states: Set<String> {
      switch self {
      case .play, .jump: ["playing"]
      case .pause: ["paused"]
      case .next, .clear, .remove: ["stopped"]
      default: []
      }
    }
  }

  let music: Music
  var dice: SeededGenerator

  /// Something that can be done as things are.
  mutating func next(_ known: Known) -> Command {
    guard !known.queue.isEmpty else { return .add(tracks()) }
    switch Int.random(in: 0..<24, using: &dice) {
    case 20...21: return .playNext(tracks())
    case 22...23:
      let places = 1...known.queue.count
      return .move(.random(in: places, using: &dice), to: .random(in: places, using: &dice))
    case 0...3: return .add(tracks())
    case 4...8: return seek(known) ?? .play
    case 9...10: return .next
    case 11: return .previous
    case 12...13: return .play
    case 14: return .pause
    case 15: return .volume(Int64.random(in: 0...100, using: &dice))
    case 16: return .repeats(["off", "all", "one"].randomElement(using: &dice) ?? "off")
    case 17: return .remove(Int.random(in: 1...known.queue.count, using: &dice))
    case 18: return .jump(Int.random(in: 1...known.queue.count, using: &dice))
    default: return .clear
    }
  }

  /// Before it is left alone for a while: the long track, somewhere in it, playing.
  mutating func settleDown(_ known: Known) -> [Command] {
    let place = Double(Int.random(in: 0...500, using: &dice))
    if let index = known.queue.firstIndex(where: { $0.path == music.long.path }) {
      return [.jump(index + 1), .seek(place)]
    }
    return [.add([music.long.path]), .jump(known.queue.count + 1), .seek(place)]
  }

  mutating func tracks() -> [String] {
    (0..<Int.random(in: 1...3, using: &dice)).map { _ in
      Bool.random(using: &dice) ? music.long.path : (music.short.randomElement(using: &dice) ?? music.long).path
    }
  }

  private mutating func seek(_ known: Known) -> Command? {
    guard let entry = known.queue.first(where: { $0.id == known.current }),
      let track = music.all.first(where: { $0.path == entry.path })
    else { return nil }
    // Half seconds, so that the sought place is a whole number of frames.
    return .seek(Double(Int.random(in: 0...Int(track.seconds) * 2 - 3, using: &dice)) / 2)
  }
}
