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

  func draw(_ notice: String, stands: Bool, on canvas: Canvas, _ layout: NowPlayingLayout) {
    draw(
      notice, stands: stands, in: layout.notice, margin: max(layout.margin, 2),
      type.bold.at(layout.letters(layout.type.small)), on: canvas)
  }

  /// A band over the whole width. One that stands has a sign, and its first sentence above the rest.
  func draw(_ notice: String, stands: Bool, in band: Rect, margin: Int, _ face: Face, on canvas: Canvas) {
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
    let (title, rest) = Self.titleAndRest(of: notice)
    let step = face.size * 6 / 5
    let room = max(1, band.height / step)
    func draw(_ lines: [TextLine]) {
      let height = band.height / max(1, lines.count)
      for (index, line) in lines.enumerated() {
        canvas.draw(
          line, in: Rect(x: row.x, y: band.y + index * height, width: row.width, height: height), colour: ink,
          hanging: max(1, face.size / 8))
      }
    }
    if stands, room >= 2, !rest.isEmpty, !look.isForCars, face.width(of: title) <= row.width {
      let small = type.regular.at(face.size)
      return draw([face.line(of: title), small.line(of: rest)])
    }
    let shown = stands && (room < 2 || look.isForCars) ? title : notice
    let lines = face.lines(of: shown, width: row.width, atMost: min(2, room))
    draw(Array(lines))
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
