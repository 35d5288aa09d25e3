import Runtime

/// What a minute of playing costs, with nobody looking: memory, switches between threads, processor time, and whether
/// the language's own threads stay asleep. One player at a time: two of a kind would share their memory, and each
/// would look smaller than it is.
struct PlayBench {
  static let name = "play"
  static let about = "memory, context switches and processor time while playing, paced as a sound card does it"

  let layby: String
  let scratch: Scratch
  let length: Duration

  /// The threads of the house plan; the main loop, being the first, goes by the program's name.
  private static let ownThreads: Set = ["layby", "main", "store", "library", "decode", "output"]
  /// Buffers are full and the start is over after that.
  private static let settling: Duration = .seconds(5)

  private struct Observation {
    var memory: Double
    var anonymous: Double
    var switches: Double
    var processor: Double
    var threads: Double
    var foreign: Double
  }

  func run() throws(Fault) -> [Row] {
    let music = try Music(in: scratch.folder("music"))
    var rows: [Row] = []
    for file in [music.flac, music.mp3].compactMap({ $0 }) {
      let kind = file.ending
      let ours = try observeLayby(file, home: scratch.folder("layby-\(kind)"))
      let theirs = try observeMPD(file, home: scratch.folder("mpd-\(kind)"))
      let least = try observePipe(file, home: scratch.folder("pipe-\(kind)"))
      rows +=
        table(kind.uppercased(), ours, theirs) + table(kind.uppercased(), ours, least, of: Self.decoder(of: kind)[0])
    }
    guard !rows.isEmpty else {
      throw Fault(.missing, "B-183", "neither flac nor lame is installed, so there is nothing to play")
    }
    return rows
  }

  /// Beside a decoder's own program that writes into a pipe: it has neither queue nor panel nor anything to save.
  private func table(_ kind: String, _ ours: Observation, _ least: Observation?, of name: String) -> [Row] {
    func row(_ what: String, _ figure: (Observation) -> Double, _ unit: Unit, _ goal: Goal) -> Row {
      let peer: Peer = least.map { .measured(name, Spread(figure($0))) } ?? .notInstalled(name)
      return Row(
        bench: Self.name, name: "\(kind), \(what), beside a pipe", value: Spread(figure(ours)), unit: unit, peer: peer,
        goal: goal)
    }
    return [
      row("memory (PSS)", { $0.memory }, .megabytes, .none),
      row("context switches", { $0.switches }, .perSecond, .notMoreThanPeer),
      row("processor", { $0.processor }, .secondsPerMinute, .notMoreThanPeer),
    ]
  }

  private func table(_ kind: String, _ ours: Observation, _ theirs: Observation?) -> [Row] {
    func row(_ name: String, _ figure: (Observation) -> Double, _ unit: Unit, _ goal: Goal) -> Row {
      let peer: Peer = theirs.map { .measured("mpd", Spread(figure($0))) } ?? .notInstalled("mpd")
      return Row(
        bench: Self.name, name: "\(kind), \(name)", value: Spread(figure(ours)), unit: unit, peer: peer, goal: goal)
    }
    return [
      row("memory (PSS)", { $0.memory }, .megabytes, .belowAndBelowPeer(16)),
      row("of it in no file", { $0.anonymous }, .megabytes, .none),
      row("context switches", { $0.switches }, .perSecond, .belowAndBelowPeer(2)),
      row("threads", { $0.threads }, .count, .none),
      row("processor", { $0.processor }, .secondsPerMinute, .notMoreThanPeer),
      Row(
        bench: Self.name, name: "\(kind), share of a battery an hour, reckoned",
        value: Spread(SmallBoard.batteryShare(secondsPerMinute: ours.processor)), unit: .percent,
        peer: theirs.map {
          .measured("mpd", Spread(SmallBoard.batteryShare(secondsPerMinute: $0.processor)))
        } ?? .notInstalled("mpd"), goal: .below(3)),
      Row(
        bench: Self.name, name: "\(kind), wake-ups of foreign threads", value: Spread(ours.foreign), unit: .times,
        goal: .nothing),
    ]
  }

  private func observeLayby(_ file: FilePath, home: FilePath) throws(Fault) -> Observation {
    let (child, _) = try Layby(layby, home: home).start(["--output", "null", "--play", "\(file)"])
    let seen = try observe(child, "layby \(file.ending)")
    try child.stop()
    return seen
  }

  private func observeMPD(_ file: FilePath, home: FilePath) throws(Fault) -> Observation? {
    guard let daemon = try MPD(home: home, paced: true)?.start().daemon else { return nil }
    try daemon.queue([file])
    try daemon.ask("play")
    let seen = try observe(daemon.child, "mpd \(file.ending)")
    guard try daemon.ask("status").contains("state: play") else {
      throw Fault(.passing, "B-184", "mpd no longer played at the end")
    }
    try daemon.child.stop()
    return seen
  }

  private static func decoder(of kind: String) -> [String] {
    kind == "flac" ? ["flac", "--silent", "--decode", "--stdout"] : ["mpg123", "-q", "-s"]
  }

  private func observePipe(_ file: FilePath, home: FilePath) throws(Fault) -> Observation? {
    let words = Self.decoder(of: file.ending)
    guard Child.find(words[0]) != nil else { return nil }
    let pipe = try PacedPipe(words + ["\(file)"], bytesPerSecond: 44_100 * 4, home: home)
    let seen = try observe(pipe.child, "\(words[0]) into a pipe")
    try pipe.child.cut()
    return seen
  }

  private func observe(_ child: Child, _ name: String) throws(Fault) -> Observation {
    let reading = ProcessReading(pid: child.pid)
    try Patience.wait(until: .now + Self.settling)
    Patience.tell("\(name): \(length.milliseconds / 1000) s of playing")
    let began = Moment.now
    let processor = try reading.processorSeconds()
    var count = SwitchCount(first: try reading.threads())
    var memory = try reading.memory()
    while Moment.now < began + length {
      try Patience.wait(until: min(.now + .seconds(1), began + length))
      count.add(try reading.threads())
    }
    let spent = try reading.processorSeconds() - processor
    let seconds = Double((Moment.now - began).nanoseconds) / 1_000_000_000
    let memoryAfter = try reading.memory()
    if memoryAfter.proportional > memory.proportional { memory = memoryAfter }
    guard !child.hasEnded else { throw Fault(.passing, "B-185", "\(name) ended while it was looked at") }
    Patience.tell("\(name): \(memory.proportional / 1000) kB, switches by thread: \(count.words)")
    return Observation(
      memory: Double(memory.proportional) / 1_000_000, anonymous: Double(memory.anonymous) / 1_000_000,
      switches: Double(count.all) / seconds, processor: spent * 60 / seconds,
      threads: Double(count.threads), foreign: Double(count.foreign(to: Self.ownThreads)))
  }
}
