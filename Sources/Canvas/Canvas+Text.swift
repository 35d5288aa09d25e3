extension Canvas {
  package enum Alignment: Sendable { case leading, centre, trailing }

  /// What happens to text that is too wide.
  package enum Overflow: Sendable { case ellipsis, fade }

  /// One line of text, in the middle of the rectangle's height. Not a pixel outside `rect` is touched, but `hanging` rows
  /// above and below it by letters that are taller than most.
  package func draw(
    _ text: String, in rect: Rect, font: Face, colour: Pixel, align: Alignment = .leading,
    tooWide overflow: Overflow = .ellipsis, hanging: Int = 0
  ) {
    let rect = placed(rect)
    let room = Rect(x: rect.x, y: rect.y - hanging, width: rect.width, height: rect.height + 2 * hanging)
    let clip = room.intersection(bounds)
    if clip.isEmpty { return }
    // What runs to the left does not end at the right.
    let isCut = overflow == .ellipsis || Face.needsShaping(text)
    let line = isCut ? font.lay(text, fitting: rect.width) : font.lay(text)
    guard let width = line.last?.end else { return }
    let isTooWide = width > rect.width * 64
    let free = isTooWide ? 0 : rect.width * 64 - width
    let start =
      switch (align, isMirrored) {
      case (.leading, false), (.trailing, true): 0
      case (.centre, _): free / 2
      case (.trailing, false), (.leading, true): free
      }
    let baseline = rect.y + (rect.height - font.lineHeight) / 2 + font.ascent
    if let hear = heard {
      hear(drawn(text, line, font, at: (rect.x * 64 + start, baseline), in: rect, clip, colour, isTooWide: isTooWide))
    }
    let fading = isTooWide ? min(rect.width, font.size * 3 / 2) : 0
    for placed in line where placed.x <= rect.width * 64 {
      draw(placed, font, at: (rect.x * 64 + start, baseline), colour, clip: clip, fading: fading, edge: rect.right)
    }
  }

  /// What is said of a text before it is drawn; see `heard`.
  private func drawn(
    _ text: String, _ line: [Face.Placed], _ font: Face, at origin: (x: Int, baseline: Int), in rect: Rect,
    _ clip: Rect, _ colour: Pixel, isTooWide: Bool
  ) -> DrawnText {
    var ink: Rect?
    for placed in line where placed.x <= rect.width * 64 {
      let glyph = font.typeface.glyph(font.key(file: placed.file, glyph: placed.glyph, phase: 0))
      guard glyph.width > 0, glyph.height > 0 else { continue }
      let box = Rect(
        x: ((origin.x + placed.x) >> 6) + glyph.left, y: origin.baseline - glyph.top - ((placed.y + 32) >> 6),
        width: glyph.width, height: glyph.height)
      ink = ink?.union(box) ?? box
    }
    let isWhole = !isTooWide && (line == font.lay(text))
    return DrawnText(
      text: text, rect: rect, clip: clip, ink: ink ?? Rect(x: rect.x, y: rect.y, width: 0, height: 0), size: font.size,
      colour: colour, isWhole: isWhole, lacksLetters: line.contains { $0.glyph == 0 })
  }

  private func draw(
    _ placed: Face.Placed, _ font: Face, at origin: (x: Int, baseline: Int), _ colour: Pixel, clip: Rect,
    fading: Int, edge: Int
  ) {
    let pen = origin.x + placed.x + 64 / (2 * Typeface.phases)
    let phase = (pen & 63) * Typeface.phases / 64
    var glyph = font.typeface.glyph(font.key(file: placed.file, glyph: placed.glyph, phase: phase))
    let x = (pen >> 6) + glyph.left
    let y = origin.baseline - glyph.top - ((placed.y + 32) >> 6)
    if fading > 0, x + glyph.width > edge - fading {
      for column in 0..<glyph.width where x + column > edge - fading {
        let left = max(0, edge - x - column)
        for row in 0..<glyph.height {
          let index = row * glyph.width + column
          glyph.coverage[index] = UInt8(Int(glyph.coverage[index]) * left / fading)
        }
      }
    }
    glyph.coverage.withUnsafeBufferPointer { coverage in
      guard let start = coverage.baseAddress else { return }
      for row in 0..<glyph.height {
        blend(colour, coverage: start + row * glyph.width, count: glyph.width, x: x, y: y + row, clip: clip)
      }
    }
  }
}
