import Canvas

/// The last line: what comes next, what went wrong, or what stands until somebody sees to it.
extension NowPlayingScreen {
  func drawFoot(_ now: NowPlaying, on canvas: Canvas, _ measure: Measure) {
    let row = measure.foot
    let face = type.regular.at(measure.letters(18))
    if let notice = now.notice {
      if now.noticeStands { drawStanding(notice, on: canvas, measure) } else { drawNotice(notice, on: canvas, measure) }
    } else if look.isForCars || look.isTouched {
      return
    } else if now.state == .starting {
      if now.count > 0 { canvas.draw(words[.starting], in: row, font: face, colour: colours.quiet) }
    } else if let next = now.upNext, now.count > 0 {
      let label = words[.next]
      canvas.draw(label, in: row, font: face, colour: colours.resting)
      let start = row.x + face.width(of: label) + measure.length(10)
      canvas.draw(
        next, in: Rect(x: start, y: row.y, width: row.right - start, height: row.height), font: face,
        colour: colours.quiet, tooWide: .fade)
    }
  }

  private func band(_ canvas: Canvas, _ measure: Measure) -> Rect {
    let top = measure.foot.y
    return Rect(x: 0, y: top, width: canvas.size.width, height: measure.keys.y - top)
  }

  /// A band over the whole width; a long notice is set in two lines of smaller letters.
  private func drawNotice(_ notice: String, on canvas: Canvas, _ measure: Measure) {
    let row = measure.foot
    let band = band(canvas, measure)
    canvas.fill(band, colours.noticeGround)
    var face = fit(notice, type.bold, [18, 16], width: row.width, measure)
    let isLong = face.width(of: notice) > row.width
    if isLong { face = type.regular.at(measure.letters(14)) }
    let lines = face.lines(of: notice, width: row.width, atMost: isLong ? 2 : 1)
    let height = band.height / max(1, lines.count)
    for (index, line) in lines.enumerated() {
      let place = Rect(x: row.x, y: band.y + index * height, width: row.width, height: height)
      canvas.draw(line, in: place, colour: colours.noticeText)
    }
  }

  /// A bright band with a sign; its first sentence stands above the rest, in letters that can be read from afar.
  private func drawStanding(_ notice: String, on canvas: Canvas, _ measure: Measure) {
    let row = measure.foot
    let band = band(canvas, measure)
    canvas.fill(band, colours.standingGround)
    let sign = Rect(x: row.x, y: band.y + band.height / 8, width: measure.length(24), height: band.height * 3 / 4)
    Sign.drawWarning(in: sign, on: canvas, colours.standingText, mark: colours.standingGround)
    let left = sign.right + measure.length(8)
    let (title, rest) = Self.titleAndRest(of: notice)
    let width = row.right - left
    // In a car two lines for what matters; else together as high as the band: 17 and 13 of its 30.
    if look.isForCars {
      let face = type.bold.at(measure.letters(16))
      let lines = face.lines(of: title, width: width, atMost: 2)
      for (index, line) in lines.enumerated() {
        let height = band.height / lines.count
        let place = Rect(x: left, y: band.y + index * height, width: width, height: height)
        canvas.draw(line, in: place, colour: colours.standingText)
      }
      return
    }
    let titleHeight = rest.isEmpty ? band.height : band.height * 17 / 30
    canvas.draw(
      title, in: Rect(x: left, y: band.y, width: width, height: titleHeight),
      font: fit(title, type.bold, [15, 13], width: width, measure), colour: colours.standingText,
      hanging: measure.length(2))
    // Arabic letters hang lower than others, and below is the edge of the panel.
    let raised = measure.length(1)
    canvas.draw(
      rest, in: Rect(x: left, y: band.y + titleHeight - raised, width: width, height: band.height - titleHeight),
      font: type.regular.at(measure.letters(11)), colour: colours.standingText, hanging: raised)
  }

  /// The first sentence without its full stop, and what comes after it.
  static func titleAndRest(of notice: String) -> (title: String, rest: String) {
    var end = notice.startIndex
    while let stop = notice[end...].firstIndex(of: ".") {
      let after = notice.index(after: stop)
      if after == notice.endIndex { return (String(notice[..<stop]), "") }
      if notice[after] == " " { return (String(notice[..<stop]), String(notice[notice.index(after: after)...])) }
      end = after
    }
    return (notice, "")
  }
}
