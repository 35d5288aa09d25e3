import Canvas

/// The picture when there is nothing to play: a state of the device, large and calm, with what can be done about it.
extension NowPlayingScreen {
  /// Where the parts of a state stand.
  struct StatePicture {
    struct Line {
      let text: TextLine
      let place: Rect
      let isTitle: Bool
    }

    var sign: Rect?
    var lines: [Line] = []
    var bar: Rect?
    /// What can be done; without height where there is nothing, or no room.
    var button = Rect.nothing
    var offer: [Line] = []
    /// All of it has its room.
    var isWhole = true
    var keepsWords = true
  }

  func drawState(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let picture = statePicture(now, canvas.size, layout)
    if let sign = picture.sign { stateSign(now).draw(in: sign, on: canvas, colours.accentText) }
    func draw(_ line: StatePicture.Line, _ colour: Pixel) {
      canvas.draw(line.text, in: line.place, colour: colour, align: .centre, hanging: layout.length(3))
    }
    for line in picture.lines { draw(line, line.isTitle ? colours.title : colours.quiet) }
    if let bar = picture.bar, let part = now.told?.part {
      drawBar(bar, filled: Int(part * 1_000), of: 1_000, colours.accent, on: canvas)
    }
    guard picture.button.height > 0 else { return }
    canvas.fillRounded(picture.button, radius: layout.screen == .tiny ? 0 : layout.length(7), colours.accent)
    for line in picture.offer { draw(line, colours.standingText) }
  }

  /// Where a finger does what is offered.
  func stateButton(_ now: NowPlaying, _ size: Size) -> (rect: Rect, action: PanelState.Action)? {
    guard now.count == 0, now.state != .starting, let action = now.told?.action else { return nil }
    let button = statePicture(now, size, layout(now, size)).button
    return button.height > 0 ? (placed(button, size), action) : nil
  }

  /// A visitor who may choose music is shown music, and not that the rest is locked.
  private func stateSign(_ now: NowPlaying) -> Sign {
    now.told?.kind == .locked && now.told?.action != .open(.menu) ? .padlock : .note
  }

  /// In the largest letters in which all of it has room, and every word is in one line; then without the sign, and then without its last sentences.
  func statePicture(_ now: NowPlaying, _ size: Size, _ layout: NowPlayingLayout) -> StatePicture {
    let isStarting = now.state == .starting
    let title = isStarting ? words[.starting] : now.told?.title ?? words[.nothingToPlay]
    let sentences = isStarting ? [] : now.told?.now ?? []
    let offer = isStarting ? "" : now.told?.offer ?? ""
    let room = stateRoom(now, size, layout)
    let (small, middle, large) = (layout.type.small, layout.type.middle, layout.type.large)
    let sizes =
      layout.screen == .tiny
      ? [(small, small, false)]
      : [(large, middle, true), (middle, small, true), (middle, small, false), (small, small, false)]
    var picture = StatePicture()
    for count in (0...sentences.count).reversed() {
      for (titleSize, textSize, hasSign) in sizes {
        picture = arranged(
          (title, titleSize), (Array(sentences.prefix(count)), textSize), offer, hasSign, now.told?.part != nil, room,
          layout)
        let isSmallest = titleSize == small
        if picture.isWhole, picture.keepsWords || isSmallest { return picture }
      }
    }
    // On the smallest what happened comes before what can be done.
    let alone = arranged((title, small), ([], small), "", false, false, room, layout)
    return alone.isWhole ? alone : picture
  }

  /// What top row, keys and a notice leave.
  private func stateRoom(_ now: NowPlaying, _ size: Size, _ layout: NowPlayingLayout) -> Rect {
    var top = max(layout.top.bottom, layout.length(2))
    var bottom = layout.keys.height > 0 ? layout.keys.y : size.height - layout.length(8)
    if layout.screen == .tiny { (top, bottom) = (0, size.height) }
    if now.notice != nil || now.warning != nil {
      let band = noticeBand(now, layout)
      if layout.noticeIsAbove { top = max(top, band.bottom) } else { bottom = min(bottom, band.y) }
    }
    let margin = max(layout.margin, 1)
    return Rect(x: margin, y: top, width: max(1, size.width - 2 * margin), height: max(1, bottom - top))
  }

  private func arranged(
    _ title: (text: String, size: Int), _ told: (sentences: [String], size: Int), _ offer: String, _ hasSign: Bool,
    _ hasBar: Bool, _ room: Rect, _ layout: NowPlayingLayout
  ) -> StatePicture {
    let isTiny = layout.screen == .tiny
    let gap = isTiny ? 0 : layout.length(layout.type.small * 2 / 3)
    let side = hasSign ? layout.length(layout.type.large * 2) : 0
    let titleFace = (isTiny ? type.regular : type.bold).at(layout.letters(title.size))
    let textFace = type.regular.at(layout.letters(told.size))
    var picture = StatePicture()
    func step(_ face: Face) -> Int { isTiny ? 16 : face.lineHeight }
    func wrapped(_ text: String, _ face: Face, _ width: Int, atMost most: Int) -> TextLines {
      let lines = face.lines(of: text, width: width, atMost: most, balanced: true)
      if !lines.fit(width) { picture.isWhole = false }
      if !face.keepsWords(of: text, width: width) { picture.keepsWords = false }
      return lines
    }
    let titles = wrapped(title.text, titleFace, room.width, atMost: 2)
    let texts = told.sentences.map { wrapped($0, textFace, room.width, atMost: 3) }
    let inset = isTiny ? 2 : layout.length(12)
    let offerFace = type.bold.at(layout.letters(isTiny ? layout.type.middle : told.size))
    let offers = offer.isEmpty ? nil : wrapped(offer, offerFace, room.width - 2 * inset, atMost: isTiny ? 1 : 2)
    let button = offers.map { buttonHeight($0.count * step(offerFace), layout) } ?? 0
    let bar = hasBar ? (isTiny ? 5 : layout.length(6)) : 0
    let text = titles.count * step(titleFace) + texts.reduce(0) { $0 + $1.count } * step(textFace)
    let gaps = [side, bar, button].count { $0 > 0 } + (texts.isEmpty || isTiny ? 0 : 1)
    let height = side + bar + button + text + gaps * max(gap, isTiny ? 1 : 0)
    if height > room.height { picture.isWhole = false }
    var y = room.y + max(0, room.height - height) / 2
    if side > 0 {
      picture.sign = Rect(x: room.x, y: y, width: room.width, height: side)
      y += side + gap
    }
    func place(_ lines: TextLines, isTitle: Bool) {
      for line in lines {
        let place = Rect(x: room.x, y: y, width: room.width, height: step(lines.face))
        picture.lines.append(.init(text: line, place: place, isTitle: isTitle))
        y += step(lines.face)
      }
    }
    place(titles, isTitle: true)
    if !texts.isEmpty, !isTiny { y += gap / 2 }
    for lines in texts { place(lines, isTitle: false) }
    if bar > 0 {
      y += max(gap, 1)
      let width = room.width * 2 / 3
      picture.bar = Rect(x: room.x + (room.width - width) / 2, y: y, width: width, height: bar)
      y += bar
    }
    guard let offers else { return picture }
    y += max(gap, 1)
    let widest = offers.map(\.width).max() ?? 0
    let width = isTiny ? room.width : min(room.width, max(widest + 2 * inset, room.width / 2))
    picture.button = Rect(x: room.x + (room.width - width) / 2, y: y, width: width, height: button)
    var top = y + (button - offers.count * step(offerFace)) / 2
    for line in offers {
      let place = Rect(x: picture.button.x, y: top, width: width, height: step(offerFace))
      picture.offer.append(.init(text: line, place: place, isTitle: false))
      top += step(offerFace)
    }
    return picture
  }

  /// As high as its words, and as a finger where there is one.
  private func buttonHeight(_ words: Int, _ layout: NowPlayingLayout) -> Int {
    if layout.screen == .tiny { return words }
    return max(words + layout.length(layout.type.small / 2), look.isTouched ? layout.keys.height : 0)
  }
}
