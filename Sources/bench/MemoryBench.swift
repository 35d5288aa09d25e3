import Glibc
import Runtime

/// What a large library costs in memory: while it comes in, and afterwards while music plays. One player at a time:
/// two of a kind would share their memory.
struct MemoryBench {
  static let name = "memory"
  static let about = "memory while importing 100,000 files, or --tracks N, and while playing with them"

  let layby: String
  let scratch: Scratch
  let tracks: Int?

  private static let looksEvery: Duration = .milliseconds(50)
  /// Buffers are full after that.
  private static let settling: Duration = .seconds(10)
  /// Their median counts.
  private static let starts = 9

  func run() throws(Fault) -> [Row] {
    let tree = try MadeUpTree(tracks ?? 100_000, in: scratch.path / "music")
    let song = try Music(in: scratch.folder("song"))
    guard let file = song.flac ?? song.mp3 else {
      throw Fault(.missing, "B-183", "neither flac nor lame is installed, so there is nothing to play")
    }
    let player = try Layby(layby, home: scratch.folder("layby"))
    let growth = try observeImport(tree, player)
    // Afresh, as it is on most days.
    var starts: [Double] = []
    var ours: ProcessReading.Memory?
    for number in 1...Self.starts {
      let run = try player.launch(["--output", "null", "--play", "\(file)"])
      starts.append(Double(try run.waitUntilReady().nanoseconds) / 1_000_000)
      try run.waitForLibrary()
      if number == Self.starts { ours = try settled(run.child, "layby") }
      try run.child.stop()
    }
    guard let ours, let start = Spread(starts) else { return growth }
    let theirs = try observePeer(tree, file, home: scratch.folder("mpd"))
    return growth + table(ours, theirs, start, files: tree.files)
  }

  /// The highest of the first quarter, in which all that is bounded fills, and of the last.
  private func observeImport(_ tree: MadeUpTree, _ player: Layby) throws(Fault) -> [Row] {
    let run = try player.launch()
    try run.waitUntilReady()
    try run.waitForLibrary()
    let reading = ProcessReading(pid: run.child.pid)
    var (first, last, next) = (0, 0, Moment.now)
    try run.importTree(tree, reading: tree.files) { (met) throws(Fault) in
      guard Moment.now >= next else { return }
      next = .now + Self.looksEvery
      let now = try reading.memory().proportional
      if met <= tree.files / 4 { first = max(first, now) }
      if met >= tree.files * 3 / 4 { last = max(last, now) }
    }
    try run.child.stop()
    guard first > 0, last > 0 else {
      throw Fault(.passing, "B-256", "\(tree.files) files are in too soon to be looked at; take more with --tracks")
    }
    let what = "importing \(tree.files) files"
    return [
      Row(
        bench: Self.name, name: "\(what), first quarter (PSS)", value: Spread(Double(first) / 1_000_000),
        unit: .megabytes),
      Row(
        bench: Self.name, name: "\(what), last quarter (PSS)", value: Spread(Double(last) / 1_000_000),
        unit: .megabytes, goal: .below(Double(first) * 1.2 / 1_000_000)),
    ]
  }

  private func observePeer(
    _ tree: MadeUpTree, _ file: FilePath, home: FilePath
  ) throws(Fault) -> ProcessReading.Memory? {
    guard let peer = try PeerLibrary(home: home) else { return nil }
    try peer.take(tree)
    try peer.daemon.child.stop()
    let daemon = try peer.startAgain()
    try daemon.queue([file])
    try daemon.ask("play")
    let seen = try settled(daemon.child, "mpd")
    guard try daemon.ask("status").contains("state: play") else {
      throw Fault(.passing, "B-184", "mpd no longer played at the end")
    }
    try daemon.child.stop()
    return seen
  }

  private func settled(_ child: Child, _ name: String) throws(Fault) -> ProcessReading.Memory {
    Patience.tell("\(name) plays")
    try Patience.wait(until: .now + Self.settling)
    let memory = try ProcessReading(pid: child.pid).memory()
    guard !child.hasEnded else { throw Fault(.passing, "B-185", "\(name) ended while it was looked at") }
    return memory
  }

  private func table(
    _ ours: ProcessReading.Memory, _ theirs: ProcessReading.Memory?, _ start: Spread, files: Int
  ) -> [Row] {
    func row(_ words: String, _ bytes: (ProcessReading.Memory) -> Int, _ goal: Goal) -> Row {
      let peer: Peer = theirs.map { .measured("mpd", Spread(Double(bytes($0)) / 1_000_000)) } ?? .notInstalled("mpd")
      return Row(
        bench: Self.name, name: "playing with \(files) files, \(words)", value: Spread(Double(bytes(ours)) / 1_000_000),
        unit: .megabytes, peer: peer, goal: goal)
    }
    return [
      row("memory (PSS)", \.proportional, .belowAndBelowPeer(24)), row("of it in no file", \.anonymous, .none),
      Row(
        bench: Self.name, name: "start with \(files) files", value: start,
        unit: .milliseconds, goal: .below(50)),
    ]
  }
}
