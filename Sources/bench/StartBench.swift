import Glibc
import Runtime

/// How long the music is away when power comes back: from the start of the program until it says that it is ready,
/// playing what it played before.
struct StartBench {
  static let name = "start"
  static let about = "program start to ready, with a queue of 3 and of 10,000, after a stop and after a power cut"

  let layby: String
  let scratch: Scratch
  let rounds: Int

  private struct Case {
    let name: String
    let entries: Int
    let cut: Bool
  }

  private static let cases = [
    Case(name: "queue of 3", entries: 3, cut: false), Case(name: "queue of 10,000", entries: 10_000, cut: false),
    Case(name: "queue of 10,000, after a power cut", entries: 10_000, cut: true),
  ]

  func run() throws(Fault) -> [Row] {
    let music = try Music(in: scratch.folder("music"))
    let file = music.flac ?? music.mp3
    guard let file else {
      throw Fault(.missing, "B-180", "neither flac nor lame is installed, so there is nothing to play")
    }

    var contenders: [Contender] = []
    var hasPeer = true
    for (number, one) in Self.cases.enumerated() {
      // Each queue is all of its library: reading a larger one would not be asked of us.
      let library = try scratch.folder("library\(number)")
      let files = try Music.links(one.entries, to: file, in: library)
      contenders.append(try ours(one, files, home: scratch.folder("layby\(number)")))
      guard let peer = try peer(one, files, of: library, home: scratch.folder("mpd\(number)")) else {
        hasPeer = false; continue
      }
      contenders.append(peer)
    }
    let spreads = try Rounds.run(contenders, rounds: rounds, unit: .milliseconds)
    return Self.cases.enumerated().compactMap { number, one in
      guard let value = spreads[hasPeer ? number * 2 : number] else { return nil }
      let peer: Peer = hasPeer ? spreads[number * 2 + 1].map { .measured("mpd", $0) } ?? .none : .notInstalled("mpd")
      return Row(bench: Self.name, name: one.name, value: value, unit: .milliseconds, peer: peer, goal: .below(50))
    }
  }

  private func ours(_ one: Case, _ files: [FilePath], home: FilePath) throws(Fault) -> Contender {
    let player = try Layby(layby, home: home)
    Patience.tell("layby plays a \(one.name)")
    try end(player.start(["--output", "null", "--play"] + files.map(\.description)).child, of: player, one)
    return Contender(name: "layby \(one.name)") { () throws(Fault) in
      let (child, took) = try player.start()
      try end(child, of: player, one)
      return Double(took.nanoseconds) / 1_000_000
    }
  }

  private func peer(_ one: Case, _ files: [FilePath], of library: FilePath, home: FilePath) throws(Fault) -> Contender?
  {
    guard let player = try MPD(home: home, paced: true, library: library) else { return nil }
    Patience.tell("mpd plays a \(one.name)")
    let daemon = try player.start().daemon
    try daemon.readLibrary(within: .seconds(120))
    try daemon.queue(files.map(\.name))
    try daemon.ask("play")
    // Its state file is written when it stops: only a stop gives it the queue at all.
    try daemon.child.stop()
    return Contender(name: "mpd \(one.name)") { () throws(Fault) in
      let (daemon, took) = try player.start()
      guard try daemon.ask("status").contains("playlistlength: \(files.count)") else {
        throw Fault(.damaged, "B-181", "mpd has not got its queue back")
      }
      if one.cut { try daemon.child.cut() } else { try daemon.child.stop() }
      return Double(took.nanoseconds) / 1_000_000
    }
  }

  private func end(_ child: Child, of player: Layby, _ one: Case) throws(Fault) {
    if one.cut { try player.cut(child) } else { try child.stop() }
  }
}
