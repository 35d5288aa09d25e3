import Glibc
import Runtime

/// An album that was cut into seven pieces at odd places, each piece encoded for itself, played as one program: not a
/// frame more or less than the uncut original, and the same sound that others decode. Where it is not, the bench fails.
struct GaplessBench {
  static let name = "gapless"
  static let about =
    "an album in \(pieces.count) pieces in each format: frames too many or too few, samples that differ"

  /// In frames. None is a multiple of any format's block; one is shorter than a tenth of a second.
  static let pieces = [100_003, 4_001, 250_007, 61_001, 199_999, 12_347, 254_881]

  let layby: String
  let scratch: Scratch

  func run() throws(Fault) -> [Row] {
    var rows: [Row] = []
    for (number, format) in GaplessFormat.all.enumerated() {
      if let reason = lacking(format) {
        rows.append(Row(bench: Self.name, name: "\(format.name): not run, \(reason)", value: nil, unit: .frames))
      } else {
        rows += try measure(format, in: scratch.folder("\(number)"))
      }
    }
    return rows
  }

  /// What is not there for it.
  private func lacking(_ format: GaplessFormat) -> String? {
    for program in format.programs where Child.find(program) == nil { return "\(program) is not installed" }
    let beside = FilePath(layby).folder / "layby-decode"
    if format.isForeign, beside.withCString({ access($0, X_OK) }) != 0 { return "layby-decode is not beside layby" }
    return nil
  }

  private func measure(_ format: GaplessFormat, in folder: FilePath) throws(Fault) -> [Row] {
    Patience.tell("\(format.name): encoding, playing, comparing")
    var tune = Tune(rate: Double(format.rate))
    var original = Recording()
    var reference = Recording()
    var files: [FilePath] = []
    for (number, frames) in Self.pieces.enumerated() {
      let bytes = tune.next(frames: frames)
      let wave = folder / "\(number).source.wav"
      try write(WaveHead.bytes(rate: format.rate, bytesOfSound: bytes.count) + bytes, to: wave)
      let file = folder / "\(number).\(format.ending)"
      try run(format.encoder.filled(in: wave, out: file), in: folder)
      files.append(file)
      original = original + Recording(bytes, as: .s16)
      if case .decoder(let words, let form, _, let cut) = format.reference {
        let raw = folder / "\(number).raw"
        try run(words.filled(in: file, out: raw), in: folder)
        let piece = Recording(try AtomicFile.read(raw, limit: Self.limit), as: form)
        reference = reference + (cut ? piece.cut(to: frames) : piece)
      }
    }
    let played = try play(files, format, in: folder)
    var tolerance: Int64 = 0
    if case .decoder(_, _, let allowed, _) = format.reference { tolerance = allowed } else { reference = original }
    let off = abs(played.frames - original.frames)
    let differing = played.differing(from: reference, tolerance: tolerance)
    return [
      Row(
        bench: Self.name, name: "\(format.name), frames off", value: Spread(Double(off)), unit: .frames,
        peer: .standard("original"), goal: .flawless),
      Row(
        bench: Self.name, name: "\(format.name), samples that differ", value: Spread(Double(differing)),
        unit: .samples, peer: .standard(format.referenceName), goal: .flawless),
    ]
  }

  private static let limit = 1 << 28

  private func play(_ files: [FilePath], _ format: GaplessFormat, in folder: FilePath) throws(Fault) -> Recording {
    let recording = folder / "played.wav"
    let player = try Layby(layby, home: folder)
    let (code, words) = try player.runToTheEnd(
      ["--output", "file:\(recording)", "--once", "--play"] + files.map(\.description))
    guard code == 0 else {
      throw Fault(.malformed, "B-202", "layby ended with \(code) when it played \(format.name): \(words)")
    }
    return try Recording(
      wave: AtomicFile.read(recording, limit: Self.limit), at: format.rate, from: recording)
  }

  private func run(_ words: [String], in folder: FilePath) throws(Fault) {
    _ = try Child.processorSeconds(of: words, within: .seconds(60), output: folder / "output")
  }

  private func write(_ bytes: [UInt8], to path: FilePath) throws(Fault) {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, code: "B-203")
    try file.writeAll(bytes, code: "B-203", doing: "write \(path)")
  }
}
