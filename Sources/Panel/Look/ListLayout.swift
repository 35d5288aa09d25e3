import Canvas

/// Where a menu's bar, rows and last line stand, by the class of the screen. All figures are pixels on a screen of the
/// class's own size.
struct ListLayout: Equatable {
  let screen: ScreenClass
  /// The title; without height where there is none.
  let bar: Rect
  let room: Rect
  /// The last line, for a hint or a notice; nil where there is neither.
  let foot: Rect?
  /// How high a row of one line is, and one of two.
  let row: Int
  let tallRow: Int
  let margin: Int
  /// The grid's unit: every gap is a multiple of it.
  let unit: Int
  /// The radius of the focused row's corners.
  let radius: Int
  /// The side of a cover beside a row, and of the one in the head of an album's page; 0 where there is no room for one.
  let cover: Int
  let headCover: Int
  /// The side of a letter's cell on the wheel.
  let cell: Int
  /// The size of the digits on a page that turns a number.
  let number: Int
  /// The size of the letter that a long list is gone through by.
  let letter: Int
  let type: TypeSizes

  /// How many lines the title and the foot have; 0 for none.
  init(_ size: Size, _ style: PanelStyle = PanelStyle(), titleLines: Int = 1, footLines: Int = 0) {
    let scale = ScreenScale(size)
    let figures = Figures(scale.screen, style)
    let smallest = ScreenScale.smallestType
    func pixels(_ length: Int, least: Int = 1) -> Int { scale.pixels(length, least: least) }
    screen = scale.screen
    type = scale.type(style)
    margin = pixels(figures.margin)
    unit = pixels(figures.unit)
    radius = pixels(figures.radius)
    let finger = style.finger(on: size)
    row = pixels(figures.row, least: max(smallest + 4, finger))
    tallRow = pixels(figures.tallRow, least: max(smallest + 4, finger))
    cover = figures.cover == 0 ? 0 : pixels(figures.cover)
    headCover = figures.headCover == 0 ? 0 : pixels(figures.headCover)
    cell = pixels(figures.cell, least: max(14, finger))
    number = scale.letters(figures.number)
    letter = scale.letters(figures.number * 3 / 4)
    let width = max(size.width - 2 * margin, 1)
    let barHeight =
      titleLines == 0
      ? 0
      : min(
        pixels(figures.bar, least: max(smallest + 3, finger)) + (titleLines - 1) * Self.step(type.middle),
        size.height * 3 / 5)
    let footHeight =
      footLines == 0
      ? 0 : min(footLines * Self.step(type.small) + pixels(figures.foot), (size.height - barHeight) / 2)
    bar = Rect(x: margin, y: 0, width: width, height: barHeight)
    foot =
      footHeight == 0
      ? nil : Rect(x: 0, y: size.height - footHeight, width: size.width, height: footHeight)
    room = Rect(x: 0, y: barHeight, width: size.width, height: size.height - barHeight - footHeight)
  }

  /// From one line of such letters to the next.
  static func step(_ letters: Int) -> Int { letters * 5 / 4 }

  private struct Figures {
    var margin = 12
    var unit = 4
    var radius = 8
    var bar = 36
    var row = 40
    var tallRow = 50
    /// Around the lines of the foot.
    var foot = 8
    var cover = 0
    var headCover = 72
    var cell = 38
    var number = 64

    init(_ screen: ScreenClass, _ style: PanelStyle) {
      switch screen {
      case .tiny:
        (margin, unit, radius, bar, row, tallRow) = (2, 1, 0, 16, 16, 16)
        (foot, cell, number, headCover) = (0, 24, 30, 0)
      case .square, .wide, .tall: break
      case .wider:
        (margin, unit, bar, row, tallRow, foot, cell, number) = (16, 5, 44, 46, 55, 10, 46, 84)
        (cover, headCover) = (44, 96)
      case .large:
        (margin, unit, bar, row, tallRow, foot, cell, number) = (24, 8, 64, 59, 72, 16, 72, 128)
        (cover, headCover) = (56, 144)
      case .largeTall:
        (margin, unit, bar, row, tallRow, foot, cell, number) = (24, 8, 64, 61, 72, 16, 68, 128)
        (cover, headCover) = (56, 144)
      }
      switch (style.isForCars, style.isTouched) {
      case (false, false): break
      case (false, true): growForFingers(screen)
      case (true, let isTouched): growForCars(screen, isTouched)
      }
    }

    /// Everything is 9 mm high on panels of 3.2 to 3.5 and of 7 inches, and rows fill the panel: half a one could not be
    /// touched.
    private mutating func growForFingers(_ screen: ScreenClass) {
      switch screen {
      case .tiny: break
      case .square, .wide: (bar, row, tallRow, cell) = (42, 49, 50, 42)
      case .tall: (bar, row, tallRow, cell) = (44, 46, 55, 44)
      case .wider: (bar, row, tallRow, cell) = (60, 65, 65, 60)
      case .large, .largeTall: break
      }
    }

    /// Letters are larger; what is touched while driving is 12 mm high.
    private mutating func growForCars(_ screen: ScreenClass, _ isTouched: Bool) {
      switch screen {
      case .tiny: break
      case .square, .wide, .tall:
        (bar, row, tallRow, cell) = isTouched ? (54, 62, 62, 54) : (40, 50, 56, 46)
      case .wider: (bar, row, tallRow, cell) = isTouched ? (78, 80, 80, 78) : (52, 53, 67, 58)
      case .large, .largeTall: (bar, row, tallRow, cell) = (72, 68, 84, 84)
      }
    }
  }
}
