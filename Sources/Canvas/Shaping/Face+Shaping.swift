/// Lines whose letters depend on each other, or run to the left.
extension Face {
  /// What HarfBuzz is asked for in one go.
  private struct Run {
    var range: Range<Int>
    let file: Int
    let level: UInt8
    let script: UInt32
  }

  /// As it is drawn, from left to right.
  func shape(_ scalars: [Unicode.Scalar], from start: Int) -> [Placed]? {
    let text = scalars.map(\.value)
    guard ShapedFont.isThere else { return nil }
    var line: [Placed] = []
    var pen = start
    for run in Self.inOrder(runs(scalars, ShapedFont.levels(of: text))) {
      guard let font = typeface.files[run.file].shaped else { return nil }
      for one in font.shape(text, run.range, size: size, toTheLeft: run.level & 1 == 1) {
        let isSpace = scalars.indices.contains(one.character) && scalars[one.character] == " "
        // No advance of its own: it belongs to the letter beside it.
        line.append(
          Placed(
            file: run.file, glyph: one.glyph, x: pen + one.x, end: pen + one.advance, clings: one.advance == 0,
            isSpace: isSpace, y: one.y))
        pen += one.advance
      }
    }
    return line
  }

  /// Parts of one font, one direction and one script, in the order in which they are read.
  private func runs(_ scalars: [Unicode.Scalar], _ levels: [UInt8]) -> [Run] {
    var runs: [Run] = []
    for (index, scalar) in scalars.enumerated() {
      let (file, script) = (file(for: scalar, after: runs.last?.file), ScriptRange.script(of: scalar))
      if let last = runs.last, last.file == file, last.level == levels[index], script ?? last.script == last.script {
        runs[runs.count - 1].range = last.range.lowerBound..<index + 1
      } else {
        runs.append(Run(range: index..<index + 1, file: file, level: levels[index], script: script ?? 1))
      }
    }
    return runs
  }

  /// An accent is drawn with its letter's font, when that has it.
  private func file(for scalar: Unicode.Scalar, after before: Int?) -> Int {
    let clings =
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
      default: false
      }
    if clings, let before, Self.joiners.contains(scalar.value) || typeface.files[before].glyph(of: scalar) != nil {
      return before
    }
    return typeface.find(scalar).file
  }

  static let joiners: Set<UInt32> = [0x200C, 0x200D]

  /// As they stand from left to right: from the highest level down, each stretch of at least that level is turned round.
  private static func inOrder(_ runs: [Run]) -> [Run] {
    var runs = runs
    guard let highest = runs.map(\.level).max(), highest > 0 else { return runs }
    for level in stride(from: highest, through: 1, by: -1) {
      var start = 0
      while start < runs.count {
        guard runs[start].level >= level else {
          start += 1
          continue
        }
        var end = start
        while end < runs.count, runs[end].level >= level { end += 1 }
        runs[start..<end].reverse()
        start = end
      }
    }
    return runs
  }
}
