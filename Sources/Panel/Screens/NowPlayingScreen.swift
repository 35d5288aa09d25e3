import Canvas

/// Draws what is playing, large enough to be read at arm's length on a panel of 320 x 240: title, artist, time and
/// volume never get smaller than a twelfth of its height. A pure function of the value and the canvas's size.
///
/// From the top: state, place and volume; then title, artist and album in the middle of what is free; then progress,
/// times, and one line for what comes next or what went wrong.
package struct NowPlayingScreen {
  let look: PanelLook
  var type: PanelType { look.type }
  var words: PanelWords { look.words }
  var colours: Theme { look.theme }

  package init(_ look: PanelLook) { self.look = look }

  func measure(_ now: NowPlaying, _ size: Size) -> Measure {
    Measure(size, look.style, foot: now.notice == nil ? .line : .notice)
  }

  /// `gone` pixels of a title that has no room have gone by; see `Marquee`.
  package func draw(_ now: NowPlaying, gone: Int = 0, on canvas: Canvas) {
    let measure = measure(now, canvas.size)
    canvas.fill(canvas.bounds, from: colours.groundTop, to: colours.groundBottom)
    // Time runs to the right everywhere; words begin where they are read from.
    canvas.isMirrored = words.isRightToLeft
    drawTop(now, on: canvas, measure)
    if now.count == 0 {
      drawNothing(now, on: canvas, measure.middle.union(measure.progress).union(measure.times), measure)
    } else {
      drawNames(now, gone: gone, over: drawCover(now, on: canvas, measure), on: canvas, measure)
    }
    drawFoot(now, on: canvas, measure)
    canvas.isMirrored = false
    if now.count > 0 {
      drawProgress(now, on: canvas, measure)
      drawTimes(now, on: canvas, measure)
    }
    if look.isTouched { drawKeys(now, on: canvas, measure) }
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
    guard now.count > 0 else {
      let hint = now.emptyHint.isEmpty || now.state == .starting ? "" : " · \(now.emptyHint)"
      let words = now.state == .starting ? "" : " \(words[.nothingToPlay])"
      return now.notice ?? "\(sign)\(words) · volume \(now.volume)\(hint)"
    }
    let names = [title(of: now), now.artist].filter { !$0.isEmpty }.joined(separator: " – ")
    let total = now.duration.map { "/" + $0.clock } ?? ""
    let start = "\(sign) \(now.position.clock)\(total) · volume \(now.volume) · "
    return start + (now.notice.map { "\($0) · " } ?? "") + names
  }

  func title(of now: NowPlaying) -> String {
    now.title.allSatisfy(\.isWhitespace) ? words[.untitled] : now.title
  }
}

extension NowPlayingScreen {
  private func drawTop(_ now: NowPlaying, on canvas: Canvas, _ measure: Measure) {
    let row = measure.top
    let number = type.bold.at(measure.letters(25))
    let numberWidth = number.width(of: "100")
    let numberPlace = Rect(x: row.right - numberWidth, y: row.y, width: numberWidth, height: row.height)
    canvas.draw("\(now.volume)", in: numberPlace, font: number, colour: colours.text, align: .trailing)

    // The bar gives way to the place in a long queue.
    let gap = measure.length(8)
    let speakerWidth = measure.length(24)
    let end = numberPlace.x - gap
    let placeEnd = now.count > 0 ? drawPlace(now, on: canvas, before: end - speakerWidth - 5 * gap, measure) : row.x
    let barWidth = min(measure.length(68), end - speakerWidth - 2 * gap - placeEnd)
    let bar = Rect(x: end - barWidth, y: row.y + (row.height - gap) / 2, width: barWidth, height: gap)
    drawBar(bar, filled: now.volume, of: 100, colours.text, on: canvas)
    let speaker = Rect(x: bar.x - gap - speakerWidth, y: row.y, width: speakerWidth, height: row.height)
    Sign(volume: now.volume).draw(in: speaker, on: canvas, colours.text)
  }

  private static let placeSizes = [20, 17, 14]

  /// State, marks and place in the queue; gives back where they end, left of `end`.
  private func drawPlace(_ now: NowPlaying, on canvas: Canvas, before end: Int, _ measure: Measure) -> Int {
    let row = measure.top
    let sign = Rect(x: row.x, y: row.y, width: measure.length(22), height: row.height)
    let colour = now.state == .playing ? colours.accentText : colours.resting
    Sign(now.state).draw(in: sign, on: canvas, colour)
    var x = sign.right + measure.length(10)
    func text(_ text: String, _ face: Face, _ colour: Pixel) {
      let width = min(face.width(of: text), end - x)
      canvas.draw(
        text, in: Rect(x: x, y: row.y, width: width, height: row.height), font: face, colour: colour)
      x += width + measure.length(6)
    }
    for place in Mark.places {
      guard let mark = Mark.at(place, of: now) else { continue }
      let face = type.bold.at(measure.letters(15))
      let sign = Rect(x: x, y: row.y, width: measure.length(18), height: row.height)
      let width = mark.text.isEmpty ? 0 : measure.length(3) + face.width(of: mark.text)
      guard sign.right + width <= end else { continue }
      mark.draw(in: sign, on: canvas, colours.quiet, ground: colours.groundTop)
      x = sign.right + measure.length(mark.text.isEmpty ? 6 : 3)
      if !mark.text.isEmpty { text(mark.text, face, colours.quiet) }
    }
    let index = min(now.index, now.count - 1) + 1
    // The whole, or the index alone, or nothing: half a number is a wrong number.
    let whole = "\(index)/\(now.count)"
    let face = type.regular.at(measure.letters(20))
    if face.width(of: whole) <= end - x {
      text(whole, face, colours.quiet)
      return x
    }
    for size in Self.placeSizes {
      let face = type.regular.at(measure.letters(size))
      guard face.width(of: "\(index)") <= end - x else { continue }
      text("\(index)", face, colours.quiet)
      break
    }
    return x
  }

  private func drawProgress(_ now: NowPlaying, on canvas: Canvas, _ measure: Measure) {
    let total = now.duration?.components.seconds ?? 0
    let part = min(now.position.components.seconds, total)
    let colour = now.state == .playing ? colours.accent : colours.resting
    drawBar(measure.progress, filled: Int(part), of: Int(total), colour, on: canvas)
  }

  private func drawTimes(_ now: NowPlaying, on canvas: Canvas, _ measure: Measure) {
    let row = measure.times
    let large = type.bold.at(measure.letters(26))
    let small = type.regular.at(measure.letters(20))
    let elapsed = now.position.clock
    canvas.draw(elapsed, in: row, font: large, colour: colours.title)
    guard let duration = now.duration else { return }
    let left = "−" + (duration - min(now.position, duration)).clock
    canvas.draw(left, in: row, font: large, colour: colours.text, align: .trailing)
    let start = row.x + large.width(of: elapsed) + measure.length(6)
    let end = row.right - large.width(of: left) - measure.length(6)
    let total = "/ " + duration.clock
    guard small.width(of: total) <= end - start else { return }
    // On one base line with the larger digits.
    let lower = large.ascent - small.ascent - (large.lineHeight - small.lineHeight) / 2
    canvas.draw(
      total, in: Rect(x: start, y: row.y + lower, width: end - start, height: row.height), font: small,
      colour: colours.quiet)
  }

  /// As much of the bar as `part` is of `whole`, in whole pixels; a little that is not nothing is a round dot.
  private func drawBar(_ bar: Rect, filled part: Int, of whole: Int, _ colour: Pixel, on canvas: Canvas) {
    canvas.fillRounded(bar, radius: bar.height / 2, colours.groove)
    guard whole > 0, part > 0 else { return }
    let width = bar.height + (bar.width - bar.height) * part / whole
    canvas.fillRounded(
      Rect(x: bar.x, y: bar.y, width: width, height: bar.height), radius: bar.height / 2, colour)
  }
}
