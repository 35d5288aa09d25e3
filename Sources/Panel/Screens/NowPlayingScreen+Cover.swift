import Canvas
import Pictures

/// The cover has a place of its own: names stand beside or below it. Only what passes (a notice, the volume) may cover
/// its upper edge.
extension NowPlayingScreen {
  /// Where there is none, or it has not come yet, a quiet square with a note keeps its place.
  func drawCover(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    guard let place = layout.cover else { return }
    if let cover = now.cover, cover.size.width <= place.width, cover.size.height <= place.height {
      return canvas.draw(cover, amid: place, colours)
    }
    guard !colours.isInk else { return }
    canvas.fill(place, colours.groove)
    let side = place.width * 2 / 5
    let note = Rect(
      x: place.x + (place.width - side) / 2, y: place.y + (place.height - side) / 2, width: side, height: side)
    Sign.note.draw(in: note, on: canvas, colours.resting)
  }
}

extension Canvas {
  /// Draws a cover in the middle of its place, with the theme's edge.
  func draw(_ cover: Picture, amid place: Rect, _ colours: Theme) {
    let rect = Rect(
      x: place.x + (place.width - cover.size.width) / 2, y: place.y + (place.height - cover.size.height) / 2,
      width: cover.size.width, height: cover.size.height)
    draw(cover, x: rect.x, y: rect.y)
    tintEdge(of: rect, colours.title, coverage: colours.coverEdge)
  }
}
