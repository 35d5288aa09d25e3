import Canvas

/// All that a question's screen shows. Two equal values are the same picture.
package struct ShownQuestion: Equatable, Sendable {
  package var text = ""
  package var details: [String] = []
  package var answers: [String] = []
  package var chosen = 0
  /// How many more wait behind it.
  package var waiting = 0
  /// What else is to be seen meanwhile: it takes the place of the hint.
  package var notice: String?
  package var noticeStands = false

  package init(_ set: (inout ShownQuestion) -> Void) { set(&self) }
}

/// Draws a question over all of the panel: what is asked, what it is about, the answers one below the other with the
/// chosen one bright, and below them how to answer. The answers always have their room; the letters of the rest are as
/// large as what is left allows.
package struct QuestionScreen {
  private let nowPlaying: NowPlayingScreen
  private let isTouched: Bool
  private var look: PanelLook { nowPlaying.look }
  private var type: PanelType { look.type }
  private var colours: Theme { look.theme }

  /// A question stands instead of what else could be touched.
  package init(_ look: PanelLook) {
    var untouched = look
    untouched.style.isTouched = false
    nowPlaying = NowPlayingScreen(untouched)
    isTouched = look.isTouched
  }

  func measure(_ shown: ShownQuestion, _ size: Size) -> Measure {
    Measure(size, look.style, foot: shown.notice == nil ? .line : .notice)
  }

  package func draw(_ shown: ShownQuestion, on canvas: Canvas) {
    let measure = measure(shown, canvas.size)
    canvas.isMirrored = look.words.isRightToLeft
    defer { canvas.isMirrored = false }
    canvas.fill(canvas.bounds, colours.ground)
    drawText(shown, on: canvas, textRoom(shown, measure), measure)
    for (index, (text, row)) in zip(shown.answers, answerRows(shown, measure)).enumerated() {
      drawAnswer(text, isChosen: index == shown.chosen, on: canvas, row, measure)
    }
    drawFoot(shown, on: canvas, measure)
  }

  /// In one line, for terminals in which the picture is too small.
  package func caption(of shown: ShownQuestion) -> String {
    let answers = shown.answers.enumerated().map { $0.offset == shown.chosen ? "[\($0.element)]" : $0.element }
    return (["? \(shown.text)"] + shown.details + [answers.joined(separator: " ")]).joined(separator: " · ")
  }

  /// What the answers leave.
  func textRoom(_ shown: ShownQuestion, _ measure: Measure) -> Rect {
    let top = measure.top
    let end = answerRows(shown, measure).first?.y ?? measure.foot.y
    return Rect(x: top.x, y: top.y, width: top.width, height: max(0, end - measure.length(4) - top.y))
  }

  /// From top to bottom, right above the foot.
  func answerRows(_ shown: ShownQuestion, _ measure: Measure) -> [Rect] {
    let height = answerHeight(shown, measure)
    let gap = measure.length(2)
    let end = measure.foot.y - measure.length(4)
    let count = shown.answers.count
    return (0..<count).map { index in
      let y = end - (count - index) * (height + gap) + gap
      return Rect(x: measure.foot.x, y: y, width: measure.foot.width, height: height)
    }
  }

  /// In a car letters do not get smaller to fit, so what is too long for a line has two.
  private func answerHeight(_ shown: ShownQuestion, _ measure: Measure) -> Int {
    guard look.isForCars else { return measure.length(isTouched ? 42 : shown.answers.count > 3 ? 27 : 31) }
    let face = type.bold.at(measure.letters(16))
    let width = measure.foot.width - 2 * measure.length(10)
    return measure.length(shown.answers.contains { face.width(of: $0) > width } ? 56 : 42)
  }

  private func drawAnswer(_ text: String, isChosen: Bool, on canvas: Canvas, _ row: Rect, _ measure: Measure) {
    let inset = measure.length(10)
    let inside = Rect(x: row.x + inset, y: row.y, width: row.width - 2 * inset, height: row.height)
    canvas.fillRounded(row, radius: measure.length(7), isChosen ? colours.accent : colours.groove)
    let face = nowPlaying.fit(text, type.bold, [20, 18, 16], width: inside.width, measure)
    let colour = isChosen ? colours.standingText : colours.text
    let lines = face.lines(of: text, width: inside.width, atMost: max(1, inside.height / face.lineHeight))
    let top = inside.y + max(0, inside.height - lines.count * face.lineHeight) / 2
    for (index, line) in lines.enumerated() {
      let place = Rect(x: inside.x, y: top + index * face.lineHeight, width: inside.width, height: face.lineHeight)
      canvas.draw(line, in: lines.count == 1 ? inside : place, colour: colour, hanging: measure.length(3))
    }
  }

  private func drawText(_ shown: ShownQuestion, on canvas: Canvas, _ room: Rect, _ measure: Measure) {
    let lines = laidOut(shown, room, measure)
    var y = room.y + max(0, room.height - lines.reduce(0) { $0 + $1.step }) / 2
    for line in lines {
      // What has no room is not drawn over the answers.
      guard y + line.step <= room.bottom else { return }
      canvas.draw(
        line.line, in: Rect(x: room.x, y: y, width: room.width, height: line.step),
        colour: line.isDetail ? colours.accentText : colours.title, hanging: measure.length(3))
      y += line.step
    }
  }

  struct Line {
    let line: TextLine
    let isDetail: Bool
    var text: String { line.text }
    var face: Face { line.face }
    var step: Int { face.size * 9 / 8 }
  }

  /// In the largest letters in which all of it can be read; in the smallest ends what is too long in an ellipsis.
  func laidOut(_ shown: ShownQuestion, _ room: Rect, _ measure: Measure) -> [Line] {
    var lines: [Line] = []
    for (size, detailSize) in [(26, 20), (24, 18), (22, 17), (20, 16), (18, 15), (16, 14), (15, 12), (14, 11)] {
      let face = type.bold.at(measure.letters(size))
      let detailFace = type.regular.at(measure.letters(detailSize))
      let text = face.lines(of: shown.text, width: room.width, atMost: 4, balanced: true)
      lines = text.map { Line(line: $0, isDetail: false) }
      for detail in shown.details {
        lines += detailFace.lines(of: detail, width: room.width, atMost: 5).map { Line(line: $0, isDetail: true) }
      }
      let fits = lines.allSatisfy { $0.line.width <= room.width }
      if fits, lines.reduce(0, { $0 + $1.step }) <= room.height { break }
    }
    return lines
  }

  private func drawFoot(_ shown: ShownQuestion, on canvas: Canvas, _ measure: Measure) {
    if shown.notice == nil, look.isForCars { return }
    if let notice = shown.notice {
      let band = Rect(
        x: 0, y: measure.foot.y, width: canvas.size.width, height: max(1, measure.keys.y - measure.foot.y))
      return nowPlaying.draw(
        notice, stands: shown.noticeStands, in: band, margin: measure.foot.x,
        type.bold.at(measure.letters(look.isForCars ? 16 : 13)), on: canvas)
    }
    let face = type.regular.at(measure.letters(16))
    let more = shown.waiting > 0 ? "\(shown.waiting) \(nowPlaying.words[.more])" : ""
    canvas.draw(more, in: measure.foot, font: face, colour: colours.quiet, align: .trailing)
    var place = measure.foot
    place.width -= face.width(of: more) + measure.length(8)
    canvas.draw(nowPlaying.words[.turnThenPress], in: place, font: face, colour: colours.quiet, tooWide: .fade)
  }
}
