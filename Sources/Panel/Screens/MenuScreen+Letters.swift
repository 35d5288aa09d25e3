import Canvas

/// Going through a long list by letters: the one that somebody is at, large at the list's edge.
extension MenuScreen {
  /// Where a finger goes from letter to letter: as wide as a row is high. Nil where there are none.
  func letterEdge(_ shown: ShownMenu, _ layout: ListLayout) -> Rect? {
    guard shown.hasLetters else { return nil }
    let width = min(layout.row, layout.room.width / 4)
    return Rect(x: layout.room.right - width, y: layout.room.y, width: width, height: layout.room.height)
  }

  /// A quiet line that says where the edge can be taken.
  func drawHandle(in edge: Rect, on canvas: Canvas, _ layout: ListLayout) {
    let width = max(layout.unit / 2, 2)
    let line = Rect(
      x: edge.right - 2 * width, y: edge.y + 2 * layout.unit, width: width, height: edge.height - 4 * layout.unit)
    canvas.fillRounded(line, radius: width / 2, colours.groove)
  }

  /// It stands where the ends of rows are, and covers them while it is shown.
  func draw(letter: String, on canvas: Canvas, _ layout: ListLayout) {
    let face = type.bold.at(layout.letter)
    let side = min(max(face.lineHeight, face.width(of: letter)) + 2 * layout.unit, layout.room.height)
    let place = Rect(
      x: layout.room.right - side - layout.margin, y: layout.room.y + (layout.room.height - side) / 2, width: side,
      height: side)
    canvas.fillRounded(place, radius: layout.radius, colours.accent)
    let line = min(face.lineHeight, side)
    canvas.draw(
      letter, in: Rect(x: place.x, y: place.y + (side - line) / 2, width: side, height: line), font: face,
      colour: colours.standingText, align: .centre)
  }
}
