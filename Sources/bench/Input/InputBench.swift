import Glibc
import Runtime

/// How long a hand waits: from the kernel's stamp of an edge to what it changes. In a process of its own runs all that
/// is between the two in the program: the thread that takes edges, the main loop with lines, gestures and player, the
/// decoder, the output, and a device that plays nothing at the clock's pace. Only the kernel's lines and a card are
/// made up, and no panel is drawn.
struct InputBench {
  static let name = "input"
  static let about = "a detent, a press and the ignition, from their edges to the device or the disk"

  let scratch: Scratch
  /// Of detents; of presses and of the ignition a tenth.
  let rounds: Int

  private static let patience: Duration = .seconds(280)

  func run() throws(Fault) -> [Row] {
    let home = try scratch.emptyFolder("input")
    let music = home / "music.wav"
    try Self.writeMusic(to: music)
    let output = home / "output"
    let child = try Child(
      ["/proc/self/exe", InputRig.word, "\(home)", "\(rounds)"], environment: ["SWIFT_BACKTRACE=enable=no"],
      output: output)
    let ending = try child.wait(within: Self.patience)
    let text = String(decoding: try AtomicFile.read(output, limit: 1 << 20), as: UTF8.self)
    guard ending.code == 0, let line = text.split(separator: "\n").last else {
      throw Fault(.malformed, "B-271", "the rig ended with \(ending.code): \(text)")
    }
    return try rows(JSON(parsing: Array(line.utf8), limits: JSON.Limits(depth: 4, size: 1 << 20)))
  }

  /// Three minutes of one and the same sample: whatever differs from it was changed.
  private static func writeMusic(to path: FilePath) throws(Fault) {
    let (rate, seconds) = (44_100, 180)
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, code: "B-270")
    let second = (0..<rate * 4).map { UInt8($0 % 2 == 0 ? 0x00 : 0x20) }
    try file.writeAll(
      WaveHead.bytes(rate: rate, bytesOfSound: seconds * rate * 4), code: "B-270", doing: "write \(path)")
    for _ in 0..<seconds { try file.writeAll(second, code: "B-270", doing: "write \(path)") }
  }

  private func rows(_ seen: JSON) throws(Fault) -> [Row] {
    var rows: [Row] = []
    for figure in InputRig.Figure.allCases {
      let values = (seen[figure.rawValue]?.items ?? []).compactMap(\.double)
      guard let spread = Spread(values), let most = Self.most(values) else {
        throw Fault(.malformed, "B-271", "the rig says nothing of \(figure.rawValue): \(seen)")
      }
      rows.append(row(figure.words, spread, figure))
      guard values.count > 1 else { continue }
      rows.append(row("\(figure.words), 99 of 100", Spread(most), figure, goal: figure.goal))
    }
    return rows
  }

  private func row(_ name: String, _ value: Spread, _ figure: InputRig.Figure, goal: Goal = .none) -> Row {
    Row(bench: Self.name, name: name, value: value, unit: figure.unit, goal: goal)
  }

  /// Of a hundred, ninety-nine took no longer.
  static func most(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, max(0, (sorted.count * 99 + 99) / 100 - 1))]
  }
}
