import Canvas

/// The kinds of screens that have a layout of their own. A screen of another size gets the layout of the class it is
/// nearest to in shape, with all lengths in the proportion of the two.
package enum ScreenClass: CaseIterable, Sendable {
  /// 128x64, as a rule with one bit a pixel.
  case tiny
  /// 240x240.
  case square
  /// 320x240.
  case wide
  /// 240x320.
  case tall
  /// 480x320.
  case wider
  /// 800x480.
  case large
  /// 480x800.
  case largeTall

  /// No line of advice has room below its lists.
  package var isSmall: Bool {
    switch self {
    case .tiny, .square, .wide: true
    case .tall, .wider, .large, .largeTall: false
    }
  }

  /// What its layout was drawn for.
  package var size: Size {
    switch self {
    case .tiny: Size(width: 128, height: 64)
    case .square: Size(width: 240, height: 240)
    case .wide: Size(width: 320, height: 240)
    case .tall: Size(width: 240, height: 320)
    case .wider: Size(width: 480, height: 320)
    case .large: Size(width: 800, height: 480)
    case .largeTall: Size(width: 480, height: 800)
    }
  }

  package init(_ size: Size) {
    let (width, height) = (size.width, size.height)
    if min(width, height) < 120 {
      self = .tiny
    } else if width * 8 > height * 9 {
      self = height < 280 ? .wide : height < 420 ? .wider : .large
    } else if height * 8 > width * 9 {
      self = width < 360 ? .tall : .largeTall
    } else {
      self = .square
    }
  }

  /// The cover stands beside the names, not above them.
  var isLandscape: Bool {
    switch self {
    case .wide, .wider, .large: true
    case .tiny, .square, .tall, .largeTall: false
    }
  }

  /// So many columns of any text are read whole in one row, also in the letters of a car and above a notice. A sentence is
  /// rarely longer than that of the large ones.
  var textColumns: Int {
    switch self {
    case .tiny: 44
    case .square, .wide, .tall: 88
    case .wider, .large, .largeTall: 176
    }
  }

  /// The three sizes of type on a screen of the class's own size.
  func type(_ style: PanelStyle) -> TypeSizes {
    let atHome =
      switch self {
      case .tiny: TypeSizes(small: 13, middle: 13, large: 15)
      case .square, .wide, .tall: TypeSizes(small: 14, middle: 18, large: 22)
      case .wider: TypeSizes(small: 18, middle: 22, large: 28)
      case .large, .largeTall: TypeSizes(small: 22, middle: 28, large: 36)
      }
    return style.isForCars && self != .tiny ? atHome.forCars : atHome
  }
}

/// Enlarges the lengths of a layout, which are pixels on a screen of its class's own size, to the screen that is there.
struct ScreenScale: Equatable {
  let screen: ScreenClass
  private let factor: Double
  /// The smallest type, in pixels: nobody can read smaller letters on a coarse panel.
  static let smallestType = 9

  init(_ size: Size) {
    screen = ScreenClass(size)
    let own = screen.size
    factor = min(Double(size.width) / Double(own.width), Double(size.height) / Double(own.height))
  }

  /// A length or a distance. It never becomes less than `least`.
  func pixels(_ length: Int, least: Int = 1) -> Int { max(least, place(length)) }

  /// A place from the left or from the top, which may be 0.
  func place(_ length: Int) -> Int { Int((Double(length) * factor).rounded()) }

  /// A size of type.
  func letters(_ size: Int) -> Int { pixels(size, least: Self.smallestType) }

  /// The length on a screen of the class's own size that is at least so many pixels here.
  func original(of pixels: Int) -> Int { Int((Double(pixels) / factor).rounded(.up)) }

  /// The three sizes of type on this screen.
  func type(_ style: PanelStyle) -> TypeSizes {
    let sizes = screen.type(style)
    return TypeSizes(small: letters(sizes.small), middle: letters(sizes.middle), large: letters(sizes.large))
  }
}

/// Three sizes of type, in a ratio of about 1.25, are all that a screen has.
package struct TypeSizes: Equatable, Sendable {
  var small: Int
  var middle: Int
  var large: Int

  /// For a driver: each is as large as the next one at home.
  var forCars: TypeSizes { TypeSizes(small: middle, middle: large, large: large * 5 / 4) }
}
