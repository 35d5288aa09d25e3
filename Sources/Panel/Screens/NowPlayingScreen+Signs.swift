import Canvas

/// What is not as usual, and what is switched on: signs, with words where there is room for them. One rule for all
/// classes: the most urgent sign has the first place, and those that find none are left out.
extension NowPlayingScreen {
  /// What is said of how it stands, and the sign that says the same where there is no room for words.
  struct Saying {
    let text: String
    let sign: Mark?
  }

  /// From the whole sentence to one word.
  func sayings(_ now: NowPlaying) -> [Saying] {
    // With nothing to play it has the screen already.
    let states = now.told.flatMap { now.count > 0 ? beside($0) : nil } ?? []
    return switch now.condition {
    case nil: states
    case .loading:
      (now.told?.kind == .serverAway ? states : []) + [Saying(text: words[.loading], sign: nil)]
    case .offline:
      (now.state == .playing ? [Word.playsOffline, .offline] : [.offline]).map {
        Saying(text: words[$0], sign: .offline)
      }
    }
  }

  private func beside(_ state: PanelState) -> [Saying] {
    if state.isWarning {
      return [state.title, state.inShort ?? state.title].map { Saying(text: $0, sign: .warning) }
    }
    guard state.kind == .importing else {
      return [state.title, words[.offline]].map { Saying(text: $0, sign: .offline) }
    }
    let part = state.percent.map { " \(words.percent("\($0)"))" } ?? ""
    return [state.title, words[.imports]].map {
      Saying(text: $0 + part, sign: .importing(percent: state.percent))
    }
  }

  /// Signs that have room, in their places.
  private struct Signs {
    /// With the gaps before, between and behind them.
    var width: Int
    /// The last place that one stands in; -1 where there is none.
    var last = -1
    /// A bit for each place whose sign has its number beside it.
    var numbers = 0
    /// It is said in words.
    var leftOut: Mark?
  }

  private func smallFace(_ layout: NowPlayingLayout) -> Face { type.regular.at(layout.letters(layout.type.small)) }

  private func side(_ height: Int, _ layout: NowPlayingLayout) -> Int { min(height, layout.length(layout.type.small)) }
  private func gap(_ side: Int) -> Int { max(3, side / 3) }

  /// What one sign takes.
  func leastSigns(_ layout: NowPlayingLayout) -> Int {
    let side = side(layout.times.height, layout)
    return side + 2 * gap(side)
  }

  private func mark(_ place: Int, _ now: NowPlaying, _ leftOut: Mark?) -> Mark? {
    Mark.at(place, of: now).flatMap { $0 == leftOut ? nil : $0 }
  }

  private func numberWidth(_ mark: Mark, _ side: Int, _ layout: NowPlayingLayout) -> Int {
    mark.text.isEmpty ? 0 : gap(side) / 2 + smallFace(layout).width(of: mark.text)
  }

  /// Half a row of signs says less than none: those at the end give way. Numbers have what the signs leave.
  private func signs(
    _ now: NowPlaying, without leftOut: Mark?, side: Int, width: Int, _ layout: NowPlayingLayout
  ) -> Signs {
    let step = side + gap(side)
    var signs = Signs(width: gap(side), leftOut: leftOut)
    for place in Mark.places where mark(place, now, leftOut) != nil {
      guard signs.width + step <= width else { break }
      (signs.width, signs.last) = (signs.width + step, place)
    }
    for place in 0..<signs.last + 1 {
      guard let mark = mark(place, now, leftOut) else { continue }
      let number = numberWidth(mark, side, layout)
      guard number > 0, signs.width + number <= width else { continue }
      signs.width += number
      signs.numbers |= 1 << place
    }
    return signs
  }

  private func draw(
    _ signs: Signs, _ now: NowPlaying, side: Int, in row: Rect, ground: Pixel, on canvas: Canvas,
    _ layout: NowPlayingLayout
  ) {
    let gap = gap(side)
    var x = row.x + gap
    for place in 0..<signs.last + 1 {
      guard let mark = mark(place, now, signs.leftOut) else { continue }
      let sign = Rect(x: x, y: row.y + (row.height - side) / 2, width: side, height: side)
      mark.draw(in: sign, on: canvas, colours.text, ground: ground)
      x = sign.right + gap
      guard signs.numbers & 1 << place != 0 else { continue }
      let face = smallFace(layout)
      let text = Rect(x: sign.right + gap / 2, y: row.y, width: face.width(of: mark.text), height: row.height)
      canvas.draw(mark.text, in: text, font: face, colour: colours.text)
      x += numberWidth(mark, side, layout)
    }
  }

  func drawPill(_ now: NowPlaying, in row: Rect, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let face = smallFace(layout)
    let side = side(row.height, layout)
    let gap = gap(side)
    // A number beside a sign is not the words' first one.
    func between(_ signs: Signs) -> Int { signs.last >= 0 ? gap * 2 : 0 }
    // The longest that has room: words say more than a sign that nobody knows.
    let said = sayings(now).first { saying in
      let signs = self.signs(now, without: saying.sign, side: side, width: row.width, layout)
      return signs.width + between(signs) + face.width(of: saying.text) + gap <= row.width
    }
    let signs = signs(now, without: said?.sign, side: side, width: row.width, layout)
    guard signs.last >= 0 || said != nil else { return }
    let ground = colours.isInk ? colours.ground : colours.groove
    var all = signs.width
    if let said { all += between(signs) + face.width(of: said.text) + gap }
    canvas.fillRounded(Rect(x: row.x, y: row.y, width: all, height: row.height), radius: row.height / 2, ground)
    if let said {
      let left = row.x + signs.width + between(signs)
      let text = Rect(x: left, y: row.y, width: face.width(of: said.text), height: row.height)
      canvas.draw(said.text, in: text, font: face, colour: colours.text)
    }
    draw(signs, now, side: side, in: row, ground: ground, on: canvas, layout)
  }

  /// Where there is no row at the top: in the panel's middle, as far as the times leave it, so that they stand still
  /// while digits come and go.
  func drawSigns(_ now: NowPlaying, between room: Rect, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let side = side(room.height, layout)
    let signs = signs(now, without: nil, side: side, width: room.width, layout)
    let x = min(max((canvas.size.width - signs.width) / 2, room.x), room.right - signs.width)
    let row = Rect(x: x, y: room.y, width: signs.width, height: room.height)
    draw(signs, now, side: side, in: row, ground: colours.ground, on: canvas, layout)
  }
}
