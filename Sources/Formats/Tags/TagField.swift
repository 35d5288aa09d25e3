/// What is kept of all that a file may say. Each format's names lead here; those of Vorbis, APE and people's own keys
/// in ID3 and MP4 are one vocabulary.
package enum TagField: UInt8, Sendable {
  case title, artist, artists, album, albumArtist, albumArtists, composer, genre
  case titleSort, artistSort, albumSort, albumArtistSort
  case compilation, disc, discs, track, tracks, year
  /// Of a release or the first recording: better than no year.
  case otherYear
  case bookOrPodcast
  case trackGain, trackPeak, albumGain, albumPeak, trackR128, albumR128
  /// iTunes' note of how long the music is.
  case gapless

  package static let count = 27

  /// As `Tags` knows those from which it reads how loud a track is.
  package var loudnessKey: String? {
    switch self {
    case .trackGain: "REPLAYGAIN_TRACK_GAIN"
    case .trackPeak: "REPLAYGAIN_TRACK_PEAK"
    case .albumGain: "REPLAYGAIN_ALBUM_GAIN"
    case .albumPeak: "REPLAYGAIN_ALBUM_PEAK"
    case .trackR128: "R128_TRACK_GAIN"
    case .albumR128: "R128_ALBUM_GAIN"
    default: nil
    }
  }

  static func named(_ key: Piece) -> TagField? {
    guard key.count < byLength.count else { return nil }
    for (name, field) in byLength[key.count] where key.isNamed(name) { return field }
    return nil
  }

  /// Most keys of a file are none of ours: only those of the same length are looked at.
  private static let byLength: [[(StaticString, TagField)]] = {
    let longest = names.map(\.0.utf8CodeUnitCount).max() ?? 0
    return (0...longest).map { length in names.filter { $0.0.utf8CodeUnitCount == length } }
  }()

  private static let names: [(StaticString, TagField)] = [
    ("TITLE", .title), ("ARTIST", .artist), ("ARTISTS", .artists), ("ALBUM", .album), ("ALBUMARTIST", .albumArtist),
    ("ALBUM ARTIST", .albumArtist), ("ALBUM_ARTIST", .albumArtist), ("ALBUMARTISTS", .albumArtists),
    ("ALBUM ARTISTS", .albumArtists), ("ENSEMBLE", .albumArtist), ("COMPOSER", .composer), ("GENRE", .genre),
    ("TITLESORT", .titleSort), ("TITLESORTORDER", .titleSort), ("ARTISTSORT", .artistSort),
    ("ARTISTSORTORDER", .artistSort), ("ALBUMSORT", .albumSort), ("ALBUMSORTORDER", .albumSort),
    ("ALBUMARTISTSORT", .albumArtistSort), ("ALBUMARTISTSORTORDER", .albumArtistSort),
    ("COMPILATION", .compilation), ("ITUNESCOMPILATION", .compilation), ("DISC", .disc), ("DISCNUMBER", .disc),
    ("DISCTOTAL", .discs), ("TOTALDISCS", .discs), ("TRACK", .track), ("TRACKNUMBER", .track),
    ("TRACKTOTAL", .tracks), ("TOTALTRACKS", .tracks), ("DATE", .year), ("YEAR", .year),
    ("ORIGINALDATE", .otherYear), ("ORIGINALYEAR", .otherYear), ("RELEASEDATE", .otherYear),
    ("REPLAYGAIN_TRACK_GAIN", .trackGain), ("REPLAYGAIN_TRACK_PEAK", .trackPeak),
    ("REPLAYGAIN_ALBUM_GAIN", .albumGain), ("REPLAYGAIN_ALBUM_PEAK", .albumPeak),
    ("R128_TRACK_GAIN", .trackR128), ("R128_ALBUM_GAIN", .albumR128), ("ITUNSMPB", .gapless),
  ]
}
