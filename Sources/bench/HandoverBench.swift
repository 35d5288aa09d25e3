import Runtime

/// How long it is silent between two tracks of which one is a file here and the other comes over a line of 20 Mbit/s
/// whose other end is 20 ms away: from the last sound of the first to the first sound of the second, as a sound device
/// is handed them. The tracks' channels tell them apart.
struct HandoverBench {
  static let name = "handover"
  static let about = "from a file to a stream and back: the silence between them at the device"

  let layby: String
  let scratch: Scratch
  let rounds: Int

  private static let line = LineShape(bytesASecond: 2_500_000, roundTrip: .milliseconds(20))
  private static let source = "bench"
  private static let patience: Duration = .seconds(60)

  func run() throws(Fault) -> [Row] {
    let folder = try programFolder()
    if let reason = SoundDevice.lacking(beside: folder) { return [lacking(reason)] }
    guard let program = Nginx.program else { return [lacking("nginx is not installed")] }
    guard Child.find("flac") != nil else { return [lacking("flac is not installed")] }
    let root = try scratch.folder("root")
    let files = try scratch.folder("files")
    let (here, there) = (files / "here.flac", root / "there.flac")
    try SidedMusic.makeShort(here, .flac, isLeft: true, in: files)
    try SidedMusic.makeShort(there, .flac, isLeft: false, in: files)
    let words = [layby, "index", "\(root)"]
    _ = try Child.processorSeconds(of: words, within: .seconds(60), output: files / "output")
    let server = try Nginx(program, serving: root, home: scratch.folder("nginx"))
    let line = try SlowLine(Self.line, to: server.port)
    var silences: (toStream: [Double], toFile: [Double]) = ([], [])
    for round in 1...rounds {
      let home = try scratch.emptyFolder("layby")
      let device = try SoundDevice(in: home, libraryIn: folder)
      let source = "[source \(Self.source)]\nurl = http://127.0.0.1:\(line.port)/\n"
      let settings = "[offline]\nneeds_internet = no\nsettling = 0s\n\(source)"
      let player = try Layby(layby, home: home, environment: device.environment, settings: settings)
      let (toStream, toFile) = try play(here, "\(there.name)", by: player, device)
      Patience.tell("round \(round) of \(rounds), ms: \(toStream) to the stream, \(toFile) to the file")
      silences.toStream.append(toStream)
      silences.toFile.append(toFile)
    }
    return row("a file to a stream", silences.toStream) + row("a stream to a file", silences.toFile)
  }

  private func lacking(_ reason: String) -> Row {
    Row(bench: Self.name, name: "not run, \(reason)", value: nil, unit: .milliseconds)
  }

  private func row(_ name: String, _ values: [Double]) -> [Row] {
    guard let value = Spread(values) else { return [] }
    return [
      Row(bench: Self.name, name: name, value: value, unit: .milliseconds, goal: .below(500)),
      Row(
        bench: Self.name, name: "\(name), the worst", value: Spread(value.high), unit: .milliseconds,
        goal: .below(500)),
    ]
  }

  /// File, stream, file: nothing of the stream is here when it begins.
  private func play(
    _ file: FilePath, _ stream: String, by player: Layby, _ device: SoundDevice
  ) throws(Fault) -> (toStream: Double, toFile: Double) {
    let run = try player.launch(["--output", "alsa:\(SoundDevice.name)"])
    try run.waitUntilReady()
    try run.waitForLibrary()
    _ = try run.ask("queue", ["add", "\(file)", "source:\(Self.source)/\(stream)", "\(file)"])
    let began = Moment.now
    _ = try run.ask("play")
    let right = try device.firstSound(in: .right, after: began, within: Self.patience)
    // What the device is handed at once may hold the end of the one and the start of the other.
    let left = try device.firstSound(in: .left, after: right + .seconds(1), within: Self.patience)
    let silences = (device.silence(before: right), device.silence(before: left))
    try run.child.stop()
    return silences
  }
}
