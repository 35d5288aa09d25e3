import Glibc
import Runtime

/// How long the music is away when power comes back: from the start of the program until it says that it is ready,
/// playing what it played before, and until a sound device is handed the first sample of that.
struct StartBench {
  static let name = "start"
  static let about = "program start to ready, with queues of 3 and of 10,000, after a cut; and to the first sample"

  let layby: String
  let scratch: Scratch
  let rounds: Int

  private static let cases = [
    QueueCase("queue of 3", 3), QueueCase("queue of 10,000", 10_000),
    QueueCase("queue of 10,000, after a power cut", 10_000, isCut: true),
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
    return ready(spreads, hasPeer) + (try measureFirstSample(file))
  }

  private func ready(_ spreads: [Spread?], _ hasPeer: Bool) -> [Row] {
    Self.cases.enumerated().compactMap { number, one in
      guard let value = spreads[hasPeer ? number * 2 : number] else { return nil }
      let peer: Peer = hasPeer ? spreads[number * 2 + 1].map { .measured("mpd", $0) } ?? .none : .notInstalled("mpd")
      return Row(bench: Self.name, name: one.name, value: value, unit: .milliseconds, peer: peer, goal: .below(50))
    }
  }

  // MARK: The first sample

  /// The unit's own program is what is started, so this is what the unit takes, but for systemd's fork.
  private func measureFirstSample(_ file: FilePath) throws(Fault) -> [Row] {
    let name = "queue of 3, to the first sample"
    let folder = try programFolder()
    if let reason = SoundDevice.lacking(beside: folder) {
      return [Row(bench: Self.name, name: "\(name): not run, \(reason)", value: nil, unit: .milliseconds)]
    }
    let library = try scratch.folder("heard-library")
    let files = try Music.links(3, to: file, in: library)
    let ours = try heard(files, home: scratch.folder("heard-layby"), libraryIn: folder)
    let peer = try heardPeer(files, of: library, home: scratch.folder("heard-mpd"), libraryIn: folder)
    let spreads = try Rounds.run([ours] + [peer].compactMap { $0 }, rounds: rounds, unit: .milliseconds)
    guard let value = spreads[0] else { return [] }
    let theirs: Peer = peer == nil ? .notInstalled("mpd") : spreads[1].map { .measured("mpd", $0) } ?? .none
    return [
      Row(bench: Self.name, name: name, value: value, unit: .milliseconds, peer: theirs, goal: .below(1_000)),
      Row(
        bench: Self.name, name: "\(name), the worst", value: Spread(value.high), unit: .milliseconds,
        goal: .below(1_000)),
    ]
  }

  private static let patience: Duration = .seconds(20)

  private func heard(_ files: [FilePath], home: FilePath, libraryIn folder: FilePath) throws(Fault) -> Contender {
    let device = try SoundDevice(in: home, libraryIn: folder)
    let player = try Layby(layby, home: home, environment: device.environment)
    let output = ["--output", "alsa:\(SoundDevice.name)"]
    try player.start(output + ["--play"] + files.map(\.description)).child.stop()
    return Contender(name: "layby to the first sample") { () throws(Fault) in
      device.forget()
      let run = try player.launch(output)
      let came = try device.firstSound(in: .any, after: run.child.began, within: Self.patience)
      try run.waitUntilReady()
      try run.child.stop()
      return Double((came - run.child.began).nanoseconds) / 1_000_000
    }
  }

  private func heardPeer(
    _ files: [FilePath], of library: FilePath, home: FilePath, libraryIn folder: FilePath
  ) throws(Fault) -> Contender? {
    let device = try SoundDevice(in: home, libraryIn: folder)
    guard let player = try MPD(home: home, device: device, library: library) else { return nil }
    let first = try player.start().daemon
    try first.readLibrary(within: .seconds(120))
    try first.queue(files.map(\.name))
    try first.ask("play")
    try first.child.stop()
    return Contender(name: "mpd to the first sample") { () throws(Fault) in
      device.forget()
      let daemon = try player.start().daemon
      let came = try device.firstSound(in: .any, after: daemon.child.began, within: Self.patience)
      try daemon.child.stop()
      return Double((came - daemon.child.began).nanoseconds) / 1_000_000
    }
  }

  // MARK: Ready

  private func ours(_ one: QueueCase, _ files: [FilePath], home: FilePath) throws(Fault) -> Contender {
    let player = try Layby(layby, home: home)
    Patience.tell("layby plays a \(one.name)")
    try one.end(player.start(["--output", "null", "--play"] + files.map(\.description)).child, of: player)
    return Contender(name: "layby \(one.name)") { () throws(Fault) in
      let (child, took) = try player.start()
      try one.end(child, of: player)
      return Double(took.nanoseconds) / 1_000_000
    }
  }

  private func peer(
    _ one: QueueCase, _ files: [FilePath], of library: FilePath, home: FilePath
  ) throws(Fault) -> Contender? {
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
      if one.isCut { try daemon.child.cut() } else { try daemon.child.stop() }
      return Double(took.nanoseconds) / 1_000_000
    }
  }
}
