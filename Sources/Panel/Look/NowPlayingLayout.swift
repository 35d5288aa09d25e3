import Canvas

/// Where everything stands on the screen of what plays, by the class of the screen. All figures are pixels on a screen
/// of the class's own size. Nothing moves when a cover comes late or a notice is shown; only in a car a notice at the top,
/// whose letters are large, takes some of the cover's room. Where there is room for that, a notice hides neither the top
/// row nor the time.
struct NowPlayingLayout: Equatable {
  let screen: ScreenClass
  /// What is switched on at the left, the clock at the right.
  let top: Rect
  let cover: Rect?
  let names: Rect
  let progress: Rect
  let times: Rect
  /// What comes next; without height where there is no room for it.
  let next: Rect
  /// What can be touched; without height where nothing is.
  let keys: Rect
  /// A notice is drawn over what stands there.
  let notice: Rect
  /// What it would hide besides is hidden in part already, or it is only the upper edge of a cover.
  var noticeMayGrow: Bool { noticeIsAbove ? !screen.isLandscape : notice.y <= times.y }
  var noticeIsAbove: Bool { notice.y < progress.y / 2 }
  /// It stands at the foot of the names, which go up to make room for it.
  var noticeIsBelowNames: Bool { names.height > 0 && notice.y >= names.y && notice.bottom <= names.bottom }
  /// The volume is drawn over what stands there while it is turned.
  let volume: Rect
  let margin: Int
  let type: TypeSizes
  private let scale: ScreenScale

  /// `isEmpty`: nothing is there to be played, and what is said instead has all of the width above the keys.
  init(_ size: Size, _ style: PanelStyle = PanelStyle(), hasNotice: Bool = false, isEmpty: Bool = false) {
    let scale = ScreenScale(size)
    var figures = Figures(scale.screen, style)
    figures.fit(finger: scale.original(of: style.finger(on: size)))
    func pixels(_ length: Int) -> Int { scale.pixels(length) }
    func rows(_ span: Range<Int>) -> (y: Int, height: Int) {
      let y = scale.place(span.lowerBound)
      return (y, span.isEmpty ? 0 : max(1, scale.place(span.upperBound) - y))
    }
    /// What is left when the panel is wider or higher than the class goes to the names and the cover's surroundings.
    func row(_ span: Range<Int>) -> Rect {
      let (y, height) = rows(span)
      let x = pixels(figures.margin)
      return Rect(x: x, y: y, width: max(1, size.width - pixels(figures.margin) - x), height: height)
    }
    (screen, self.scale) = (scale.screen, scale)
    type = figures.type
    margin = pixels(figures.margin)
    top = row(figures.top)
    progress = row(figures.progress)
    times = row(figures.times)
    let noticeRows = rows(figures.notice)
    let wholeNotice = Rect(x: 0, y: noticeRows.y, width: size.width, height: noticeRows.height)
    volume = Rect(x: 0, y: 0, width: size.width, height: rows(figures.volume).height)

    let middle = rows(figures.middle)
    let movesCover = style.isForCars && hasNotice && wholeNotice.y < middle.y
    // Where the cover is below the notice, that grows by a line when its words need one.
    let growth = scale.screen == .tall || scale.screen == .largeTall ? figures.type.small * 6 / 5 : 0
    let noticeEnd = movesCover ? wholeNotice.bottom + pixels(4 + growth) : 0
    let begin = max(middle.y, noticeEnd)
    let side = min(pixels(figures.cover), middle.y + middle.height - begin)
    let hasCover = figures.cover > 0 && side >= 40 && screen != .tiny
    if screen.isLandscape {
      cover = hasCover ? Rect(x: margin, y: begin, width: side, height: side) : nil
      let left = hasCover ? side + pixels(figures.gap) : 0
      let column = Rect(
        x: margin + left, y: begin, width: max(1, size.width - 2 * margin - left),
        height: max(1, middle.y + middle.height - begin))
      let nextRows = rows(figures.next)
      let isBeside = figures.next.upperBound <= figures.middle.upperBound
      next =
        isBeside ? Rect(x: column.x, y: nextRows.y, width: column.width, height: nextRows.height) : row(figures.next)
      let keyRows = rows(figures.keys)
      let haveColumn = !figures.keys.isEmpty && figures.keys.upperBound <= figures.middle.upperBound
      let keysAreBeside = haveColumn && !isEmpty
      let keysBegin = haveColumn && isEmpty ? size.height - keyRows.height - pixels(8) : keyRows.y
      keys = Rect(
        x: keysAreBeside ? column.x : 0, y: keysBegin, width: keysAreBeside ? column.width : size.width,
        height: keyRows.height)
      let end = keysAreBeside ? keys.y - pixels(8) : isBeside && next.height > 0 ? next.y - pixels(8) : column.bottom
      names = Rect(x: column.x, y: column.y, width: column.width, height: max(1, end - column.y))
      if !figures.noticeIsBeside {
        notice = wholeNotice
      } else if isEmpty {
        let end = keys.height > 0 ? keys.y - pixels(8) : size.height
        notice = Rect(x: 0, y: end - noticeRows.height, width: size.width, height: noticeRows.height)
      } else {
        // From the cover on, its words below the names.
        notice = Rect(
          x: column.x - margin, y: noticeRows.y, width: size.width - column.x + margin, height: noticeRows.height)
      }
    } else {
      let bottom = figures.keys.isEmpty ? size.height : rows(figures.keys).y - pixels(8)
      let isAtFoot = isEmpty && !figures.names.isEmpty && figures.notice.lowerBound >= figures.names.lowerBound
      notice =
        isAtFoot
        ? Rect(x: 0, y: bottom - noticeRows.height, width: size.width, height: noticeRows.height) : wholeNotice
      let coverEnd = begin + side
      cover = hasCover ? Rect(x: (size.width - side) / 2, y: begin, width: side, height: side) : nil
      let nameRows = rows(figures.names)
      let nameBegin = hasCover ? max(nameRows.y, coverEnd) : nameRows.y
      names = Rect(
        x: margin, y: nameBegin, width: max(1, size.width - 2 * margin),
        height: max(1, nameRows.y + nameRows.height - nameBegin))
      next = row(figures.next)
      let keyRows = rows(figures.keys)
      keys = Rect(x: 0, y: keyRows.y, width: size.width, height: keyRows.height)
    }
  }

  /// The side of the cover of what comes next; 0 where there is no place for one.
  var nextCover: Int { screen == .large && next.height > 0 ? length(48) : 0 }

  func length(_ length: Int) -> Int { scale.pixels(length) }

  /// A size of type.
  func letters(_ size: Int) -> Int { scale.letters(size) }

  /// The figures of one class, at home or in a car, with keys to be touched or without.
  private struct Figures {
    var margin = 12
    var top = 0..<0
    var middle = 0..<0
    var cover = 0
    /// Between the cover and the names beside it.
    var gap = 12
    /// Below the cover, where they are not beside it.
    var names = 0..<0
    var progress = 0..<0
    var times = 0..<0
    var next = 0..<0
    var keys = 0..<0
    var notice = 0..<0
    var volume = 0..<0
    var type: TypeSizes

    init(_ screen: ScreenClass, _ style: PanelStyle) {
      type = screen.type(style)
      switch screen {
      case .tiny:
        (margin, top, names) = (0, 0..<0, 0..<38)
        (progress, times, notice, volume) = (41..<46, 48..<64, 46..<64, 0..<64)
      case .square:
        (top, middle, cover) = (8..<26, 8..<136, 128)
        (names, progress, times) = (138..<196, 202..<208, 212..<236)
        (notice, volume) = (204..<240, 0..<32)
      case .wide:
        (top, middle, cover) = (8..<26, 32..<160, 128)
        (progress, times, next) = (170..<176, 178..<202, 212..<234)
        (notice, volume) = (204..<240, 0..<30)
      case .tall:
        (top, middle, cover) = (8..<26, 32..<192, 160)
        (names, progress, times) = (196..<280, 284..<290, 294..<316)
        (notice, volume) = (240..<280, 0..<30)
      case .wider:
        (margin, gap) = (16, 16)
        (top, middle, cover) = (10..<34, 44..<220, 176)
        (progress, times, next) = (234..<242, 244..<272, 286..<312)
        (notice, volume) = (274..<320, 0..<40)
      case .large:
        (margin, gap) = (24, 24)
        (top, middle, cover) = (22..<50, 64..<384, 320)
        (progress, times, next) = (408..<416, 422..<460, 326..<384)
        (notice, volume) = (326..<384, 0..<60)
      case .largeTall:
        margin = 24
        (top, middle, cover) = (22..<50, 64..<496, 432)
        (names, progress, times) = (508..<688, 696..<704, 712..<750)
        (next, notice, volume) = (762..<790, 628..<688, 0..<60)
      }
      if style.isForCars { growForCars(screen) }
      if style.isTouched { makeRoomForKeys(screen, style) }
    }

    /// Beside the cover, over what comes next or above the keys.
    var noticeIsBeside: Bool {
      notice.lowerBound > middle.lowerBound && notice.upperBound <= middle.upperBound
    }

    /// Keys grow upwards to the height of a finger; what stands above them moves up, and the cover gives way.
    mutating func fit(finger: Int) {
      let more = min(finger - keys.count, middle.count - 40)
      guard !keys.isEmpty, more > 0 else { return }
      let isBeside = keys.upperBound <= middle.upperBound
      keys = keys.lowerBound - more..<keys.upperBound
      func up(_ rows: Range<Int>) -> Range<Int> { rows.lowerBound - more..<rows.upperBound - more }
      if noticeIsBeside || names.contains(notice.lowerBound) { notice = up(notice) }
      guard !isBeside else { return }
      middle = middle.lowerBound..<middle.upperBound - more
      cover = max(0, min(cover, middle.count))
      (progress, times) = (up(progress), up(times))
      if !names.isEmpty { names = up(names) }
    }

    /// What comes next is not for a driver; its room is for larger letters.
    private mutating func growForCars(_ screen: ScreenClass) {
      next = 0..<0
      switch screen {
      case .tiny, .square: break
      case .wide:
        (top, middle, cover) = (6..<28, 32..<176, 112)
        (progress, times, notice) = (188..<196, 202..<234, 0..<56)
      case .tall: (top, notice) = (6..<28, 30..<86)
      case .wider:
        (top, middle, cover) = (8..<36, 44..<236, 176)
        (progress, times, notice) = (252..<262, 270..<310, 0..<68)
      case .large:
        (top, notice) = (18..<54, 58..<142)
      case .largeTall: (top, notice) = (18..<54, 58..<142)
      }
    }

    /// Keys are 9 mm high or more on panels of 3.5 and 7 inches, and stand where what comes next stood.
    private mutating func makeRoomForKeys(_ screen: ScreenClass, _ style: PanelStyle) {
      next = 0..<0
      switch screen {
      case .tiny: keys = 0..<0
      case .square:
        (keys, middle, cover) = (192..<240, 8..<88, 80)
        (names, progress, times, notice) = (90..<152, 156..<164, 168..<190, 0..<40)
      case .wide:
        (keys, middle, cover) = (184..<240, 38..<138, 100)
        (progress, times) = (144..<152, 156..<182)
        if !style.isForCars { notice = 0..<36 }
      case .tall:
        (keys, middle, cover) = (264..<320, 32..<152, 120)
        (names, progress, times) = (156..<222, 226..<234, 238..<262)
        if !style.isForCars { notice = 182..<222 }
      case .wider:
        (keys, middle, cover) = (248..<320, 44..<188, 144)
        (progress, times) = (200..<210, 214..<246)
        if !style.isForCars { notice = 0..<46 }
      case .large:
        keys = 312..<384
        if !style.isForCars { notice = 246..<304 }
      case .largeTall:
        (keys, middle, cover) = (704..<800, 64..<448, 384)
        (names, progress, times) = (458..<632, 640..<650, 656..<698)
        if !style.isForCars { notice = 572..<632 }
      }
    }
  }
}
