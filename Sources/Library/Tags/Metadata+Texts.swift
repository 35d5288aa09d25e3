import Formats

/// What texts become.
extension Metadata {
  mutating func take(_ field: TagField, _ text: String) {
    switch field {
    case .title: title = title ?? text
    case .album: album = album ?? text
    case .titleSort: titleSort = titleSort ?? text
    case .artistSort: artistSort = artistSort ?? text
    case .albumSort: albumSort = albumSort ?? text
    case .albumArtistSort: albumArtistSort = albumArtistSort ?? text
    case .artist, .artists: Self.add(text, to: &artists)
    case .albumArtist, .albumArtists: Self.add(text, to: &albumArtists)
    case .composer: Self.add(text, to: &composers)
    case .genre: Self.add(text, to: &genres)
    case .compilation: isCompilation = isCompilation || Self.isYes(text)
    case .disc: (disc, discs) = Self.pair(text, disc, discs)
    case .track: (track, tracks) = Self.pair(text, track, tracks)
    case .discs: discs = discs ?? Self.number(text)
    case .tracks: tracks = tracks ?? Self.number(text)
    case .year, .otherYear: year = year ?? Self.year(text)
    case .bookOrPodcast: kind = text == "2" ? .podcast : .book
    case .gapless: if let note = GaplessNote(text) { frames = note.frames }
    case .trackGain, .trackPeak, .albumGain, .albumPeak, .trackR128, .albumR128: break
    }
  }

  /// A book may call itself one by its genre.
  mutating func weighUp() {
    guard kind == .music else { return }
    for genre in genres {
      let plain = genre.lowercased().filter { $0 != " " && $0 != "-" }
      if Self.books.contains(plain) { kind = .book }
      if plain == "podcast" || plain == "podcasts" { kind = .podcast }
    }
  }

  private static let books: Set = [
    "audiobook", "audiobooks", "hörbuch", "hörbücher", "hoerbuch", "hoerbücher", "speech", "spokenword", "spoken",
    "livreaudio", "audiolibro", "audiolibri", "аудиокнига", "аудиокниги",
  ]

  private static func add(_ text: String, to list: inout [String]) {
    if !list.contains(text) { list.append(text) }
  }

  private static func isYes(_ text: String) -> Bool { text == "1" || text.lowercased() == "true" || text == "yes" }

  private static func number(_ text: String) -> Int? { Tags.number(text) }

  /// "3" and "3/12".
  private static func pair(_ text: String, _ number: Int?, _ total: Int?) -> (Int?, Int?) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let second = parts.count > 1 ? Tags.number(String(parts[1].drop { $0 == " " })) : nil
    return (number ?? Tags.number(parts.first.map(String.init)), total ?? second)
  }

  /// The first digits in a row that can be one: "2004", "2004-05-12", "12.05.2004", "20040512".
  static func year(_ text: String) -> Int? {
    var digits = 0
    var value = 0
    for byte in text.utf8.prefix(64) + [0] {
      if byte >= 0x30 && byte <= 0x39 {
        if digits < 4 { value = value * 10 + Int(byte - 0x30) }
        digits += 1
        continue
      }
      if [4, 6, 8, 14].contains(digits) && (1_000...2_999).contains(value) { return value }
      (digits, value) = (0, 0)
    }
    return nil
  }
}
