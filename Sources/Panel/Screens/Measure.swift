import Canvas

/// A question's and an invitation's screen row by row, in pixels of the canvas. All lengths are given as on a panel of 320 x 240 and grow
/// with it; on a narrower one they shrink only as far as the width asks.
struct Measure {
  private let scale: Double
  private let style: PanelStyle
  let top: Rect
  let middle: Rect
  let progress: Rect
  let times: Rect
  let foot: Rect
  /// What is touched, below all else; without height where nothing is.
  let keys: Rect

  /// What the last line is for: in a car there is none but for a notice, which has two lines then.
  enum Foot { case line, notice }

  init(_ size: Size, _ style: PanelStyle = PanelStyle(), foot kind: Foot = .line) {
    let scale = min(Double(size.width) / 272, Double(size.height) / 240)
    func pixels(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
    let margin = pixels(12)
    func row(_ y: Int, _ height: Int) -> Rect {
      Rect(x: margin, y: y, width: size.width - 2 * margin, height: height)
    }
    self.scale = scale
    self.style = style
    let keysHeight = style.isTouched ? Self.keysHeight(size, style, scale) : 0
    keys = Rect(x: 0, y: size.height - keysHeight, width: size.width, height: keysHeight)
    top = row(pixels(7), pixels(28))
    let footHeight =
      switch (kind, style.isForCars, style.isTouched) {
      case (.line, false, false), (.notice, false, _): 30
      case (.notice, true, _): 56
      // What comes next gives way to what can be touched.
      case (.line, true, _), (.line, _, true): 3
      }
    foot = row(keys.y - pixels(footHeight), pixels(footHeight) - pixels(3))
    times = row(foot.y - pixels(32), pixels(30))
    progress = row(times.y - pixels(13), pixels(10))
    middle = row(top.bottom + pixels(5), progress.y - top.bottom - pixels(10))
  }

  /// A finger's breadth, but never most of a small panel.
  private static func keysHeight(_ size: Size, _ style: PanelStyle, _ scale: Double) -> Int {
    min(Int((Double(style.isForCars ? 56 : 46) * scale).rounded()), size.height / 3)
  }

  func length(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }

  /// Of type.
  func letters(_ size: Int) -> Int { length(style.letters(size)) }
}
