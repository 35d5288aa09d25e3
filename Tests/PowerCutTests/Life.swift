import Remote
import Runtime
import TestSupport

/// The first life of a round: somebody does this and that, leaves it alone for a while, and the power goes.
struct Life {
  /// What was acknowledged before the end.
  private(set) var known = Known()
  /// What the start itself was to play; until something else is acknowledged it may be there or not.
  private(set) var mayHavePlayed: [Known] = []
  private(set) var underWay: Walk.Command?
  private(set) var diedByItself = false
  private(set) var cutAt = Moment.now
  private(set) var log = DiskLog([])

  init(
    _ home: RunningLayby.Home, _ music: Music, _ death: Round.Death, _ dice: inout SeededGenerator,
    _ story: inout [String]
  ) throws {
    var walk = Walk(music: music, dice: SeededGenerator(seed: dice.next()))
    // Busy first, then quiet; a step is sooner reached.
    let (busy, quiet) =
      switch death {
      case .killed: (Int.random(in: 0...2_000, using: &dice), Int.random(in: 0...10_000, using: &dice))
      case .atStep: (1_500, 4_500)
      }
    let endsUnderWay = Bool.random(using: &dice)
    let play = Int.random(in: 0..<3, using: &dice) == 0 ? walk.tracks() : []
    let fatal: String? = if case .atStep(let name, let count) = death { "\(name):\(count)" } else { nil }
    story.append("plays \(play.count) at the start, busy \(busy) ms, quiet \(quiet) ms, dies at \(fatal ?? "our hand")")

    var layby = try RunningLayby(home, play: play, dieAt: fatal)
    do {
      // Put into the queue, and perhaps begun already.
      if !play.isEmpty { mayHavePlayed = ["stopped", "playing"].map { Self.given(play, $0) } }
      try layby.waitUntilReady()
      try start(&layby, &story)
      let until = Moment.now + .milliseconds(busy)
      while Moment.now < until {
        try perform(walk.next(known), &layby, &story)
        _ = layby.endsBefore(.now + .milliseconds(Int.random(in: 0...250, using: &dice)))
      }
      // Half of the time where it is; else the long track, in which nothing is saved but the place.
      if quiet > 3_000 || Bool.random(using: &dice) {
        for command in walk.settleDown(known) { try perform(command, &layby, &story) }
      }
      try leaveAlone(.milliseconds(quiet), &layby, &story)
      if endsUnderWay {
        let last = walk.next(known)
        underWay = last
        story.append("under way: \(last)")
        try layby.tell(last.request)
        _ = layby.endsBefore(.now + .milliseconds(Int.random(in: 0...12, using: &dice)))
      }
    } catch RunningLayby.Ending.died {
      story.append("it died")
      // Its socket may be closed a moment before it is gone.
      _ = layby.endsBefore(.now + .seconds(10))
    }
    cutAt = .now
    diedByItself = layby.kill()
    log = try layby.log()
  }

  private static func given(_ paths: [String], _ state: String) -> Known {
    var known = Known()
    known.change(.add(paths))
    known.current = 1
    known.state = state
    return known
  }

  /// Whatever the start has done is durable once a command is acknowledged.
  private mutating func start(_ layby: inout RunningLayby, _ story: inout [String]) throws {
    let command = Walk.Command.volume(40)
    underWay = command
    let status = try layby.ask(command.request)["status"]
    known.take(list: try layby.ask(Request(verb: "queue")))
    known.nextID = (known.queue.map(\.id).max() ?? 0) + 1
    known.take(status: status)
    underWay = nil
    mayHavePlayed = []
    story.append("ready with \(known.queue.count) entries")
  }

  private mutating func perform(
    _ command: Walk.Command, _ layby: inout RunningLayby, _ story: inout [String]
  ) throws {
    // Where it is just before: what is under way when it dies may not have happened.
    known.take(status: try layby.ask(Request(verb: "status"))["status"])
    underWay = command
    let status = try layby.ask(command.request)["status"]
    known.change(command)
    // Where "next" is depends on what was current when it arrived.
    if case .playNext = command { known.take(list: try layby.ask(Request(verb: "queue"))) }
    known.take(status: status)
    underWay = nil
    story.append("\(command): \(known.state) entry \(known.current ?? 0) at \(known.position) s")
  }

  private mutating func leaveAlone(
    _ time: Duration, _ layby: inout RunningLayby, _ story: inout [String]
  ) throws {
    let until = Moment.now + time
    repeat {
      known.take(status: try layby.ask(Request(verb: "status"))["status"])
      if layby.endsBefore(min(until, Moment.now + .milliseconds(200))) { throw RunningLayby.Ending.died }
    } while Moment.now < until
    story.append("quiet: \(known.state) entry \(known.current ?? 0) at \(known.position) s")
    // Held against what the walk thinks it did, while it can still be asked.
    var asked = Known()
    asked.take(list: try layby.ask(Request(verb: "queue")))
    if asked.queue != known.queue {
      throw RunningLayby.Ending.refused("the queue is \(asked.queue), the walk expected \(known.queue)")
    }
  }
}
