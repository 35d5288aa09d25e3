import Glibc
import Runtime

/// How long a library takes to come in, and to be looked through again when nothing has changed: beside MPD, with the
/// same files, which are in memory for both. Layby also hashes the sound, folds the words and writes the index that a
/// search needs, and writes safely; both do it at idle priority.
struct ImportBench {
  static let first = "import"
  static let firstAbout = "the first import of 20,000 files, or of --tracks N"
  static let again = "rescan"
  static let againAbout = "looking through 50,000 unchanged files, or --tracks N"

  let name: String
  let layby: String
  let scratch: Scratch
  let tracks: Int?
  let rounds: Int

  private struct Cost {
    var seconds: [Double] = []
    var processor: [Double] = []

    mutating func add(_ process: ProcessReading, _ work: () throws(Fault) -> Void) throws(Fault) {
      let (began, spent) = (Moment.now, try process.processorSeconds())
      try work()
      seconds.append(Double((Moment.now - began).nanoseconds) / 1_000_000_000)
      processor.append(try process.processorSeconds() - spent)
    }

    var words: String { "\(decimal(seconds.last ?? 0, places: 2)) s (\(decimal(processor.last ?? 0, places: 2)))" }
  }

  func run() throws(Fault) -> [Row] {
    let files = tracks ?? (name == Self.first ? 20_000 : 50_000)
    let tree = try MadeUpTree(files, in: scratch.path / "music")
    var (ours, theirs) = (Cost(), Cost())
    if name == Self.first {
      // The files were just written, but nobody has looked at them yet.
      for round in 0...rounds {
        let isWarm = round > 0
        try importOnce(tree, round, &ours)
        let peer = try updateOnce(tree, round, &theirs) ? ", mpd \(theirs.words)" : ""
        Patience.tell("\(isWarm ? "round \(round) of \(rounds)" : "warming up"): layby \(ours.words)\(peer)")
        if !isWarm { (ours, theirs) = (Cost(), Cost()) }
      }
    } else {
      try rescan(tree, &ours, &theirs)
    }
    return rows(ours, theirs, tree)
  }

  private func importOnce(_ tree: MadeUpTree, _ round: Int, _ cost: inout Cost) throws(Fault) {
    let run = try Layby(layby, home: scratch.folder("layby-\(round)")).launch()
    try run.waitUntilReady()
    try run.waitForLibrary()
    try cost.add(ProcessReading(pid: run.child.pid)) { () throws(Fault) in
      try run.importTree(tree, reading: tree.files)
    }
    try run.child.stop()
  }

  /// False when MPD is not there.
  private func updateOnce(_ tree: MadeUpTree, _ round: Int, _ cost: inout Cost) throws(Fault) -> Bool {
    guard let peer = try PeerLibrary(home: scratch.folder("mpd-\(round)")) else { return false }
    try cost.add(ProcessReading(pid: peer.daemon.child.pid)) { () throws(Fault) in try peer.take(tree) }
    try peer.end(tree)
    return true
  }

  private func rescan(_ tree: MadeUpTree, _ ours: inout Cost, _ theirs: inout Cost) throws(Fault) {
    let run = try Layby(layby, home: scratch.folder("layby")).launch()
    try run.waitUntilReady()
    try run.waitForLibrary()
    try run.importTree(tree, reading: tree.files)
    let peer = try PeerLibrary(home: scratch.folder("mpd"))
    try peer?.take(tree)
    // Each has the files where the other looks for them in turns.
    try peer?.give(tree)
    for round in 0...rounds {
      try ours.add(ProcessReading(pid: run.child.pid)) { () throws(Fault) in try run.importTree(tree, reading: 0) }
      if let peer {
        try peer.hold(tree)
        try theirs.add(ProcessReading(pid: peer.daemon.child.pid)) { () throws(Fault) in
          try peer.daemon.readLibrary(within: .seconds(600))
        }
        try peer.give(tree)
      }
      Patience.tell("round \(round): layby \(ours.words)\(peer == nil ? "" : ", mpd \(theirs.words)")")
      if round == 0 { (ours, theirs) = (Cost(), Cost()) }
    }
    try run.child.stop()
    try peer?.daemon.child.stop()
  }

  private func rows(_ ours: Cost, _ theirs: Cost, _ tree: MadeUpTree) -> [Row] {
    let what = "\(tree.files) \(name == Self.first ? "files" : "unchanged files")"
    func row(_ words: String, _ values: (Cost) -> [Double], _ goal: Goal) -> Row {
      let peer = Spread(values(theirs)).map { Peer.measured("mpd", $0) } ?? .notInstalled("mpd")
      return Row(
        bench: name, name: "\(what)\(words)", value: Spread(values(ours)), unit: .seconds, peer: peer, goal: goal)
    }
    return [row("", \.seconds, .notMoreThanPeer), row(", processor", \.processor, .none)]
  }
}

/// MPD with an empty library. It reads by itself what is there at its first start: the files come afterwards.
struct PeerLibrary {
  let daemon: MPD.Daemon
  private let player: MPD
  private let root: FilePath
  private var inner: FilePath { root / "all" }

  /// Nil when it is not installed.
  init?(home: FilePath) throws(Fault) {
    root = home / "music"
    try Folder.make(root)
    guard let peer = try MPD(home: home, library: root) else { return nil }
    player = peer
    daemon = try peer.start().daemon
    try daemon.readLibrary(within: .seconds(60))
  }

  func hold(_ tree: MadeUpTree) throws(Fault) { try tree.move(to: inner) }
  func give(_ tree: MadeUpTree) throws(Fault) { try tree.bringBack(from: inner) }

  /// The files, new to it, all of which it has to know afterwards.
  func take(_ tree: MadeUpTree) throws(Fault) {
    try hold(tree)
    try daemon.readLibrary(within: .seconds(1_200))
    guard try daemon.ask("stats").contains("songs: \(tree.files)") else {
      throw Fault(.malformed, "B-255", "mpd did not take all \(tree.files) files: \(try daemon.ask("stats"))")
    }
  }

  /// With what it has learnt.
  func startAgain() throws(Fault) -> MPD.Daemon { try player.start().daemon }

  func end(_ tree: MadeUpTree) throws(Fault) {
    try daemon.child.stop()
    try give(tree)
  }
}
