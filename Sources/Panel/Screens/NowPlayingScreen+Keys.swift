import Canvas

/// What can be touched while the music is shown: one row of keys, each as wide as a finger. They are where the hand
/// looks for them, whichever way words are read.
extension NowPlayingScreen {
  enum Key: CaseIterable {
    case menu, quieter, louder, previous, play, next
  }

  /// From left to right.
  func keys(_ layout: NowPlayingLayout, _ size: Size) -> [(key: Key, rect: Rect)] {
    let row = placed(layout.keys, size)
    let allowed = Key.allCases.filter { look.style.rights.allows(Self.meaning(of: $0)) }
    // Where six have no room for a finger each, the volume is turned in the menu.
    let isNarrow = row.width < look.style.finger(on: size) * allowed.count
    let all = allowed.filter { !isNarrow || ($0 != .quieter && $0 != .louder) }
    return all.enumerated().map { index, key in
      let left = row.width * index / all.count
      let right = row.width * (index + 1) / all.count
      return (key, Rect(x: row.x + left, y: row.y, width: right - left, height: row.height))
    }
  }

  /// Where it is on the panel: where words are read from the right, what stands beside the cover does so at its left.
  func placed(_ rect: Rect, _ size: Size) -> Rect {
    guard words.isRightToLeft else { return rect }
    return Rect(x: size.width - rect.right, y: rect.y, width: rect.width, height: rect.height)
  }

  func drawKeys(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    for (key, rect) in keys(layout, canvas.size) {
      let gap = layout.length(2)
      let inside = Rect(x: rect.x + gap, y: rect.y + gap, width: rect.width - 2 * gap, height: rect.height - 2 * gap)
      let isIdle = isIdle(key, now)
      let isFirst = key == .play && !isIdle
      canvas.fillRounded(inside, radius: layout.length(7), isFirst ? colours.accent : colours.groove)
      let side = min(inside.height, inside.width) * 11 / 20
      let sign = Rect(
        x: inside.x + (inside.width - side) / 2, y: inside.y + (inside.height - side) / 2, width: side, height: side)
      draw(key, now, in: sign, on: canvas, isFirst ? colours.standingText : isIdle ? colours.resting : colours.text)
    }
  }

  /// With nothing to play it does nothing, and looks so. It stays where the hand will look for it.
  func isIdle(_ key: Key, _ now: NowPlaying) -> Bool {
    guard now.count == 0 else { return false }
    return switch key {
    case .menu, .quieter, .louder: false
    case .previous, .next: true
    // It does what is offered.
    case .play: now.told?.action == nil
    }
  }

  private func draw(_ key: Key, _ now: NowPlaying, in sign: Rect, on canvas: Canvas, _ colour: Pixel) {
    switch key {
    case .menu: Sign.lines.draw(in: sign, on: canvas, colour)
    case .quieter: Sign.less.draw(in: sign, on: canvas, colour)
    case .louder: Sign.more.draw(in: sign, on: canvas, colour)
    case .previous: Sign.previous.draw(in: sign, on: canvas, colour)
    // What it does, not what is.
    case .play:
      let plays = now.state == .playing || now.state == .waiting
      (plays ? Sign.paused : .playing).draw(in: sign, on: canvas, colour)
    case .next: Sign.next.draw(in: sign, on: canvas, colour)
    }
  }
}
