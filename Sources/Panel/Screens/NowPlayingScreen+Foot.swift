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
      // Half of a cover is less than a line of Arabic is high.
      let hanging = max(0, (face.lineHeight - half + 1) / 2) + face.size / 4
      canvas.draw(
        label, in: Rect(x: room.x, y: room.y, width: room.width, height: half), font: face, colour: colours.quiet,
        hanging: hanging)
      return canvas.draw(
        next, in: Rect(x: room.x, y: room.y + half, width: room.width, height: half), font: face, colour: colours.text,
        hanging: hanging)
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
    canvas.draw(cover, amid: place, colours)
  }

  /// What passes comes before a state that stays.
  private func toldNotice(_ now: NowPlaying) -> ToldNotice? {
    if let notice = now.notice { return ToldNotice(notice, inShort: now.noticeInShort, stands: now.noticeStands) }
    return now.warning.map { ToldNotice($0.title, rest: $0.now.first ?? "", inShort: $0.inShort) }
  }

  func drawNotice(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    guard let notice = toldNotice(now) else { return }
    let face = noticeFace(layout)
    let side = Self.signSide(layout.notice, face)
    draw(notice, in: noticeBand(now, layout), margin: max(layout.margin, 2), side: side, face, on: canvas)
  }

  private func noticeFace(_ layout: NowPlayingLayout) -> Face { type.bold.at(layout.letters(layout.type.small)) }

  /// Where it hides the times, or a part of the cover, already, it takes one line more when its words need that.
  func noticeBand(_ now: NowPlaying, _ layout: NowPlayingLayout) -> Rect {
    var band = layout.notice
    guard layout.noticeMayGrow, let notice = toldNotice(now) else { return band }
    let face = noticeFace(layout)
    let room = Self.room(in: band, face)
    let row = noticeRow(notice, in: band, margin: max(layout.margin, 2), side: Self.signSide(band, face), face)
    guard lines(of: notice, width: row.width, atMost: room + 1, face).count > room else { return band }
    // The smallest has no pixel to spare around them; elsewhere letters do not stand at the band's very end.
    let spare = min(layout.length(4), Self.step(face) - 1 - band.height % Self.step(face))
    let more = layout.screen == .tiny ? 2 * Self.step(face) - band.height : Self.step(face) + spare
    if layout.noticeIsBelowNames {
      // The title stays.
      let title = layout.letters(layout.type.large) * 6 / 5
      if band.y - more < layout.names.y + title { return band }
    }
    if !layout.noticeIsAbove { band.y -= more }
    band.height += more
    return band
  }

  private static func step(_ face: Face) -> Int { face.size * 6 / 5 }

  private static func room(in band: Rect, _ face: Face) -> Int { max(1, band.height / step(face)) }

  /// What the sign of one that stands leaves.
  private func noticeRow(_ notice: ToldNotice, in band: Rect, margin: Int, side: Int, _ face: Face) -> Rect {
    let left = notice.stands ? side + face.size / 2 : 0
    return Rect(
      x: band.x + margin + left, y: band.y, width: max(1, band.width - 2 * margin - left), height: band.height)
  }

  /// In a band that has not grown: the sign is as large in one that has.
  static func signSide(_ band: Rect, _ face: Face) -> Int { min(band.height * 3 / 4, face.size * 3 / 2) }

  /// One that stands has a sign, and its first sentence above the rest.
  func draw(_ notice: ToldNotice, in band: Rect, margin: Int, side: Int, _ face: Face, on canvas: Canvas) {
    let ink = notice.stands ? colours.standingText : colours.noticeText
    canvas.fill(band, notice.stands ? colours.standingGround : colours.noticeGround)
    if notice.stands {
      let sign = Rect(x: band.x + margin, y: band.y + (band.height - side) / 2, width: side, height: side)
      Sign.drawWarning(in: sign, on: canvas, ink, mark: colours.standingGround)
    }
    let row = noticeRow(notice, in: band, margin: margin, side: side, face)
    let lines = lines(of: notice, width: row.width, atMost: Self.room(in: band, face), face)
    // On the smallest they need the whole band; elsewhere they stand close together in its middle.
    let all = band.height / max(1, lines.count)
    let height = colours.isInk || lines.count < 2 ? all : min(Self.step(face), all)
    var y = band.y + (band.height - lines.count * height) / 2
    for line in lines {
      let place = Rect(x: row.x, y: y, width: row.width, height: height)
      canvas.draw(line, in: place, colour: ink, hanging: max(1, face.size / 8))
      y += height
    }
  }

  /// The first of the ways to say it that is read to its end: all of it, with what can be done before what happens
  /// meanwhile. In a car, what happened alone.
  private func lines(of notice: ToldNotice, width: Int, atMost most: Int, _ face: Face) -> [TextLine] {
    // Dark letters on a bright ground look thinner than they are.
    let small = colours.isInk ? face : type.regular.at(face.size)
    func whole(_ title: String, _ rest: String) -> [TextLine]? {
      let titles = face.lines(of: title, width: width, atMost: most, balanced: true)
      guard titles.fit(width), face.keepsWords(of: title, width: width) else { return nil }
      if rest.isEmpty { return Array(titles) }
      let rests = small.lines(of: rest, width: width, atMost: most, balanced: true)
      guard rests.fit(width), small.keepsWords(of: rest, width: width), titles.count + rests.count <= most else {
        return nil
      }
      return Array(titles) + Array(rests)
    }
    let cut = Self.shortened(notice.title, face, width, lines: most)
    let rests =
      look.isForCars
      ? [""] : [notice.rest, notice.advice, Self.shortened(notice.rest, small, width, lines: most - 1), ""]
    for rest in rests {
      for title in [notice.title, cut, notice.inShort ?? cut] {
        if let lines = whole(title, rest) { return lines }
      }
    }
    return Array(face.lines(of: notice.inShort ?? cut, width: width, atMost: most, balanced: true))
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
      return ".;؛".contains(text[index]) && text[next] == " "
    }
  }

  /// The first sentence without its full stop, and what comes after it.
  static func titleAndRest(of notice: String) -> (title: String, rest: String) {
    var end = notice.startIndex
    while let stop = notice[end...].firstIndex(where: { $0 == "." || $0 == "。" }) {
      let after = notice.index(after: stop)
      if after == notice.endIndex { return (String(notice[..<stop]), "") }
      if notice[stop] == "。" { return (String(notice[..<stop]), String(notice[after...])) }
      if notice[after] == " " { return (String(notice[..<stop]), String(notice[notice.index(after: after)...])) }
      end = after
    }
    return (notice, "")
  }
}
