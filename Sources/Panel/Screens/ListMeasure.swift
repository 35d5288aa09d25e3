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
  private let style: PanelStyle

  /// Of letters, in pixels: below them nothing can be made out on a coarse panel.
  static let smallest = 9

  /// The last line: a hint, or a notice, which has two lines in a car.
  enum Foot { case none, hint, notice }

  init(_ size: Size, _ style: PanelStyle = PanelStyle(), foot kind: Foot) {
    let scale = min(Double(size.width) / 272, Double(size.height) / 240) * Self.share(of: ScreenClass(size), style)
    func pixels(_ length: Int, least: Int = 1) -> Int { max(least, Int((Double(length) * scale).rounded())) }
    self.scale = scale
    self.style = style
    margin = pixels(10, least: 2)
    row = pixels(style.isForCars ? 57 : style.isTouched ? 46 : 41, least: Self.smallest + 4)
    let isTall = style.isForCars || style.isTouched
    let barHeight = min(pixels(isTall ? 46 : 32, least: Self.smallest + 3), size.height / 2)
    let footLength = !style.isForCars ? 30 : kind == .notice ? 58 : 34
    let hasFoot = kind != .none
    let footHeight = hasFoot ? min(pixels(footLength, least: Self.smallest + 3), (size.height - barHeight) / 2) : 0
    bar = Rect(x: margin, y: 0, width: max(size.width - 2 * margin, 1), height: barHeight)
    foot = hasFoot ? Rect(x: 0, y: size.height - footHeight, width: size.width, height: footHeight) : nil
    room = Rect(x: 0, y: barHeight, width: size.width, height: size.height - barHeight - footHeight)
  }

  /// Larger panels have more rows, not only larger ones.
  private static func share(of screen: ScreenClass, _ style: PanelStyle) -> Double {
    switch screen {
    case .tiny, .square, .wide, .tall: 1
    case .wider: 0.94
    // What is touched while driving is 12 mm large.
    case .large: style.isForCars ? 0.85 : 0.8
    case .largeTall: 0.9
    }
  }

  func length(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }

  /// Of type.
  func letters(_ size: Int) -> Int { max(Self.smallest, Int((Double(style.letters(size)) * scale).rounded())) }
}
