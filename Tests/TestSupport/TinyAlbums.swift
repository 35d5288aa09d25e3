import Glibc
import Runtime

/// A tree of music as people have it, small: artists of several scripts, above albums, above tracks; collections,
/// copies, and playlists that lead to some of it. The same count makes the same tree, with the same dates.
package struct TinyAlbums {
  package let count: Int

  package init(_ count: Int) { self.count = count }

  /// So many on an album.
  private static let tracks = 10
  private static let artists = ["Ásgeir", "Земфира", "椎名林檎", "Χάρις", "Miles Davis", "João & Co", "The Band"]
  private static let words = [
    "Ночь", "朝", "Été", "River", "Σκιά", "Blue", "Stone", "Über", "Love", "Rain", "星", "Gold",
  ]
  private static let genres = ["Jazz", "Rock", "Chanson"]

  /// Below `folder`, which is there. Whoever reads it may be anybody.
  package func write(below folder: FilePath) throws(Fault) {
    for album in 0..<(count + Self.tracks - 1) / Self.tracks {
      let artist = Self.artists[album % Self.artists.count]
      let place = folder / artist / "\(1970 + album % 50) \(Self.title(album))"
      for path in [folder / artist, place] { try Folder.make(path, mode: 0o755) }
      var list = "#EXTM3U\n"
      for track in 1...min(Self.tracks, count - album * Self.tracks) {
        let name = "\(track < 10 ? "0" : "")\(track) \(Self.title(album * 7 + track)).mp3"
        try Self.write(file(album, artist, track).bytes, to: place / name)
        if track % 3 == 1 { list += "\(name)\n" }
      }
      guard album % 5 == 0 else { continue }
      list += "..\\none\\not there.mp3\n"
      try Self.write(Array(list.utf8), to: place / "some of \(album).m3u8")
    }
  }

  private func file(_ album: Int, _ artist: String, _ track: Int) -> TinyMP3 {
    // Every fourth album is a collection; every ninth track is a copy of the one before it.
    var file = TinyMP3(
      title: Self.title(album * 7 + track), artist: artist, album: Self.title(album), track: track,
      sound: UInt64(album * 100 + track - (track == 9 ? 1 : 0)))
    if album % 4 == 3 { file.artist = Self.artists[(album + track) % Self.artists.count] }
    if album % 4 == 1 { file.albumArtist = artist }
    if album % 3 > 0 { file.genre = Self.genres[album % Self.genres.count] }
    return file
  }

  private static func title(_ number: Int) -> String {
    let (first, second) = (words[number % words.count], words[number / words.count % words.count])
    return "\(first) \(second) \(number)"
  }

  private static func write(_ bytes: [UInt8], to path: FilePath) throws(Fault) {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644, code: "T-80")
    try file.writeAll(bytes, code: "T-80", doing: "write \(path)")
    // Whole seconds, and even ones: FAT has no others.
    let dates = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
    guard futimens(file.number, dates) == 0 else { throw Fault.system("T-80", doing: "date \(path)") }
  }
}
