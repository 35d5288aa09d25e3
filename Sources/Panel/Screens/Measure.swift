import Canvas

/// The screen's rows, in pixels of the canvas. All lengths are given as on a panel of 320 x 240 and grow with it; on
/// a narrower one they shrink only as far as the width asks.
struct Measure {
  private let scale: Double
  let top: Rect
  let middle: Rect
  let progress: Rect
  let times: Rect
  let foot: Rect

  init(_ size: Size) {
    let scale = min(Double(size.width) / 272, Double(size.height) / 240)
    func pixels(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
    let margin = pixels(12)
    func row(_ y: Int, _ height: Int) -> Rect {
      Rect(x: margin, y: y, width: size.width - 2 * margin, height: height)
    }
    self.scale = scale
    top = row(pixels(7), pixels(28))
    foot = row(size.height - pixels(30), pixels(27))
    times = row(foot.y - pixels(32), pixels(30))
    progress = row(times.y - pixels(13), pixels(10))
    middle = row(top.bottom + pixels(5), progress.y - top.bottom - pixels(10))
  }

  /// A square at the right end of the names' room, and at most half of it; nil where it would be a stamp.
  var cover: Rect? {
    let side = min(middle.height, middle.width / 2)
    guard side >= 72 else { return nil }
    return Rect(x: middle.right - side, y: middle.y + (middle.height - side) / 2, width: side, height: side)
  }

  func length(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
}
