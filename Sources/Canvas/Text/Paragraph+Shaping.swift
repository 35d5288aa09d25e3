/// Letters that depend on each other, or run to the left.
extension ParagraphMaker {
  /// What HarfBuzz is asked for in one go.
  private struct Run {
    var range: Range<Int>
    let file: Int
    let level: UInt8
    let script: UInt32
  }

  /// False when that cannot be: then nothing was done.
  mutating func shape(_ scalars: [Unicode.Scalar]) -> Bool {
    guard ShapedFont.isThere else { return false }
    let text = scalars.map(\.value)
    let (levels, runsLeft) = ShapedFont.levels(of: text)
    let runs = runs(scalars, levels)
    let fonts = runs.map { typeface.files[$0.file].shaped }
    guard fonts.allSatisfy({ $0 != nil }) else { return false }
    self.runsLeft = runsLeft
    for (run, font) in zip(runs, fonts) {
      guard let font else { continue }
      typeface.shapings += 1
      font.shape(text, run.range, toTheLeft: run.level & 1 == 1) { glyphs in take(glyphs, run, scalars) }
    }
    return true
  }

  /// From the order of drawing to that of reading: from the right, where they run to the left.
  private mutating func take(_ glyphs: [ShapedFont.Placed], _ run: Run, _ scalars: [Unicode.Scalar]) {
    var groups: [Range<Int>] = []
    for index in glyphs.indices {
      if let last = groups.indices.last, glyphs[groups[last].lowerBound].character == glyphs[index].character {
        groups[last] = groups[last].lowerBound..<index + 1
      } else {
        groups.append(index..<index + 1)
      }
    }
    for group in run.level & 1 == 1 ? groups.reversed() : groups {
      let character = min(max(glyphs[group.lowerBound].character, run.range.lowerBound), run.range.upperBound - 1)
      // HarfBuzz draws a blank of no width for it.
      if Isolated.marks.contains(scalars[character].value) { continue }
      var pen: Int32 = 0
      let first = Int32(forms.count)
      for glyph in glyphs[group] {
        forms.append(
          Paragraph.Form(
            glyph: glyph.glyph, file: UInt8(run.file), x: Em.bounded(pen + Em.bounded(glyph.x)),
            y: Em.bounded(glyph.y)))
        pen = Em.bounded(pen + Em.bounded(glyph.advance))
      }
      clusters.append(
        Paragraph.Cluster(
          form: first, forms: UInt16(clamping: group.count), level: run.level,
          isSpace: scalars[character].properties.isWhitespace, scalar: Int32(character), advance: pen))
    }
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
    if ParagraphMaker.isUnseen(scalar) { return before ?? 0 }
    guard scalar.value >= 0x300, let before else { return typeface.find(scalar).file }
    let clings =
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
      default: false
      }
    if clings, typeface.files[before].glyph(of: scalar) != nil { return before }
    return typeface.find(scalar).file
  }
}
