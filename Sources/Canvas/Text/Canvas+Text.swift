import Pictures

extension Canvas {
  package enum Alignment: Sendable { case leading, centre, trailing }

  /// What happens to text that is too wide.
  package enum Overflow: Sendable {
    case ellipsis, fade
    /// It fades where it goes on, at both sides; so many pixels of its beginning have gone by.
    case passing(Int)
  }

  /// One line of text, in the middle of the rectangle's height. Not a pixel outside `rect` is touched, but `hanging` rows
  /// above and below it by letters that are taller than most.
  package func draw(
    _ text: String, in rect: Rect, font: Face, colour: Pixel, align: Alignment = .leading,
    tooWide overflow: Overflow = .ellipsis, hanging: Int = 0
  ) {
    draw(font.line(of: text), in: rect, colour: colour, align: align, tooWide: overflow, hanging: hanging)
  }

  package func draw(
    _ line: TextLine, in rect: Rect, colour: Pixel, align: Alignment = .leading,
    tooWide overflow: Overflow = .ellipsis, hanging: Int = 0
  ) {
    let rect = placed(rect)
    let room = Rect(x: rect.x, y: rect.y - hanging, width: rect.width, height: rect.height + 2 * hanging)
    let clip = room.intersection(bounds)
    if clip.isEmpty || line.span.start == line.span.end { return }
    let font = line.face
    let placement: Placement
    if case .ellipsis = overflow {
      placement = font.placement(of: line, fitting: rect.width)
    } else {
      placement = font.placement(of: line)
    }
    let width = placement.width
    let isTooWide = width > rect.width * 64
    var pen = rect.x * 64 + start(of: width, in: rect.width * 64, align)
    var fade: Fade?
    if isTooWide {
      // Where it is read first it is whole.
      pen = line.runsLeft ? rect.right * 64 - width : rect.x * 64
      if case .passing(let gone) = overflow { pen += line.runsLeft ? gone * 64 : -gone * 64 }
      let goesOn = (left: pen < rect.x * 64, right: pen + width > rect.right * 64)
      fade = Fade(
        left: goesOn.left ? rect.x : nil, right: goesOn.right ? rect.right : nil,
        over: max(min(rect.width, font.size * 3 / 2), 1))
    }
    let baseline = rect.y + (rect.height - font.lineHeight) / 2 + font.ascent
    if let hear = heard {
      hear(drawn(line, placement, at: (pen, baseline), in: rect, clip, colour, isWhole: !placement.isCut && !isTooWide))
    }
    let ink = Light.Ink(colour)
    // Letters reach a little over their place; what is far off is not even rendered.
    let (left, right) = ((clip.x - 2 * font.size) * 64, (clip.right + 2 * font.size) * 64)
    for placed in placement.placed where pen + placed.x <= right && pen + placed.end >= left {
      draw(placed, font, at: (pen, baseline), ink, clip: clip, fade)
    }
  }

  private func start(of width: Int, in room: Int, _ align: Alignment) -> Int {
    let free = max(room - width, 0)
    return switch (align, isMirrored) {
    case (.leading, false), (.trailing, true): 0
    case (.centre, _): free / 2
    case (.trailing, false), (.leading, true): free
    }
  }

  /// What is said of a text before it is drawn; see `heard`.
  private func drawn(
    _ line: TextLine, _ placement: Placement, at origin: (x: Int, baseline: Int), in rect: Rect, _ clip: Rect,
    _ colour: Pixel, isWhole: Bool
  ) -> DrawnText {
    let font = line.face
    var ink: Rect?
    for placed in placement.placed where placed.x <= rect.width * 64 {
      let glyph = font.typeface.glyph(font.key(placed, phase: 0))
      guard glyph.width > 0, glyph.height > 0 else { continue }
      let box = Rect(
        x: ((origin.x + placed.x) >> 6) + glyph.left, y: origin.baseline - glyph.top - ((placed.y + 32) >> 6),
        width: glyph.width, height: glyph.height)
      ink = ink?.union(box) ?? box
    }
    return DrawnText(
      text: line.text, rect: rect, clip: clip, ink: ink ?? Rect(x: rect.x, y: rect.y, width: 0, height: 0),
      size: font.size, colour: colour, isWhole: isWhole,
      lacksLetters: placement.placed.contains { $0.glyph == 0 })
  }

  private func draw(
    _ placed: Placement.Placed, _ font: Face, at origin: (x: Int, baseline: Int), _ ink: Light.Ink, clip: Rect,
    _ fade: Fade?
  ) {
    let pen = origin.x + placed.x + 64 / (2 * Typeface.phases)
    let phase = (pen & 63) * Typeface.phases / 64
    let glyph = font.typeface.glyph(font.key(placed, phase: phase))
    let place = Rect(
      x: (pen >> 6) + glyph.left, y: origin.baseline - glyph.top - ((placed.y + 32) >> 6), width: glyph.width,
      height: glyph.height)
    guard let fade else { return blend(glyph.coverage, at: place, ink, clip: clip) }
    let visible = place.intersection(clip)
    for y in visible.rows {
      let row = row(y)
      for x in visible.columns {
        let coverage = glyph.coverage[(y - place.y) * place.width + x - place.x]
        ink.blend(fade.rest(of: coverage, at: x), over: &row[x])
      }
    }
  }
}

/// What goes on beyond its place gets less and less towards the edge.
private struct Fade {
  var left: Int?
  var right: Int?
  let over: Int

  @inline(__always)
  func rest(of coverage: UInt8, at x: Int) -> UInt8 {
    var part = over
    if let left { part = min(part, x - left) }
    if let right { part = min(part, right - x) }
    return UInt8(Int(coverage) * max(part, 0) / over)
  }
}
