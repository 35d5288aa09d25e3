import Runtime

/// What fetching costs, beside programs that do nothing else: over a line of 100 Mbit/s, where only the line should be
/// felt, and as fast as it goes, where only the processor is. Ours is summed up and durable at the end, and is known to
/// be; theirs is not. Ours is counted from the order to an engine that stands, theirs from their start.
struct DownloadBench {
  static let name = "download"
  static let about = "one file and 100 at 100 Mbit/s; 200 MB as fast as it goes: speed, processor time, memory"

  let scratch: Scratch
  /// Nil: five over the line, and 15 as fast as it goes.
  let rounds: Int?

  private static let line = LineShape(bytesASecond: 12_500_000)
  private static let paced = 50_000_000
  private static let unpaced = 200_000_000

  func run() throws(Fault) -> [Row] {
    guard let program = Nginx.program else {
      return [Row(bench: Self.name, name: "not run, nginx is not installed", value: nil, unit: .seconds)]
    }
    let root = try scratch.folder("root")
    let one = try ServedFiles(1, of: Self.paced, named: "one", below: root)
    let many = try ServedFiles(100, of: Self.paced / 100, named: "many", below: root)
    let large = try ServedFiles(1, of: Self.unpaced, named: "large", below: root)
    let server = try Nginx(program, serving: root, home: scratch.folder("nginx"))
    let line = try SlowLine(Self.line, to: server.port)
    var rows: [Row] = []
    rows += try overTheLine("one file", one, at: line.port)
    rows += try overTheLine("100 files", many, at: line.port)
    return rows + (try asFastAsItGoes(large, at: server.port))
  }

  // MARK: Over a line

  private func overTheLine(_ words: String, _ files: ServedFiles, at port: Int) throws(Fault) -> [Row] {
    let megabits = Double(files.bytes) * 8 / 1_000_000
    let (engine, others) = (EngineRun(scratch: scratch), PeerRun(scratch: scratch))
    let peers = [DownloadPeer.curl, .aria2]
    var contenders = [
      Contender(name: "layby") { () throws(Fault) in
        megabits / (try engine.run(.fetch, files, at: port).figure("seconds"))
      }
    ]
    for peer in peers where peer.isInstalled {
      contenders.append(
        Contender(name: peer.name) { () throws(Fault) in megabits / (try others.run(peer, files, at: port).seconds) })
    }
    let spreads = try Rounds.run(contenders, rounds: rounds ?? 5, unit: .megabits)
    guard let ours = spreads[0] else { return [] }
    var rows: [Row] = []
    for peer in peers {
      let place = contenders.firstIndex { $0.name == peer.name }
      let theirs = place.flatMap { spreads[$0] }
      rows.append(
        Row(
          bench: Self.name, name: "\(words), 100 Mbit/s", value: ours, unit: .megabits,
          peer: theirs.map { .measured(peer.name, $0) } ?? .notInstalled(peer.name), goal: .atLeastOfPeer(0.99)))
    }
    return rows
  }

  // MARK: As fast as it goes

  /// In turns, and the ratio within each turn: what else the machine does disturbs neighbours alike.
  private func asFastAsItGoes(_ files: ServedFiles, at port: Int) throws(Fault) -> [Row] {
    let peers = [DownloadPeer.curlThenSum, .curlIntoSum].filter(\.isInstalled)
    let (engine, others) = (EngineRun(scratch: scratch), PeerRun(scratch: scratch))
    var ours = Turns()
    var theirs = peers.map { _ in Turns() }
    let rounds = rounds ?? 15
    for round in 0...rounds {
      var line: [String] = []
      let outcome = try engine.run(.fetch, files, at: port)
      ours.add(try outcome.figure("seconds"), outcome.processorSeconds, isWarm: round > 0)
      line.append("layby \(ours.words)")
      for (place, peer) in peers.enumerated() {
        let (seconds, processor) = try others.run(peer, files, at: port)
        theirs[place].add(seconds, processor, isWarm: round > 0)
        line.append("\(peer.name) \(theirs[place].words)")
      }
      Patience.tell("\(round == 0 ? "warming up" : "round \(round) of \(rounds)"): \(line.joined(separator: ", "))")
    }
    var rows: [Row] = []
    for (place, peer) in peers.enumerated() { rows += table(ours, theirs[place], peer.name) }
    if peers.isEmpty { rows += table(ours, nil, DownloadPeer.curlThenSum.name) }
    return rows + (try memory(files, at: port))
  }

  private func table(_ ours: Turns, _ theirs: Turns?, _ name: String) -> [Row] {
    func peer(_ values: (Turns) -> [Double]) -> Peer {
      theirs.flatMap { Spread(values($0)) }.map { .measured(name, $0) } ?? .notInstalled(name)
    }
    let what = "200 MB, unpaced"
    var rows = [
      Row(
        bench: Self.name, name: "\(what), processor", value: Spread(ours.processor), unit: .seconds,
        peer: peer(\.processor), goal: .notMoreThanPeers(1.5)),
      Row(
        bench: Self.name, name: "\(what), until whole", value: Spread(ours.seconds), unit: .seconds,
        peer: peer(\.seconds)),
    ]
    guard let theirs, let ratio = Spread(Turns.ratios(ours.seconds, theirs.seconds)) else { return rows }
    for (words, value) in [("least", ratio.low), ("median", ratio.median), ("most", ratio.high)] {
      rows.append(
        Row(bench: Self.name, name: "\(what), of \(name)'s time, \(words)", value: Spread(value), unit: .ratio))
    }
    return rows
  }

  private func memory(_ files: ServedFiles, at port: Int) throws(Fault) -> [Row] {
    let outcome = try EngineRun(scratch: scratch).run(.watch, files, at: port)
    let (grown, since) = (try outcome.figure("grown"), try outcome.figure("grown_since_idle"))
    Patience.tell("memory: looked at \(decimal(try outcome.figure("looks"), places: 0)) times")
    return [
      Row(
        bench: Self.name, name: "200 MB, unpaced, memory grown by (PSS)", value: Spread(grown / 1_000_000),
        unit: .megabytes, goal: .below(8)),
      Row(
        bench: Self.name, name: "200 MB, unpaced, and since before libraries were loaded",
        value: Spread(since / 1_000_000), unit: .megabytes),
    ]
  }
}

/// What one contender needed, turn by turn.
struct Turns {
  private(set) var seconds: [Double] = []
  private(set) var processor: [Double] = []
  private(set) var words = ""

  mutating func add(_ seconds: Double, _ processor: Double, isWarm: Bool) {
    words = "\(decimal(seconds, places: 3)) s (\(decimal(processor, places: 3)))"
    guard isWarm else { return }
    self.seconds.append(seconds)
    self.processor.append(processor)
  }

  static func ratios(_ ours: [Double], _ theirs: [Double]) -> [Double] {
    zip(ours, theirs).compactMap { our, their in their > 0 ? our / their : nil }
  }
}
