import Application
import Canvas
import Runtime

extension NowPlayingScreen {
  /// Per cent a touch.
  private static let volumeStep = 5

  func targets(_ now: NowPlaying, _ size: Size) -> [TouchTarget] {
    let layout = layout(now, size)
    if let (button, action) = stateButton(now, size) {
      return [TouchTarget(button, action.meaning)] + keys(layout, size).map { TouchTarget($1, Self.meaning(of: $0)) }
    }
    var targets = keys(layout, size).map { key, rect in TouchTarget(rect, Self.meaning(of: key)) }
    let band = line(now, layout, size)
    if let duration = now.length, let band {
      targets.append(
        TouchTarget(band) { part in
          [.command(.seek(to: .milliseconds(Int64(part * Double(duration.milliseconds)))))]
        })
    }
    guard look.style.rights.allows(Capability.playAndPause) else { return targets }
    for rect in [layout.cover, layout.names].compactMap({ $0 }) {
      // A finger's height of the line of the time may reach into it.
      var free = placed(rect, size)
      if let band, band.y < free.bottom { free.height = max(0, band.y - free.y) }
      if free.height > 0 { targets.append(TouchTarget(free, .command(.toggle))) }
    }
    return targets
  }

  func ground(_ now: NowPlaying, _ size: Size) -> TouchReading.Ground {
    var ground = TouchReading.Ground(targets: targets(now, size), size: size, isMenu: false)
    ground.line = line(now, layout(now, size), size)
    return ground
  }

  /// The bar alone would be thinner than a finger: with the times below it, down to the keys or the panel's edge.
  private func line(_ now: NowPlaying, _ layout: NowPlayingLayout, _ size: Size) -> Rect? {
    guard now.length != nil, now.count > 0, look.style.rights.allows(Capability.seek) else { return nil }
    let bottom = layout.keys.y > layout.times.y ? layout.keys.y : size.height
    let top = min(layout.progress.y - layout.length(4), bottom - look.style.finger(on: size))
    return Rect(x: layout.progress.x, y: top, width: layout.progress.width, height: bottom - top)
  }

  static func meaning(of key: Key) -> Controls.Meaning {
    switch key {
    case .menu: .menu(.open)
    case .quieter: .command(.turn(by: -volumeStep))
    case .louder: .command(.turn(by: volumeStep))
    case .previous: .command(.previous)
    case .play: .command(.toggle)
    case .next: .command(.next)
    }
  }
}

extension MenuScreen {
  /// Each row, letter and end of a dial; the bar at the top leads back.
  func targets(_ shown: ShownMenu, _ size: Size) -> [TouchTarget] {
    let layout = layout(shown, size)
    let bar = Rect(x: 0, y: 0, width: size.width, height: layout.bar.bottom)
    let inside: [TouchTarget] =
      switch shown.content {
      case .rows(let rows, let focus, _, _): targets(rows, focus, layout)
      case .wheel(let wheel): targets(wheel, layout)
      case .dial(let dial): targets(dial, layout)
      case .place(let shown): targets(shown, layout)
      // It is tried again.
      case .words, .code, .heard: [TouchTarget(layout.room, .menu(.press))]
      }
    return [TouchTarget(bar, .menu(.back))] + inside
  }

  func ground(_ shown: ShownMenu, _ size: Size) -> TouchReading.Ground {
    let layout = layout(shown, size)
    var ground = TouchReading.Ground(targets: targets(shown, size), size: size, isMenu: true)
    ground.isMirrored = words.isRightToLeft
    if case .rows(let rows, let focus, _, _) = shown.content {
      ground.row = layout.row
      ground.letters = letterEdge(shown, layout)
      ground.held = laidOut(rows, focus, layout).filter { rows[$0.index].more != nil }.map { laid in
        TouchTarget(laid.visible, .menu(.turn(laid.index - focus)), .menu(.more))
      }
    }
    if case .place(let place) = shown.content { ground.line = line(place, layout) }
    return ground
  }

  private func targets(_ rows: [MenuRow], _ focus: Int, _ layout: ListLayout) -> [TouchTarget] {
    laidOut(rows, focus, layout).map { laid in
      TouchTarget(laid.visible, .menu(.turn(laid.index - focus)), .menu(.press))
    }
  }

  private func targets(_ wheel: LetterWheel, _ layout: ListLayout) -> [TouchTarget] {
    var targets = cells(wheel, layout).map { cell in
      TouchTarget(cell.rect, .menu(.turn(cell.step)), .menu(.press))
    }
    // A touch on the hits of a search opens all of them. A name or a PIN ends only by its key.
    if wheel.writing == nil, let results = wheel.choices.firstIndex(of: .results) {
      let below = (targets.map(\.rect.bottom).max() ?? layout.room.y) + 1
      let found = Rect(
        x: layout.room.x, y: below, width: layout.room.width, height: max(layout.room.bottom - below, 0))
      targets.append(TouchTarget(found, .menu(.turn(results - wheel.focus)), .menu(.press)))
    }
    return targets
  }

  /// On its line the music goes there; what is above is a press.
  private func targets(_ shown: PlaceDial.Shown, _ layout: ListLayout) -> [TouchTarget] {
    let band = line(shown, layout)
    let isMirrored = words.isRightToLeft
    return [
      TouchTarget(band) { part in [.menu(.slide(isMirrored ? 1 - part : part))] },
      TouchTarget(above(band, layout), .menu(.press)),
    ]
  }

  private func above(_ band: Rect, _ layout: ListLayout) -> Rect {
    Rect(x: layout.room.x, y: layout.room.y, width: layout.room.width, height: band.y - layout.room.y)
  }

  private func line(_ shown: PlaceDial.Shown, _ layout: ListLayout) -> Rect {
    line(placeLayout(shown, layout).bar, layout)
  }

  /// With all that is below it, as high as a finger at least.
  private func line(_ bar: Rect, _ layout: ListLayout) -> Rect {
    let room = layout.room
    let top = max(min(bar.y - 2 * layout.unit, room.bottom - layout.row), room.y)
    return Rect(x: bar.x, y: top, width: bar.width, height: room.bottom - top)
  }

  /// The same for a number.
  private func targets(_ dial: Dial, _ layout: ListLayout) -> [TouchTarget] {
    let band = line(dialLine(layout), layout)
    let slides = TouchTarget(band) { part in
      let progress = dial.progress
      return [.menu(.turn(Int((part * Double(progress.of)).rounded()) - progress.at))]
    }
    return [slides, TouchTarget(above(band, layout), .menu(.press))]
  }
}

extension QuestionScreen {
  func targets(_ shown: ShownQuestion, _ size: Size) -> [TouchTarget] {
    answerRows(shown, layout(shown, size)).enumerated().map { index, rect in
      TouchTarget(rect, .choose(by: index - shown.chosen), .confirm)
    }
  }

  /// Neither back nor the menu: it is answered first.
  func ground(_ shown: ShownQuestion, _ size: Size) -> TouchReading.Ground {
    TouchReading.Ground(targets: targets(shown, size), size: size, isMenu: false, isQuestion: true)
  }
}
