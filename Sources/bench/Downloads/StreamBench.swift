import Runtime

/// How long a finger waits for music that is not here: from the wish to the first frames of it decoded, over a line of
/// 20 Mbit/s whose other end is 20 ms away (there and back). What is to be heard was chosen from an index that is
/// known, and no connection is open: it costs a round trip, and begins slowly.
struct StreamBench {
  static let name = "stream"
  static let about = "playing what is fetched meanwhile: to the first frames, over 20 Mbit/s and 20 ms"

  let scratch: Scratch
  let rounds: Int

  private static let line = LineShape(bytesASecond: 2_500_000, roundTrip: .milliseconds(20))

  func run() throws(Fault) -> [Row] {
    guard let program = Nginx.program else {
      return [Row(bench: Self.name, name: "not run, nginx is not installed", value: nil, unit: .milliseconds)]
    }
    let music = try Music(in: scratch.folder("music"))
    var rows: [Row] = []
    for file in [music.flac, music.mp3].compactMap({ $0 }) { rows += try measure(file, program) }
    guard !rows.isEmpty else {
      throw Fault(.missing, "B-183", "neither flac nor lame is installed, so there is nothing to play")
    }
    return rows
  }

  private func measure(_ file: FilePath, _ program: String) throws(Fault) -> [Row] {
    let root = try scratch.folder("root-\(file.ending)")
    // One more: the first is not counted.
    let files = try ServedFiles(rounds + 1, of: file, named: "music", below: root)
    let server = try Nginx(program, serving: root, home: scratch.folder("nginx-\(file.ending)"), keeps: false)
    let line = try SlowLine(Self.line, to: server.port)
    let seen = try EngineRun(scratch: scratch).run(.stream, files, at: line.port).seen
    let values = (seen["milliseconds"]?.items ?? []).compactMap(\.double)
    Patience.tell("\(file.ending), ms: \(values.map { decimal($0, places: 1) }.joined(separator: ", "))")
    guard values.count == files.count, let spread = Spread(Array(values.dropFirst())) else {
      throw Fault(.malformed, "B-266", "the engine says \(seen)")
    }
    let name = "\(file.ending.uppercased()), to the first frames"
    return [
      Row(bench: Self.name, name: name, value: spread, unit: .milliseconds, goal: .below(150)),
      Row(
        bench: Self.name, name: "\(name), the worst", value: Spread(spread.high), unit: .milliseconds,
        goal: .below(150)),
    ]
  }
}
