import Glibc
import Runtime

/// How long the music is away when the player crashes: from the signal until the player that was started in its place
/// says that it plays and that its place has moved on from the saved one. What the service manager itself takes is not
/// in it; the pause that the unit asks it for is.
///
/// Three crashes within a minute start the player in safe mode. In each round a clean stop follows the crash, and that
/// forgives: every start here is a plain one.
struct CrashBench {
  static let name = "crash"
  static let about = "a crash to music that moves on again, with the pause before the restart"

  /// RestartSec of image/layby.service.
  private static let pause: Duration = .milliseconds(100)
  private static let looksEvery: Duration = .milliseconds(2)
  /// Where the music is brought before each crash: the new run must not be found before it.
  private static let place = 60.0

  let layby: String
  let scratch: Scratch
  let rounds: Int

  private static let cases = [(name: "queue of 3", entries: 3), (name: "queue of 10,000", entries: 10_000)]

  func run() throws(Fault) -> [Row] {
    let music = try Music(in: scratch.folder("music"))
    guard let file = music.flac ?? music.mp3 else {
      throw Fault(.missing, "B-187", "neither flac nor lame is installed, so there is nothing to play")
    }
    // How long a disk takes for a picture of the memory is not what is asked here.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else {
      throw Fault.system("B-188", doing: "do without core files")
    }
    var contenders: [Contender] = []
    var hasPeer = true
    for (number, one) in Self.cases.enumerated() {
      let library = try scratch.folder("library\(number)")
      let files = try Music.links(one.entries, to: file, in: library)
      Patience.tell("a \(one.name) is made")
      contenders.append(try ours(one.name, files, home: scratch.folder("layby\(number)")))
      guard let peer = try peer(one.name, files, of: library, home: scratch.folder("mpd\(number)")) else {
        hasPeer = false; continue
      }
      contenders.append(peer)
    }
    let spreads = try Rounds.run(contenders, rounds: rounds, unit: .milliseconds)
    return Self.cases.enumerated().compactMap { number, one in
      guard let value = spreads[hasPeer ? number * 2 : number] else { return nil }
      let peer: Peer = hasPeer ? spreads[number * 2 + 1].map { .measured("mpd", $0) } ?? .none : .notInstalled("mpd")
      return Row(bench: Self.name, name: one.name, value: value, unit: .milliseconds, peer: peer, goal: .below(1000))
    }
  }

  private func ours(_ name: String, _ files: [FilePath], home: FilePath) throws(Fault) -> Contender {
    let player = try Layby(layby, home: home)
    try player.start(["--output", "null", "--play"] + files.map(\.description)).child.stop()
    return Contender(name: "layby \(name)") { () throws(Fault) in
      let first = try player.launch()
      try first.waitUntilReady()
      // Saved before it is answered.
      _ = try first.ask("seek", ["\(Self.place)"])
      _ = try waitForMusic(first.child) { () throws(Fault) in try first.ask("status").flatMap { MusicSign(layby: $0) } }
      let struck = Moment.now
      try crash(first.child)
      let second = try player.launch()
      let (at, place) = try waitForMusic(second.child) { () throws(Fault) in
        try second.ask("status").flatMap { MusicSign(layby: $0) }
      }
      guard place >= Self.place else {
        throw Fault(.damaged, "B-189", "layby went on at \(place) s and not where it was")
      }
      try second.waitUntilReady()
      try second.child.stop()
      return Double((at - struck).nanoseconds) / 1_000_000
    }
  }

  /// It takes up what a clean stop left in its state file, which it writes only every two minutes besides.
  private func peer(_ name: String, _ files: [FilePath], of library: FilePath, home: FilePath) throws(Fault)
    -> Contender?
  {
    guard let player = try MPD(home: home, paced: true, library: library) else { return nil }
    let daemon = try player.start().daemon
    try daemon.readLibrary(within: .seconds(120))
    try daemon.queue(files.map(\.name))
    try daemon.ask("play")
    try daemon.ask("seekcur \(Self.place)")
    try daemon.child.stop()
    return Contender(name: "mpd \(name)") { () throws(Fault) in
      let first = try player.start().daemon
      _ = try waitForMusic(first.child) { () throws(Fault) in MusicSign(mpd: try first.ask("status")) }
      let struck = Moment.now
      try crash(first.child)
      let second = try player.start().daemon
      let (at, _) = try waitForMusic(second.child) { () throws(Fault) in MusicSign(mpd: try second.ask("status")) }
      try second.child.stop()
      return Double((at - struck).nanoseconds) / 1_000_000
    }
  }

  /// Returns when the service manager would start it again.
  private func crash(_ child: Child) throws(Fault) {
    child.signal(SIGSEGV)
    let ending = try child.wait(within: .seconds(10))
    guard ending.code == 128 + SIGSEGV else {
      throw Fault(.damaged, "B-190", "a player that was to crash ended with \(ending.code)")
    }
    try Patience.wait(until: .now + Self.pause)
  }

  /// When music was heard, and the place from which it went on.
  private func waitForMusic(_ child: Child, _ ask: () throws(Fault) -> MusicSign?) throws(Fault) -> (Moment, Double) {
    var watch = MusicWatch()
    let deadline = Moment.now + .seconds(60)
    while Moment.now < deadline, !child.hasEnded {
      if watch.isHeard(try ask()), let first = watch.first { return (.now, first.seconds) }
      try Patience.wait(until: .now + Self.looksEvery)
    }
    throw Fault(.passing, "B-191", "no music was heard within 60 s")
  }
}
