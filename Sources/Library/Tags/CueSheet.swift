import Formats

/// Cue sheets: one or more files, and the tracks that are parts of them.
extension PlaylistFile {
  private struct Sheet {
    /// One for all tracks that are parts of it.
    var file: (path: [UInt8], text: String) = ([], "")
    var title: String?
    var artist: String?
    /// The track whose lines are read now; `start` is negative until its first index is told.
    var track: Entry?
    var found: [Entry] = []

    /// Its lead may lie at the end of one file, and its first index in the next: then it is a track of the next.
    mutating func begin(file path: [UInt8], _ text: String) {
      file = (path, text)
      if let times = track?.cue, times.start < 0 {
        track?.path = path
        track?.pathText = text
        track?.cue?.lead = nil
      } else {
        finishTrack()
      }
    }

    mutating func finishTrack() {
      guard let done = track, let times = done.cue, times.start >= 0, found.count < PlaylistFile.mostEntries else {
        return track = nil
      }
      if let last = found.indices.last, found[last].path == done.path, let before = found[last].cue,
        before.start <= times.start
      {
        found[last].cue?.end = times.start
      }
      found.append(done)
      track = nil
    }
  }

  mutating func readCue(_ text: PlaylistText) {
    var sheet = Sheet()
    text.forEachLine { line in
      let words = Self.words(line)
      guard let first = words.first else { return }
      let value = words.dropFirst().first ?? []
      if Self.isWord(first, "FILE") {
        sheet.begin(file: Array(value), text.text(value))
      } else if Self.isWord(first, "TRACK") {
        sheet.finishTrack()
        // Data is no music.
        guard let number = Self.number(value), words.count < 3 || Self.isWord(words[2], "AUDIO") else { return }
        sheet.track = Entry(
          path: sheet.file.path, pathText: sheet.file.text, artist: sheet.artist,
          cue: CueTimes(number: number, start: -1))
      } else if Self.isWord(first, "TITLE") || Self.isWord(first, "PERFORMER") {
        let said = Tags.clean(text.text(value))
        if said.isEmpty { return }
        switch (Self.isWord(first, "TITLE"), sheet.track != nil) {
        case (true, true): sheet.track?.title = said
        case (true, false): sheet.title = sheet.title ?? said
        case (false, true): sheet.track?.artist = said
        case (false, false): sheet.artist = sheet.artist ?? said
        }
      } else if Self.isWord(first, "INDEX"), words.count > 2, let time = Self.time(words[2]) {
        if sheet.track?.path.isEmpty == false || !sheet.file.path.isEmpty {
          if Self.number(value) == 1 { sheet.track?.cue?.start = time }
          if Self.number(value) == 0 { sheet.track?.cue?.lead = time }
        }
      } else if Self.isWord(first, "PREGAP"), let time = Self.time(value) {
        sheet.track?.cue?.pregap = time
      }
    }
    sheet.finishTrack()
    (entries, title, artist) = (sheet.found.filter { !$0.path.isEmpty }, sheet.title, sheet.artist)
  }

  private static func isWord(_ word: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
    after(name, in: word)?.isEmpty == true
  }

  /// "mm:ss:ff", with as many minutes as it takes.
  private static func time(_ word: ArraySlice<UInt8>) -> Int64? {
    let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, let minutes = number(parts[0]), let seconds = number(parts[1]), seconds < 60,
      let frames = number(parts[2]), frames < 75, minutes < 1_000_000
    else { return nil }
    return (Int64(minutes) * 60 + Int64(seconds)) * CueTimes.perSecond + Int64(frames)
  }

  /// Words, or what stands between quotation marks.
  private static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var rest = line
    while words.count < 4 {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      guard let first = rest.first else { break }
      if first == UInt8(ascii: "\"") {
        rest = rest.dropFirst()
        // The last one on the line: a title may have marks in it.
        let end = words.count == 1 ? rest.lastIndex(of: first) : rest.firstIndex(of: first)
        words.append(rest[..<(end ?? rest.endIndex)])
        rest = end.map { rest[($0 + 1)...] } ?? []
      } else {
        let end = rest.firstIndex { $0 == 0x20 || $0 == 0x09 } ?? rest.endIndex
        // An unmarked name or title may have blanks in it.
        let isTitle = words.count == 1 && (isWord(words[0], "TITLE") || isWord(words[0], "PERFORMER"))
        words.append(isTitle ? rest : rest[..<end])
        rest = isTitle ? [] : rest[end...]
      }
    }
    return words
  }
}
