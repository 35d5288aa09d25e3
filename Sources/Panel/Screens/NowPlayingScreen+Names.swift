import Canvas

/// Title, artist and album, in the middle of what is free.
extension NowPlayingScreen {
  /// In which letters they are set, and how much room each has.
  struct Names {
    let title: TextLines
    let titleStep: Int
    let artist: Face
    /// 0 where there is no room for it, or nothing to say.
    let artistHeight: Int
    let album: Face
    let albumHeight: Int

    var height: Int { title.count * titleStep + artistHeight + albumHeight }
  }

  private static let titleSizes = [42, 38, 34, 30, 28, 26]
  private static let artistSizes = [25, 23, 21]
  private static let albumSizes = [19, 17]

  func names(_ now: NowPlaying, _ measure: Measure) -> Names {
    let room = measure.middle
    let artist = fit(now.artist, type.regular, Self.artistSizes, width: room.width, measure)
    let album = fit(now.album, type.regular, Self.albumSizes, width: room.width, measure)
    let leastTitle = measure.letters(26) * 9 / 8
    let hasArtist = !now.artist.isEmpty && room.height >= leastTitle + artist.size * 5 / 4
    let artistHeight = hasArtist ? artist.size * 5 / 4 : 0
    // What fewer glances take in is not there while driving.
    let hasAlbum = !now.album.isEmpty && !look.isForCars
    let albumHeight = hasAlbum && room.height >= leastTitle + artistHeight + album.size * 5 / 4 ? album.size * 5 / 4 : 0
    let title = titleLines(
      title(of: now), width: room.width, height: room.height - artistHeight - albumHeight, measure)
    return Names(
      title: title, titleStep: title.face.size * 9 / 8, artist: artist, artistHeight: artistHeight, album: album,
      albumHeight: albumHeight)
  }

  /// What of the title has no room; nothing in a car, where nothing moves that need not.
  func overrun(_ now: NowPlaying, _ size: Size) -> Marquee.Overrun? {
    if look.isForCars || now.count == 0 { return nil }
    let measure = measure(now, size)
    guard let last = names(now, measure).title.last, last.width > measure.middle.width else { return nil }
    return Marquee.Overrun(title(of: now), pixels: last.width - measure.middle.width, letters: last.face.size)
  }

  /// So many pixels of what has no room have gone by.
  func drawNames(_ now: NowPlaying, gone: Int, over cover: Rect?, on canvas: Canvas, _ measure: Measure) {
    let room = measure.middle
    let names = names(now, measure)
    var y = room.y + max(0, room.height - names.height) / 2
    func draw(_ line: TextLine, _ height: Int, _ colour: Pixel, gone: Int = 0) {
      let row = Rect(x: room.x, y: y, width: room.width, height: height)
      if let cover {
        let width = min(room.width, line.width)
        shade(cover, below: Rect(x: row.x, y: row.y, width: width, height: height), on: canvas)
      }
      canvas.draw(
        line, in: row, colour: colour, tooWide: gone > 0 ? .passing(gone) : .ellipsis, hanging: measure.length(3))
      y += height
    }
    for index in names.title.indices {
      draw(names.title[index], names.titleStep, colours.title, gone: index == names.title.count - 1 ? gone : 0)
    }
    if names.artistHeight > 0 { draw(names.artist.line(of: now.artist), names.artistHeight, colours.accentText) }
    if names.albumHeight > 0 { draw(names.album.line(of: now.album), names.albumHeight, colours.quiet) }
  }

  /// The first of `sizes` in which the text fits the width, or the last.
  func fit(_ text: String, _ typeface: Typeface, _ sizes: [Int], width: Int, _ measure: Measure) -> Face {
    var face = typeface.at(measure.letters(sizes[0]))
    for size in sizes {
      face = typeface.at(measure.letters(size))
      if face.width(of: text) <= width { break }
    }
    return face
  }

  /// The largest letters in which the whole title fits; in the smallest its last line is too long.
  private func titleLines(_ title: String, width: Int, height: Int, _ measure: Measure) -> TextLines {
    func lines(_ size: Int) -> TextLines {
      let face = type.bold.at(measure.letters(size))
      let count = max(1, min(3, height / (face.size * 9 / 8)))
      // Large letters are for titles that need no second line.
      return face.lines(of: title, width: width, atMost: size > 34 ? 1 : count, balanced: true)
    }
    for size in Self.titleSizes.dropLast() {
      let lines = lines(size)
      if lines.fit(width) { return lines }
    }
    return lines(Self.titleSizes[Self.titleSizes.count - 1])
  }
}
