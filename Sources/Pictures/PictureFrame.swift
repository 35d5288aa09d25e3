/// How a picture of any shape comes into the space that it is given.
package enum PictureFrame: Hashable, Sendable {
  /// All of the space, and of the picture what lies in its middle.
  case filling(Size)
  /// All of the picture, and of the space as much as it needs.
  case fitting(Size)

  package static func square(_ side: Int) -> PictureFrame { .filling(Size(width: side, height: side)) }

  /// Kept within what any panel has, since memory is taken for it.
  package static let longestSide = 1_024

  private var wanted: Size {
    let asked =
      switch self {
      case .filling(let size), .fitting(let size): size
      }
    return Size(
      width: min(max(asked.width, 1), Self.longestSide), height: min(max(asked.height, 1), Self.longestSide))
  }

  /// How large the picture is when it is done.
  package func result(of source: Size) -> Size {
    guard case .fitting = self else { return wanted }
    return whole(of: source)
  }

  /// The part of the picture that is shown.
  func part(of source: Size) -> Rect {
    guard case .filling(let size) = self, size.width > 0, size.height > 0 else {
      return Rect(x: 0, y: 0, width: source.width, height: source.height)
    }
    let wanted = wanted
    let width = min(source.width, max(1, Self.rounded(source.height * wanted.width, wanted.height)))
    let height = min(source.height, max(1, Self.rounded(source.width * wanted.height, wanted.width)))
    return Rect(x: (source.width - width) / 2, y: (source.height - height) / 2, width: width, height: height)
  }

  /// All of the picture at the size at which it is shown: what is decoded shall not be smaller.
  func whole(of source: Size) -> Size {
    let wanted = wanted
    let isWider = source.width * wanted.height >= source.height * wanted.width
    let byWidth: Bool
    if case .fitting = self { byWidth = isWider } else { byWidth = !isWider }
    return byWidth
      ? Size(width: wanted.width, height: max(1, Self.rounded(source.height * wanted.width, source.width)))
      : Size(width: max(1, Self.rounded(source.width * wanted.height, source.height)), height: wanted.height)
  }

  private static func rounded(_ value: Int, _ divisor: Int) -> Int { (2 * value + divisor) / (2 * divisor) }
}
