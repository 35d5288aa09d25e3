import Canvas

/// Title, artist and album: beside the cover from its upper edge on, or in the middle below it.
extension NowPlayingScreen {
  /// In which letters they are set, and how much room each has.
  struct Names {
    let title: TextLines
    let titleStep: Int
    /// The artist; the chapter where there is no room for that elsewhere.
    let second: String
    let artist: Face
    /// 0 where there is no room for it, or nothing to say.
    let artistHeight: Int
    let album: Face
    let albumHeight: Int

    /// Above the artist, and above the album.
    let gap: Int

    var height: Int { title.count * titleStep + (artistHeight > 0 ? gap : 0) + artistHeight + albumHeight }
  }

  /// What a notice leaves of their room.
  private func namesRoom(_ now: NowPlaying, _ layout: NowPlayingLayout) -> Rect {
    var room = layout.names
    guard now.notice != nil || now.warning != nil else { return room }
    let band = noticeBand(now, layout)
    if band.y > room.y { room.height = max(1, min(room.bottom, band.y) - room.y) }
    return room
  }

  func names(_ now: NowPlaying, _ layout: NowPlayingLayout) -> Names {
    let room = namesRoom(now, layout)
    let large = type.regular.at(layout.letters(layout.type.middle))
    let gap = layout.screen == .tiny ? 0 : layout.length(layout.type.small / 2)
    let album = type.regular.at(layout.letters(layout.type.small))
    // Below the cover of a small panel it has no room, and in a car only the largest letters are read at a glance.
    let isLarge = layout.screen == .large || layout.screen == .largeTall
    let showsAlbum = isLarge || !look.isForCars && layout.screen != .tiny && layout.screen != .square
    let second = showsAlbum ? now.artist : now.chapter ?? now.artist
    let leastTitle = layout.letters(layout.type.large) * 6 / 5
    let hasRoom = large.width(of: second) <= room.width && room.height >= leastTitle + large.size * 5 / 4
    let artist = hasRoom ? large : album
    let hasArtist = !second.isEmpty && room.height >= leastTitle + artist.size * 5 / 4
    let artistHeight = hasArtist ? artist.size * 4 / 3 : 0
    let hasAlbum = !now.origin.isEmpty && showsAlbum && (hasArtist || second.isEmpty)
    let albumHeight = hasAlbum && room.height >= leastTitle + artistHeight + album.size * 4 / 3 ? album.size * 4 / 3 : 0
    let title = titleLines(
      title(of: now), width: room.width, height: room.height - artistHeight - albumHeight - gap, layout)
    let step = Self.step(title.face)
    return Names(
      title: title, titleStep: step, second: second, artist: artist, artistHeight: artistHeight,
      album: album, albumHeight: albumHeight,
      gap: max(0, min(gap, room.height - title.count * step - artistHeight - albumHeight)))
  }

  private static func step(_ face: Face) -> Int { face.size * 6 / 5 }

  /// What of the title has no room; nothing in a car, where nothing moves that need not.
  func overrun(_ now: NowPlaying, _ size: Size) -> Marquee.Overrun? {
    if look.isForCars || now.count == 0 { return nil }
    let layout = layout(now, size)
    guard let last = names(now, layout).title.last, last.width > layout.names.width else { return nil }
    return Marquee.Overrun(title(of: now), pixels: last.width - layout.names.width, letters: last.face.size)
  }

  /// So many pixels of what has no room have gone by.
  func drawNames(_ now: NowPlaying, gone: Int, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let room = namesRoom(now, layout)
    let names = names(now, layout)
    let isCentred = !layout.screen.isLandscape && layout.screen != .tiny
    var y = isCentred ? room.y + max(0, room.height - names.height) / 2 : room.y
    func draw(_ line: TextLine, _ height: Int, _ colour: Pixel, gone: Int = 0) {
      canvas.draw(
        line, in: Rect(x: room.x, y: y, width: room.width, height: height), colour: colour,
        align: isCentred ? .centre : .leading, tooWide: gone > 0 ? .passing(gone) : .ellipsis,
        hanging: layout.length(3))
      y += height
    }
    for index in names.title.indices {
      draw(names.title[index], names.titleStep, colours.title, gone: index == names.title.count - 1 ? gone : 0)
    }
    if names.artistHeight > 0 { y += names.gap }
    if names.artistHeight > 0 { draw(names.artist.line(of: names.second), names.artistHeight, colours.text) }
    if names.albumHeight > 0 { draw(names.album.line(of: now.origin), names.albumHeight, colours.quiet) }
  }

  /// In large letters on two lines, else in the next smaller ones on as many as there is room for; then its last line
  /// is too long.
  private func titleLines(_ title: String, width: Int, height: Int, _ layout: NowPlayingLayout) -> TextLines {
    func lines(_ size: Int, atMost most: Int) -> TextLines {
      let face = type.bold.at(layout.letters(size))
      return face.lines(of: title, width: width, atMost: max(1, min(most, height / Self.step(face))), balanced: true)
    }
    let large = lines(layout.type.large, atMost: 2)
    if large.fit(width) { return large }
    let middle = lines(layout.type.middle, atMost: 3)
    if middle.fit(width) || !layout.screen.isLandscape { return middle }
    let small = lines(layout.type.small, atMost: 4)
    return small.fit(width) ? small : middle
  }
}
