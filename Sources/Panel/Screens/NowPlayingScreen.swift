import Canvas

/// Draws what is playing: the cover, the title, how far it is, and what comes next. A pure function of the value and the
/// canvas's size; where everything stands is in `NowPlayingLayout`.
package struct NowPlayingScreen {
  private(set) var look: PanelLook
  var type: PanelType { look.type }
  var words: PanelWords { look.words }
  var colours: Theme { look.theme }

  package init(_ look: PanelLook) { self.look = look }

  func layout(_ now: NowPlaying, _ size: Size) -> NowPlayingLayout {
    NowPlayingLayout(
      size, look.style, hasNotice: now.notice != nil || now.warning != nil, isEmpty: now.count == 0)
  }

  /// `gone` pixels of a title that has no room have gone by; see `Marquee`.
  package func draw(_ now: NowPlaying, gone: Int = 0, on canvas: Canvas) {
    var screen = self
    if let tinted = now.theme { screen.look.theme = tinted }
    screen.drawAll(now, gone, on: canvas)
  }

  private func drawAll(_ now: NowPlaying, _ gone: Int, on canvas: Canvas) {
    let layout = layout(now, canvas.size)
    canvas.fill(canvas.bounds, colours.ground)
    // Time runs to the right everywhere; words begin where they are read from.
    canvas.isMirrored = words.isRightToLeft
    if !now.showsVolume { drawTop(now, on: canvas, layout) }
    if now.count == 0 {
      drawState(now, on: canvas, layout)
    } else {
      drawCover(now, on: canvas, layout)
      drawNames(now, gone: gone, on: canvas, layout)
      drawNext(now, on: canvas, layout)
    }
    canvas.isMirrored = false
    if now.count > 0 {
      drawProgress(now, on: canvas, layout)
      let between = drawTimes(now, on: canvas, layout)
      if layout.top.height == 0 { drawSigns(now, between: between, on: canvas, layout) }
    }
    if look.isTouched { drawKeys(now, on: canvas, layout) }
    canvas.isMirrored = words.isRightToLeft
    if now.showsVolume { drawVolume(now, on: canvas, layout) }
    drawNotice(now, on: canvas, layout)
    canvas.isMirrored = false
  }

  /// The same in one line of text, for terminals in which the picture is too small.
  package func caption(of now: NowPlaying) -> String {
    let sign =
      switch now.state {
      case .playing: "▶"
      case .paused: "Ⅱ"
      case .stopped: "■"
      case .waiting: "…"
      case .starting: words[.starting]
      }
    let warning = now.warning.map { $0.sentences.joined(separator: ". ") }
    guard now.count > 0 else {
      if let notice = now.notice ?? warning { return notice }
      if now.state == .starting { return "\(sign) · volume \(now.volume)" }
      let state = now.told.map { $0.sentences + ($0.offer.isEmpty ? [] : ["[\($0.offer)]"]) } ?? [words[.nothingToPlay]]
      return "\(sign) \(state.joined(separator: " · ")) · volume \(now.volume)"
    }
    let names = [title(of: now), now.chapter ?? "", now.artist].filter { !$0.isEmpty }.joined(separator: " – ")
    let total = now.length.map { "/" + $0.clock } ?? ""
    let start = "\(sign) \(now.position.clock)\(total) · volume \(now.volume) · "
    let said = sayings(now).first.map { "\($0.text) · " } ?? ""
    return start + said + ((now.notice ?? warning).map { "\($0) · " } ?? "") + names
  }

  func title(of now: NowPlaying) -> String {
    now.title.allSatisfy(\.isWhitespace) ? words[.untitled] : now.title
  }
}

extension NowPlayingScreen {
  /// A pill with what is switched on, and the clock. The smallest has no such row: there signs stand between the times.
  private func drawTop(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let row = layout.top
    guard row.height > 0 else { return }
    let face = type.regular.at(layout.letters(layout.type.small))
    var end = row.right
    if let clock = now.clock {
      let width = digitsWidth(of: clock, face)
      let place = Rect(x: row.right - width, y: row.y, width: width, height: row.height)
      drawDigits(clock, in: placed(place, canvas.size), face, colours.quiet, on: canvas)
      end -= width + layout.length(8)
    }
    // Where the cover stands between the two, each has a corner.
    if layout.screen == .square, let cover = layout.cover { end = min(end, cover.x - layout.length(4)) }
    drawPill(now, in: Rect(x: row.x, y: row.y, width: max(0, end - row.x), height: row.height), on: canvas, layout)
  }

  /// Only while it is turned: a speaker, a bar, and the number, over the top row. The smallest panel shows nothing else.
  private func drawVolume(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let room = layout.volume
    canvas.fill(room, colours.ground)
    let isAll = layout.screen == .tiny
    let number = type.bold.at(layout.letters(isAll ? layout.type.large * 2 : layout.type.middle))
    let side = min(room.height * 3 / 4, layout.length(isAll ? 24 : layout.type.middle + 4))
    let margin = max(layout.margin, 2)
    let speaker = Rect(
      x: margin, y: (room.height - side) / 2 - (isAll ? room.height / 8 : 0), width: side, height: side)
    Sign(volume: now.volume).draw(in: speaker, on: canvas, colours.text)
    // It lies over the sign that nothing plays.
    var left = speaker.right
    if now.count > 0, now.state != .playing, now.state != .starting {
      let state = Rect(x: left + side / 3, y: speaker.y, width: side, height: side)
      Sign(now.state).draw(in: state, on: canvas, colours.text)
      left = state.right
    }
    let width = number.width(of: "100")
    let place = Rect(
      x: room.right - margin - width, y: isAll ? 0 : room.y, width: width,
      height: isAll ? room.height * 3 / 4 : room.height)
    canvas.draw("\(now.volume)", in: place, font: number, colour: colours.title, align: .trailing)
    let height = layout.length(8)
    let bar =
      isAll
      ? Rect(x: margin, y: room.bottom - height - 4, width: room.width - 2 * margin, height: height)
      : Rect(
        x: left + layout.length(10), y: (room.height - height) / 2,
        width: max(1, place.x - left - 2 * layout.length(10)), height: height)
    drawBar(bar, filled: now.volume, of: 100, now.state == .playing ? colours.accent : colours.resting, on: canvas)
  }

  private func drawProgress(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let band = noticeBand(now, layout)
    // Half a line behind a notice looks broken.
    let isCovered = layout.progress.y < band.bottom && band.y < layout.progress.bottom
    if isCovered, now.notice != nil || now.warning != nil { return }
    let total = now.length?.components.seconds ?? 0
    let part = min(now.position.components.seconds, total)
    let colour = now.state == .playing ? colours.accent : colours.resting
    drawBar(layout.progress, filled: Int(part), of: Int(total), colour, on: canvas)
  }

  /// Returns the room between them.
  private func drawTimes(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) -> Rect {
    let row = layout.times
    let size =
      layout.screen == .square ? layout.type.small : layout.screen == .tiny ? layout.type.large : layout.type.middle
    let face = type.bold.at(layout.letters(size))
    let elapsed = now.position.clock
    let width = digitsWidth(of: elapsed, face)
    drawDigits(elapsed, in: Rect(x: row.x, y: row.y, width: width, height: row.height), face, colours.title, on: canvas)
    guard let duration = now.length else {
      return Rect(x: row.x + width, y: row.y, width: row.width - width, height: row.height)
    }
    let left = "−" + (duration - min(now.position, duration)).clock
    let leftWidth = digitsWidth(of: left, face)
    // Hours beside hours have no room on the smallest; what is over is what is known best, and what is wrong comes
    // before what is left.
    let signs = layout.top.height == 0 && Mark.isUrgent(now) ? leastSigns(layout) : layout.length(4)
    let hasLeft = width + leftWidth + signs <= row.width
    if hasLeft {
      drawDigits(
        left, in: Rect(x: row.right - leftWidth, y: row.y, width: leftWidth, height: row.height), face, colours.text,
        on: canvas)
    }
    return Rect(
      x: row.x + width, y: row.y, width: row.width - width - (hasLeft ? leftWidth : 0), height: row.height)
  }

  /// As much of the bar as `part` is of `whole`, in whole pixels; a little that is not nothing is a round dot.
  func drawBar(_ bar: Rect, filled part: Int, of whole: Int, _ colour: Pixel, on canvas: Canvas) {
    if colours.isInk {
      // One bit has no grey for what is to come: a frame of one pixel.
      canvas.fill(bar, colour)
      canvas.fill(Rect(x: bar.x + 1, y: bar.y + 1, width: bar.width - 2, height: bar.height - 2), colours.ground)
      guard whole > 0, part > 0 else { return }
      return canvas.fill(Rect(x: bar.x, y: bar.y, width: max(1, bar.width * part / whole), height: bar.height), colour)
    }
    canvas.fillRounded(bar, radius: bar.height / 2, colours.groove)
    guard whole > 0, part > 0 else { return }
    let width = bar.height + (bar.width - bar.height) * part / whole
    canvas.fillRounded(
      Rect(x: bar.x, y: bar.y, width: width, height: bar.height), radius: bar.height / 2, colour)
  }

  // MARK: Digits of one width

  /// Digits stand in cells as wide as the widest of them, so that a second later no other one has moved.
  func digitsWidth(of text: String, _ face: Face) -> Int {
    let cell = digitCell(face)
    var width = 0
    for scalar in text.unicodeScalars {
      width += Self.digit(scalar) == nil ? face.width(of: Self.letter(scalar)) : cell
    }
    return width
  }

  private func digitCell(_ face: Face) -> Int {
    var widest = 1
    for digit in Self.digits { widest = max(widest, face.width(of: digit)) }
    return widest
  }

  /// `rect` is where it is on the panel, whichever way words are read: a time is read the same way everywhere.
  func drawDigits(_ text: String, in rect: Rect, _ face: Face, _ colour: Pixel, on canvas: Canvas) {
    let wasMirrored = canvas.isMirrored
    canvas.isMirrored = false
    defer { canvas.isMirrored = wasMirrored }
    let cell = digitCell(face)
    var x = rect.x
    for scalar in text.unicodeScalars {
      let letter = Self.letter(scalar)
      let width = Self.digit(scalar) == nil ? face.width(of: letter) : cell
      canvas.draw(
        letter, in: Rect(x: x, y: rect.y, width: width, height: rect.height), font: face, colour: colour, align: .centre
      )
      x += width
    }
  }

  private static let digits = (0...9).map { "\($0)" }

  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    (0x30...0x39).contains(scalar.value) ? Int(scalar.value - 0x30) : nil
  }

  /// A text that is there already: drawing the same again asks the heap for nothing.
  private static func letter(_ scalar: Unicode.Scalar) -> String {
    if let digit = digit(scalar) { return digits[digit] }
    return scalar == ":" ? ":" : "−"
  }
}
