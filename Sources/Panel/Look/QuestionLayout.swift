import Canvas

/// Where a question's text and answers stand, and how large an invitation's words are, by the class of the screen. All
/// figures are pixels on a screen of the class's own size.
struct QuestionLayout: Equatable {
  let screen: ScreenClass
  /// Where text and answers may be.
  let room: Rect
  /// A hint below the answers; without height where there is no room for it.
  let foot: Rect
  /// A notice is drawn over what stands there.
  let notice: Rect
  /// How high an answer is, and one whose words need two lines.
  let answer: Int
  let tallAnswer: Int
  let gap: Int
  let radius: Int
  let unit: Int
  let type: TypeSizes

  /// `answers`: how many there are.
  init(_ size: Size, _ style: PanelStyle = PanelStyle(), answers: Int = 2, hasNotice: Bool = false) {
    let scale = ScreenScale(size)
    let figures = Figures(scale.screen, style)
    func pixels(_ length: Int, least: Int = 1) -> Int { scale.pixels(length, least: least) }
    screen = scale.screen
    type = scale.type(style)
    unit = pixels(figures.unit)
    gap = pixels(figures.gap)
    radius = pixels(figures.radius)
    // The question itself keeps two lines, however many answers there are.
    let rest = size.height - pixels(figures.foot) - pixels(figures.top) - 2 * ListLayout.step(type.small)
    let finger = min(style.finger(on: size), rest / max(answers, 1) - pixels(figures.gap))
    answer = pixels(answers > 3 ? figures.manyAnswer : figures.answer, least: max(1, finger))
    tallAnswer = max(answer, 2 * ListLayout.step(type.small) + 2 * pixels(figures.unit))
    let margin = pixels(figures.margin)
    let top = pixels(figures.top)
    let noticeHeight = pixels(style.isForCars ? figures.carNotice : figures.notice)
    let footHeight = hasNotice && screen != .tiny ? noticeHeight : figures.foot == 0 ? 0 : pixels(figures.foot)
    let width = max(size.width - 2 * margin, 1)
    foot = Rect(x: margin, y: size.height - footHeight, width: width, height: footHeight)
    // The smallest has room for few lines: what is asked gives way, and not the answers.
    let isAbove = screen == .tiny
    notice = Rect(
      x: 0, y: isAbove ? 0 : size.height - noticeHeight, width: size.width, height: hasNotice ? noticeHeight : 0)
    let begin = isAbove && hasNotice ? notice.bottom : top
    room = Rect(x: margin, y: begin, width: width, height: max(1, foot.y - begin - pixels(figures.unit)))
  }

  private struct Figures {
    var margin = 12
    var unit = 4
    var top = 8
    var answer = 32
    /// Where there are more than three.
    var manyAnswer = 28
    var gap = 3
    var radius = 8
    var foot = 26
    var notice = 36
    var carNotice = 54

    init(_ screen: ScreenClass, _ style: PanelStyle) {
      switch screen {
      case .tiny:
        (margin, unit, top, answer, manyAnswer, gap, radius) = (2, 0, 0, 16, 16, 0, 0)
        (foot, notice, carNotice) = (0, 16, 16)
      case .square, .wide, .tall: break
      case .wider:
        (margin, unit, top, answer, manyAnswer, gap) = (16, 5, 12, 42, 38, 4)
        (foot, notice, carNotice) = (34, 46, 68)
      case .large, .largeTall:
        (margin, unit, top, answer, manyAnswer, gap) = (24, 8, 22, 60, 54, 6)
        (foot, notice, carNotice) = (46, 60, 84)
      }
      if style.isForCars { foot = min(foot, 4) }
      guard style.isTouched || style.isForCars, screen != .tiny else { return }
      switch screen {
      case .tiny: break
      case .square, .wide, .tall: (answer, manyAnswer) = (42, 42)
      case .wider: (answer, manyAnswer) = (58, 56)
      case .large, .largeTall: (answer, manyAnswer) = (66, 66)
      }
    }
  }
}
