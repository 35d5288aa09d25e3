import Runtime

/// How long the panel is dark: from the start of the program until the last byte of its first picture has arrived. That
/// picture stands before the music is ready: it has the track, and says that it is starting.
///
/// It is drawn for a panel of 320 x 240 and shown in a terminal of 100 x 40, because every machine can make one of
/// those. A framebuffer takes the same picture at the same step of the start, as a copy instead of half blocks in 24
/// bits of colour, so it is not slower; how long its driver and its wires take is another figure. No peer has a panel.
struct FrameBench {
  static let name = "frame"
  static let about = "program start to the panel's first picture, with a queue of 3 and of 10,000"

  let layby: String
  let scratch: Scratch
  let rounds: Int

  private static let cases = [
    QueueCase("queue of 3", 3),
    QueueCase("queue of 3, after a power cut", 3, isCut: true),
    QueueCase("queue of 10,000", 10_000),
    QueueCase("queue of 10,000, after a power cut", 10_000, isCut: true),
  ]

  func run() throws(Fault) -> [Row] {
    let music = try Music(in: scratch.folder("music"))
    guard let file = music.flac ?? music.mp3 else {
      throw Fault(.missing, "B-186", "neither flac nor lame is installed, so there is nothing to play")
    }
    var contenders: [Contender] = []
    for (number, one) in Self.cases.enumerated() {
      let files = try Music.links(one.entries, to: file, in: scratch.folder("library\(number)"))
      contenders.append(try contender(one, files, home: scratch.folder("layby\(number)")))
    }
    let spreads = try Rounds.run(contenders, rounds: rounds, unit: .milliseconds)
    return zip(Self.cases, spreads).compactMap { one, spread in
      spread.map { Row(bench: Self.name, name: one.name, value: $0, unit: .milliseconds, goal: .below(50)) }
    }
  }

  private func contender(_ one: QueueCase, _ files: [FilePath], home: FilePath) throws(Fault) -> Contender {
    let player = try Layby(layby, home: home)
    Patience.tell("layby plays a \(one.name)")
    try one.end(player.start(["--output", "null", "--play"] + files.map(\.description)).child, of: player)
    return Contender(name: one.name) { () throws(Fault) in
      // A new one each time: what is left in it of the last round would be taken for a picture of this one.
      let window = try PseudoTerminal()
      let run = try player.launch(["--output", "null", "--terminal"], in: window)
      let at = try window.firstFrame(before: run.child.began + .seconds(60))
      // A stop in the middle of the start would leave the next round another state.
      try run.waitUntilReady()
      try one.end(run.child, of: player)
      return Double((at - run.child.began).nanoseconds) / 1_000_000
    }
  }
}
