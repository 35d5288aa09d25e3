import Canvas

/// The rows of a menu's screen, in pixels of the canvas: as many as there is room for with letters that can be read from
/// an arm's length, on a small panel fewer and not smaller ones.
struct ListMeasure {
  let bar: Rect
  let room: Rect
  let foot: Rect?
  let row: Int
  let margin: Int
  private let scale: Double

  /// Of letters, in pixels: below them nothing can be made out on a coarse panel.
  static let smallest = 9

  init(_ size: Size, hasFoot: Bool) {
    let scale = min(Double(size.width) / 272, Double(size.height) / 240)
    func pixels(_ length: Int, least: Int = 1) -> Int { max(least, Int((Double(length) * scale).rounded())) }
    self.scale = scale
    margin = pixels(10, least: 2)
    row = pixels(41, least: Self.smallest + 4)
    let barHeight = min(pixels(32, least: Self.smallest + 3), size.height / 2)
    let footHeight = hasFoot ? min(pixels(30, least: Self.smallest + 3), (size.height - barHeight) / 2) : 0
    bar = Rect(x: margin, y: 0, width: max(size.width - 2 * margin, 1), height: barHeight)
    foot = hasFoot ? Rect(x: 0, y: size.height - footHeight, width: size.width, height: footHeight) : nil
    room = Rect(x: 0, y: barHeight, width: size.width, height: size.height - barHeight - footHeight)
  }

  func length(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
  func letters(_ length: Int) -> Int { max(Self.smallest, Int((Double(length) * scale).rounded())) }
}
