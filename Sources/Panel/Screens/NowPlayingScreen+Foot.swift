import Canvas
import Pictures

/// What comes next, and what went wrong.
extension NowPlayingScreen {
  /// On a large screen two lines beside the cover's foot, else one line at the bottom.
  func drawNext(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let room = layout.next
    guard room.height > 0, now.state != .starting, let next = now.upNext else { return }
    let face = type.regular.at(layout.letters(layout.type.small))
    let label = words[.next]
    if layout.screen == .large {
      let side = min(layout.nextCover, room.height)
      let place = Rect(x: room.x, y: room.bottom - side, width: side, height: side)
      drawNextCover(now.nextCover, in: place, on: canvas)
      let left = place.right + layout.length(12)
      let room = Rect(x: left, y: place.y, width: max(1, room.right - left), height: side)
      let half = room.height / 2
      canvas.draw(
        label, in: Rect(x: room.x, y: room.y, width: room.width, height: half), font: face, colour: colours.quiet)
      return canvas.draw(
        next, in: Rect(x: room.x, y: room.y + half, width: room.width, height: half), font: face, colour: colours.text)
    }
    canvas.draw(label, in: room, font: face, colour: colours.resting)
    let start = room.x + min(room.width, face.width(of: label) + layout.length(10))
    canvas.draw(
      next, in: Rect(x: start, y: room.y, width: max(1, room.right - start), height: room.height), font: face,
      colour: colours.quiet)
  }

  /// A quiet square keeps its place, so no word moves when it comes.
  private func drawNextCover(_ cover: Picture?, in place: Rect, on canvas: Canvas) {
    guard let cover, cover.size.width <= place.width, cover.size.height <= place.height else {
      return canvas.fill(place, colours.groove)
    }
    canvas.draw(
      cover, x: place.x + (place.width - cover.size.width) / 2, y: place.y + (place.height - cover.size.height) / 2)
  }

  /// What passes comes before a state that stays.
  func drawNotice(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let (band, margin) = (noticeBand(now, layout), max(layout.margin, 2))
    let face = type.bold.at(layout.letters(layout.type.small))
    if let notice = now.notice {
      draw(notice, stands: now.noticeStands, in: band, margin: margin, face, on: canvas)
    } else if let state = now.warning {
      draw(state.title, state.now.first ?? "", stands: true, in: band, margin: margin, face, on: canvas)
    }
  }

  /// On the smallest panel what needs two lines takes the place of the line and of the artist, so no word is cut.
  func noticeBand(_ now: NowPlaying, _ layout: NowPlayingLayout) -> Rect {
    let band = layout.notice
    guard layout.screen == .tiny, let text = now.notice ?? now.warning?.title else { return band }
    let face = type.bold.at(layout.letters(layout.type.small))
    // The sign, which what passes has none of, and the margins.
    let room = band.width - 4 - (now.notice == nil || now.noticeStands ? face.size * 2 : 0)
    guard face.width(of: Self.titleAndRest(of: text).title) > room else { return band }
    let height = 2 * (face.size * 6 / 5)
    return Rect(x: band.x, y: band.bottom - height, width: band.width, height: height)
  }

  /// A band over the whole width. One that stands has a sign, and its first sentence above the rest.
  func draw(_ notice: String, stands: Bool, in band: Rect, margin: Int, _ face: Face, on canvas: Canvas) {
    let (title, rest) = Self.titleAndRest(of: notice)
    draw(stands ? title : notice, stands ? rest : "", stands: stands, in: band, margin: margin, face, on: canvas)
  }

  private func draw(
    _ title: String, _ rest: String, stands: Bool, in band: Rect, margin: Int, _ face: Face, on canvas: Canvas
  ) {
    let ink = stands ? colours.standingText : colours.noticeText
    canvas.fill(band, stands ? colours.standingGround : colours.noticeGround)
    var row = Rect(x: margin, y: band.y, width: max(1, band.width - 2 * margin), height: band.height)
    if stands {
      let side = min(band.height * 3 / 4, face.size * 3 / 2)
      let sign = Rect(x: row.x, y: band.y + (band.height - side) / 2, width: side, height: side)
      Sign.drawWarning(in: sign, on: canvas, ink, mark: colours.standingGround)
      let left = side + face.size / 2
      row = Rect(x: row.x + left, y: row.y, width: max(1, row.width - left), height: row.height)
    }
    let room = max(1, band.height / (face.size * 6 / 5))
    func draw(_ lines: [TextLine]) {
      let height = band.height / max(1, lines.count)
      for (index, line) in lines.enumerated() {
        canvas.draw(
          line, in: Rect(x: row.x, y: band.y + index * height, width: row.width, height: height), colour: ink,
          hanging: max(1, face.size / 8))
      }
    }
    let small = type.regular.at(face.size)
    if room >= 2, !rest.isEmpty, !look.isForCars, max(face.width(of: title), small.width(of: rest)) <= row.width {
      return draw([face.line(of: title), small.line(of: rest)])
    }
    draw(
      Array(
        face.lines(
          of: Self.shortened(title, face, row.width, lines: min(2, room)), width: row.width, atMost: min(2, room))))
  }

  /// As many of its sentences as have room; the page of notices has the rest. The first one stays whatever it needs.
  static func shortened(_ notice: String, _ face: Face, _ width: Int, lines: Int) -> String {
    var text = notice
    while !face.lines(of: text, width: width, atMost: lines).fit(width), let end = lastEnd(of: text) {
      text = String(text[..<end])
    }
    return text
  }

  /// Where its last sentence, or what follows a semicolon, begins to be left out.
  private static func lastEnd(of text: String) -> String.Index? {
    text.indices.last { index in
      let next = text.index(after: index)
      guard next < text.endIndex, index > text.startIndex else { return false }
      if text[index] == "。" { return true }
      return (text[index] == "." || text[index] == ";") && text[next] == " "
    }
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
