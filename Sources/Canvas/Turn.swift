/// How a panel is built in: how far its picture is turned clockwise so that people see it upright. Everything is drawn
/// upright, as large as it is seen; the last write turns it.
package enum Turn: Int, Sendable, CaseIterable {
  case none = 0
  case quarter = 90
  case half = 180
  case threeQuarters = 270

  private var isAcross: Bool { self == .quarter || self == .threeQuarters }

  /// As the panel has it for what is seen as `size`, and the other way round.
  package func turned(_ size: Size) -> Size {
    isAcross ? Size(width: size.height, height: size.width) : size
  }

  /// Where a part of what is seen, which is `whole` large, lies on the panel.
  package func turned(_ rect: Rect, of whole: Size) -> Rect {
    switch self {
    case .none: rect
    case .quarter: Rect(x: whole.height - rect.bottom, y: rect.x, width: rect.height, height: rect.width)
    case .half:
      Rect(x: whole.width - rect.right, y: whole.height - rect.bottom, width: rect.width, height: rect.height)
    case .threeQuarters: Rect(x: rect.y, y: whole.width - rect.right, width: rect.height, height: rect.width)
    }
  }

  /// How the panel's pixels are found in a canvas whose rows are `row` pixels long, of which `whole` is seen: which one
  /// the panel's first is, and how many further on the next to the right and the next below are.
  func path(through whole: Size, row: Int) -> (start: Int, right: Int, down: Int) {
    switch self {
    case .none: (0, 1, row)
    case .quarter: ((whole.height - 1) * row, -row, 1)
    case .half: ((whole.height - 1) * row + whole.width - 1, -1, -row)
    case .threeQuarters: (whole.width - 1, row, -1)
    }
  }
}
