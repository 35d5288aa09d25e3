import Runtime

/// What music costs the battery: processor seconds for three minutes of it, as fast as they go, to nowhere.
struct DecodeBench {
  static let name = "decode"
  static let about = "processor seconds for \(Music.seconds) s of FLAC and of MP3 to nowhere, unpaced"

  let layby: String
  let scratch: Scratch
  let rounds: Int

  func run() throws(Fault) -> [Row] {
    let music = try Music(in: scratch.folder("music"))
    var rows: [Row] = []
    for file in [music.flac, music.mp3].compactMap({ $0 }) { rows += try table(of: file) }
    guard !rows.isEmpty else {
      throw Fault(.missing, "B-182", "neither flac nor lame is installed, so there is nothing to decode")
    }
    return rows
  }

  private func table(of file: FilePath) throws(Fault) -> [Row] {
    let kind = file.ending
    let player = try Layby(layby, home: scratch.folder("layby-\(kind)"))
    var contenders = [
      Contender(name: "layby \(kind)") { () throws(Fault) in try player.processorSeconds(playing: file) }
    ]
    let mpd = try peer(file, home: scratch.folder("mpd-\(kind)"))
    if let mpd { contenders.append(mpd) }
    let floor = self.floor(of: file)
    if let contender = floor.contender { contenders.append(contender) }

    var spreads = try Rounds.run(contenders, rounds: rounds, unit: .seconds)[...]
    guard let value = spreads.popFirst() ?? nil else { return [] }
    func taken(_ name: String, _ isThere: Bool) -> Peer {
      guard isThere, let spread = spreads.popFirst() ?? nil else { return .notInstalled(name) }
      return .measured(name, spread)
    }
    let label = "\(Music.seconds) s of \(kind.uppercased())"
    return [
      Row(
        bench: Self.name, name: label, value: value, unit: .seconds, peer: taken("mpd", mpd != nil),
        goal: .notMoreThanPeer),
      Row(
        bench: Self.name, name: "\(label), the floor", value: value, unit: .seconds,
        peer: taken(floor.name, floor.contender != nil)),
    ]
  }

  /// The daemon goes on running; what counts is its clock between the wish to play and the end of the music.
  private func peer(_ file: FilePath, home: FilePath) throws(Fault) -> Contender? {
    guard let player = try MPD(home: home, paced: false) else { return nil }
    let daemon = try player.start().daemon
    let reading = ProcessReading(pid: daemon.child.pid)
    return Contender(name: "mpd \(file.ending)") { () throws(Fault) in
      let before = try reading.processorSeconds()
      try daemon.queue([file])
      try daemon.ask("play")
      try daemon.waitForTheEnd(within: .seconds(120))
      return try reading.processorSeconds() - before
    }
  }

  /// The decoder's own program, which does nothing else.
  private func floor(of file: FilePath) -> (name: String, contender: Contender?) {
    let isFLAC = file.ending == "flac"
    let name = isFLAC ? "flac" : "mpg123"
    guard let program = Child.find(name) else { return (name, nil) }
    let arguments =
      isFLAC
      ? ["--silent", "--decode", "--force", "--no-preserve-modtime", "-o", "/dev/null"] : ["-q", "-w", "/dev/null"]
    let output = scratch.path / "floor"
    let contender = Contender(name: name) { () throws(Fault) in
      try Child.processorSeconds(of: [program] + arguments + ["\(file)"], within: .seconds(120), output: output)
    }
    return (name, contender)
  }
}
