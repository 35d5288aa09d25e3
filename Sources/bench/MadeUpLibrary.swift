import Formats
import Library
import Runtime

/// Tracks of a library as large as wished, the same every time: words, artists and genres as skewed as in life (Zipf),
/// in Latin, Cyrillic, Greek, kana and ideographs, with sizes of albums that people have.
struct MadeUpLibrary {
  private var state: UInt64 = 0x5EED
  private var words: [String] = []
  private var shares: [Double] = []
  private var artists: [String] = []
  private var artistShares: [Double] = []
  private let genres = ["Rock", "Jazz", "Classical", "Pop", "Électro", "Шансон", "演歌", "Folk", "Soul", "Spoken word"]
  private var album = ""
  private var artist = ""
  private var left = 0
  private var number = 0
  private(set) var count = 0

  init(tracks: Int) {
    words = "the of a in and to you me my love i on is it for no with all live remix".split(separator: " ").map {
      String($0)
    }
    while words.count < 30_000 { words.append(word()) }
    shares = Self.zipf(words.count, 1)
    artists = (0..<max(tracks / 12, 50)).map { _ in
      (0...below(3)).map { _ in capital(words[20 + below(words.count - 20)]) }.joined(separator: " ")
    }
    artistShares = Self.zipf(artists.count, 0.8)
  }

  private static func zipf(_ count: Int, _ exponent: Double) -> [Double] {
    var sum = 0.0
    // One over the n-th; a little flatter where the exponent is less than one.
    return (1...count).map { place in
      sum += exponent == 1 ? 1 / Double(place) : 1 / (Double(place) * exponent + 8)
      return sum
    }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  private mutating func skewed(_ sums: [Double]) -> Int {
    let wanted = Double(next() >> 11) / Double(1 << 53) * (sums.last ?? 1)
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func word() -> String {
    func make(_ alphabet: String, _ vowels: String, _ length: Int) -> String {
      let (consonants, vowels) = (Array(alphabet), Array(vowels))
      // Few letters begin most words.
      return (0..<length).map { place in
        let choice = place % 2 == 0 ? consonants : vowels
        return String(choice[min(below(choice.count), below(choice.count))])
      }.joined()
    }
    switch below(20) {
    case 0, 1, 2: return make("снпвкмртдблгзчшх", "оаеиуыя", 3 + below(6))
    case 3: return make("σκπτλμνρδ", "αοειυη", 3 + below(5))
    case 4: return make("カサタナマラハ", "イウエオン", 2 + below(3))
    case 5, 6: return String(Character(Unicode.Scalar(UInt32(0x4E00 + below(3_000))) ?? "字"))
    case 7: return "\(below(2_030))"
    default: return make("smcbtpldrfhgwnkjvzqyx", "aeioué", 2 + below(7))
    }
  }

  private func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private mutating func text(_ most: Int) -> String {
    (0...below(most)).map { _ in capital(words[skewed(shares)]) }.joined(separator: " ")
  }

  /// The track that comes next, in a folder that its album has.
  mutating func track() -> (isNewAlbum: Bool, metadata: Metadata, key: ContentKey) {
    let isNewAlbum = left == 0
    if isNewAlbum {
      (album, artist, left, number) = (text(5), artists[skewed(artistShares)], 4 + below(16), 0)
    }
    (left, number, count) = (left - 1, number + 1, count + 1)
    var metadata = Metadata()
    metadata.title = text(6)
    (metadata.album, metadata.artists, metadata.albumArtists) = (album, [artist], [artist])
    if below(12) == 0 { metadata.artists.append(artists[skewed(artistShares)]) }
    metadata.genres = [genres[min(below(genres.count), below(genres.count))]]
    (metadata.track, metadata.year) = (number, 1960 + below(66))
    (metadata.codec, metadata.rate, metadata.bits, metadata.channels) = ("FLAC", 44_100, 16, 2)
    metadata.frames = Int64(5_000_000 + below(10_000_000))
    metadata.loudness.trackGain = -Double(below(1_200)) / 100
    metadata.loudness.trackPeak = 0.98
    metadata.art = [ArtPlace(.front, at: Int64(below(5_000)), length: 40_000 + below(60_000))]
    return (isNewAlbum, metadata, ContentKey(upper: next(), lower: next()))
  }
}
