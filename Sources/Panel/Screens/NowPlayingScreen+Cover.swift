import Canvas

/// The cover lies to the right, behind the names: it may come late, and they neither move nor change for it.
extension NowPlayingScreen {
  /// Gives back where it lies; nil when there is none, or no room on this panel.
  func drawCover(_ now: NowPlaying, on canvas: Canvas, _ measure: Measure) -> Rect? {
    guard let cover = now.cover, let place = measure.cover, cover.size.width <= place.width,
      cover.size.height <= place.height
    else { return nil }
    let rect = Rect(
      x: place.right - cover.size.width, y: place.y + (place.height - cover.size.height) / 2, width: cover.size.width,
      height: cover.size.height)
    canvas.draw(cover, x: rect.x, y: rect.y)
    return rect
  }

  /// A band over all of the cover where a line runs over it, so dark that it can be read on a white one.
  func shade(_ cover: Rect, below line: Rect, on canvas: Canvas) {
    guard line.right > cover.x else { return }
    let band = Rect(x: cover.x, y: line.y, width: cover.width, height: line.height)
    canvas.shade(band.intersection(cover), colours.coverShade, coverage: Self.shade)
  }

  /// Of 255: a twelfth of the light stays, and the dimmest letters have three times as much as a white cover.
  private static let shade: UInt8 = 235
}
