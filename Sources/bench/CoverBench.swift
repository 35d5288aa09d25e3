import Canvas
import Glibc
import Panel
import Pictures
import Runtime

/// What a cover costs in the process that decodes it, beside the same in this one: when it has to be started first, when
/// it is there, and what it takes of processor and memory.
struct CoverBench {
  static let name = "covers"
  static let about = "a cover of 1,400 x 1,400 made 240 x 240 in a process of its own, beside this one"

  let layby: String
  let scratch: Scratch
  let rounds: Int

  private static let frame = PictureFrame.square(240)

  func run() throws(Fault) -> [Row] {
    let bytes = try Self.jpeg(in: scratch.folder("covers"))
    let words = [layby, PictureServer.verb]
    let kept = PictureProcess(words)
    _ = try kept.decode(bytes, named: "cover", as: Self.frame)
    let contenders = [
      Contender(name: "started for it") { () throws(Fault) in
        try Self.milliseconds { () throws(Fault) in
          _ = try PictureProcess(words).decode(bytes, named: "cover", as: Self.frame)
        }
      },
      Contender(name: "one that is there") { () throws(Fault) in
        try Self.milliseconds { () throws(Fault) in _ = try kept.decode(bytes, named: "cover", as: Self.frame) }
      },
      Contender(name: "here") { () throws(Fault) in
        try Self.milliseconds { () throws(Fault) in
          _ = try Picture.decode(bytes, named: "cover", as: Self.frame)
        }
      },
    ]
    let spreads = try Rounds.run(contenders, rounds: rounds, unit: .milliseconds)
    guard let pid = kept.pid, let here = spreads[2] else { return [] }
    var rows = zip(contenders, spreads).dropLast().compactMap { one, spread in
      spread.map {
        Row(bench: Self.name, name: one.name, value: $0, unit: .milliseconds, peer: .measured("here", here))
      }
    }
    rows += try palette(of: bytes)
    let reading = ProcessReading(pid: pid)
    let before = try reading.processorSeconds()
    for _ in 0..<rounds { _ = try kept.decode(bytes, named: "cover", as: Self.frame) }
    let processor = (try reading.processorSeconds() - before) * 1_000 / Double(rounds)
    let memory = try reading.memory()
    rows += [
      Row(bench: Self.name, name: "its processor time for one", value: Spread(processor), unit: .milliseconds),
      Row(
        bench: Self.name, name: "its memory (PSS)", value: Spread(Double(memory.proportional) / 1e6), unit: .megabytes),
      Row(
        bench: Self.name, name: "of it no file's", value: Spread(Double(memory.anonymous) / 1e6), unit: .megabytes),
    ]
    return rows
  }

  /// From a cover to the colours of its screen, as it is done once for each cover.
  private func palette(of bytes: [UInt8]) throws(Fault) -> [Row] {
    let cover = try Picture.decode(bytes, named: "cover", as: Self.frame)
    let one = Contender(name: "its colours") { () throws(Fault) in
      try Self.milliseconds { () throws(Fault) in
        guard CoverPalette(cover) != nil else { throw Fault(.missing, "B-296", "the cover has no colours") }
      }
    }
    return try Rounds.run([one], rounds: rounds, unit: .milliseconds).compactMap { spread in
      spread.map { Row(bench: Self.name, name: one.name, value: $0, unit: .milliseconds, goal: .below(10)) }
    }
  }

  private static func milliseconds(_ body: () throws(Fault) -> Void) throws(Fault) -> Double {
    let began = Moment.now
    try body()
    return Double((Moment.now - began).nanoseconds) / 1e6
  }

  private static func jpeg(in folder: FilePath) throws(Fault) -> [UInt8] {
    let path = folder / "cover.jpg"
    let words = [
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=1400x1400", "-frames:v", "1",
      "\(path)",
    ]
    guard try ChildProcess(words, in: SpawnOptions()).reap().code == 0 else {
      throw Fault(.missing, "B-290", "ffmpeg is needed to make a cover, and made none")
    }
    return try AtomicFile.read(path, limit: 1 << 24)
  }
}
