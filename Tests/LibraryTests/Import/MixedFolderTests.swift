import Runtime
import TestSupport
import Testing

@testable import Library

/// Folders whose songs come from several hands. Each word in them is one that the statistics were not counted with.
@Suite("A folder of several encodings")
struct MixedFolderTests {
  /// So many songs of each hand in one folder.
  struct Mix: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let songs: [(hand: Hand, count: Int)]

    init(_ name: String, _ songs: [(hand: Hand, count: Int)]) { (testDescription, self.songs) = (name, songs) }
  }

  /// What a program wrote into tags that promise Latin-1.
  enum Hand: String, Sendable {
    case western, russian, koi, japanese, chinese, traditional, korean
    /// UTF-8, in two languages.
    case wideRussian, wideWestern
    /// Two encodings in one file.
    case russianTitleOfWesternArtist, chineseTitleOfWideArtist

    var title: Hand {
      switch self {
      case .russianTitleOfWesternArtist: .russian
      case .chineseTitleOfWideArtist: .chinese
      default: self
      }
    }

    var artist: Hand {
      switch self {
      case .russianTitleOfWesternArtist: .western
      case .chineseTitleOfWideArtist: .wideRussian
      default: self
      }
    }

    var isWide: Bool { self == .wideRussian || self == .wideWestern }

    /// Of its titles, where they are not UTF-8.
    var encoding: TextEncoding {
      switch self {
      case .western, .wideWestern, .wideRussian: .cp1252
      case .russian, .russianTitleOfWesternArtist: .cp1251
      case .koi: .koi8r
      case .japanese: .shiftJIS
      case .chinese, .chineseTitleOfWideArtist: .gbk
      case .traditional: .big5
      case .korean: .eucKR
      }
    }

    func maker() -> NameMaker {
      switch self {
      case .western, .wideWestern, .russianTitleOfWesternArtist: .heldOut(NameWords.western, .cp1252, western: true)
      case .russian, .koi: .heldOut(NameWords.russian, encoding)
      case .wideRussian: .heldOut(NameWords.russian, .cp1251)
      case .japanese: .heldOut(NameWords.japanese, encoding)
      case .chinese, .chineseTitleOfWideArtist: .heldOut(NameWords.simplifiedChinese, encoding)
      case .traditional: .heldOut(NameWords.traditionalChinese, encoding)
      case .korean: .heldOut(NameWords.korean, encoding)
      }
    }
  }

  static let mixes = [
    Mix("twelve of Latin-1, four of GBK", [(.western, 12), (.chinese, 4)]),
    Mix("twelve of Latin-1, four of cp1251", [(.western, 12), (.russian, 4)]),
    Mix("one of cp1251 among twelve of Latin-1", [(.western, 11), (.russian, 1)]),
    Mix("one of Latin-1 among twelve of cp1251", [(.western, 1), (.russian, 11)]),
    Mix("one of Shift-JIS among twelve of Latin-1", [(.western, 11), (.japanese, 1)]),
    Mix("one of EUC-KR among twelve of GBK", [(.chinese, 11), (.korean, 1)]),
    Mix("UTF-8 among cp1251", [(.russian, 10), (.wideRussian, 1), (.wideWestern, 1)]),
    Mix("cp1251 among UTF-8", [(.wideRussian, 11), (.russian, 1)]),
    Mix("cp1251 and KOI8-R", [(.russian, 6), (.koi, 6)]),
    Mix("GBK and Big5", [(.chinese, 6), (.traditional, 6)]),
    Mix(
      "two encodings in one file, beside others",
      [(.russianTitleOfWesternArtist, 3), (.chineseTitleOfWideArtist, 3), (.western, 6)]),
    Mix("all by one hand", [(.traditional, 12)]),
  ]

  private struct Song {
    let path: String
    let title: (text: String, bytes: [UInt8])
    let artist: (text: String, bytes: [UInt8])
    let file: [UInt8]

    init(_ path: String, by hand: Hand, makers: inout [Hand: NameMaker], _ dice: inout SeededGenerator) {
      func name(_ hand: Hand) -> (text: String, bytes: [UInt8]) {
        let maker = makers[hand] ?? hand.maker()
        makers[hand] = maker
        // ID3v1 has thirty bytes; nearly all titles are shorter.
        let made = maker.name(&dice, length: 6...30)
        return hand.isWide ? (made.text, Array(made.text.utf8)) : made
      }
      self.path = path
      title = name(hand.title)
      artist = name(hand.artist)
      file =
        Bytes.id3(3, Bytes.text(3, "TIT2", 0, title.bytes) + Bytes.text(3, "TPE1", 0, artist.bytes)) + Bytes.mpeg(2)
    }
  }

  private static let folders = 25

  @Test("no song is read in its neighbours' encoding that is clear by itself, and hardly any other", arguments: mixes)
  func mixed(_ mix: Mix) async throws {
    let tree = try MusicTree()
    var dice = SeededGenerator(seed: 20_261_125)
    var makers: [Hand: NameMaker] = [:]
    var songs: [Song] = []
    for folder in 0..<Self.folders {
      // Those that are few come first, last and in the middle.
      var hands = mix.songs.flatMap { Array(repeating: $0.hand, count: $0.count) }
      hands.shuffle(using: &dice)
      for (number, hand) in hands.enumerated() {
        let song = Song("\(folder)/\(number).mp3", by: hand, makers: &makers, &dice)
        try tree.write(song.path, song.file)
        songs.append(song)
      }
    }
    try await tree.open()
    try await tree.run()
    var garbled: [String] = []
    for song in songs {
      let track = try #require(try await tree.catalogue.track(at: tree.path(song.path)))
      for (text, wanted, bytes) in [
        (track.title, song.title.text, song.title.bytes), (track.artist, song.artist.text, song.artist.bytes),
      ] where Folding.folded(text) != Folding.folded(wanted) {
        garbled.append("\(song.path): \(wanted) became \(text)")
        var alone = EncodingGuess()
        alone.add(bytes)
        let isClear = alone.isCertain && alone.best.text(bytes) == wanted
        #expect(!isClear, "\(song.path): \(wanted) is clear by itself and became \(text)")
      }
    }
    print("\(mix.testDescription): \(garbled.count) of \(2 * songs.count) texts are wrong \(garbled.prefix(5))")
    #expect(garbled.count <= 2 * songs.count / 100)
  }

  @Test(
    "of titles of one or two letters, which do not tell by themselves, neighbours tell nearly all",
    arguments: [(Hand.russian, 2), (.koi, 2), (.chinese, 8), (.traditional, 5), (.korean, 3)])
  func short(_ hand: Hand, most: Int) async throws {
    let tree = try MusicTree()
    var dice = SeededGenerator(seed: 20_261_127)
    var makers: [Hand: NameMaker] = [:]
    var titles: [(path: String, alone: String, text: String)] = []
    for folder in 0..<Self.folders {
      for number in 0..<12 {
        let song = Song("\(folder)/\(number).mp3", by: hand, makers: &makers, &dice)
        // Of each other song only the beginning is left.
        guard number % 2 == 0 else {
          try tree.write(song.path, song.file)
          continue
        }
        let letters = song.title.text.unicodeScalars.drop { $0.isASCII }.prefix { !$0.isASCII }
        let text = String(String.UnicodeScalarView(letters.prefix(1 + number / 2 % 2)))
        let bytes = try #require(Encoder.of(hand.encoding).bytes(of: text))
        let file = Bytes.id3(3, Bytes.text(3, "TIT2", 0, bytes)) + Bytes.mpeg(2)
        let alone = "alone/\(song.path)/song.mp3"
        for path in [song.path, alone] { try tree.write(path, file) }
        titles.append((song.path, alone, text))
      }
    }
    try await tree.open()
    try await tree.run()
    var wrong = (among: 0, alone: 0)
    for title in titles {
      func isRight(_ path: String) async throws -> Bool {
        try await tree.catalogue.track(at: tree.path(path))?.title == title.text
      }
      if try await !isRight(title.path) { wrong.among += 1 }
      if try await !isRight(title.alone) { wrong.alone += 1 }
    }
    print("\(hand): of \(titles.count) titles \(wrong.alone) are wrong alone, and \(wrong.among) among others")
    #expect(wrong.alone > 15 && wrong.among <= most, "\(wrong)")
  }

  @Test("a doubtful title is told by its neighbours")
  func doubtful() async throws {
    let tree = try MusicTree()
    let russian = Encoder.of(.cp1251)
    let titles = ["Кино - Группа крови", "Звезда по имени Солнце", "Ночь", "Пачка сигарет", "Я", "Ю", "Ещё"]
    for (number, title) in titles.enumerated() {
      let bytes = try #require(russian.bytes(of: title))
      try tree.write("\(number).mp3", Bytes.id3(3, Bytes.text(3, "TIT2", 0, bytes)) + Bytes.mpeg(2))
    }
    try await tree.open()
    try await tree.run()
    for (number, title) in titles.enumerated() {
      #expect(try await tree.catalogue.track(at: tree.path("\(number).mp3"))?.title == title)
    }
  }

  @Test("a character that is valid UTF-8 by chance is read as the rest of its file is")
  func chance() throws {
    let chinese = Encoder.of(.gbk)
    let (title, artist) = (try #require(chinese.bytes(of: "雪")), try #require(chinese.bytes(of: "邓丽君 十年")))
    #expect(String(validating: title, as: UTF8.self) != nil)
    let file = Bytes.id3(3, Bytes.text(3, "TIT2", 0, title) + Bytes.text(3, "TPE1", 0, artist)) + Bytes.mpeg(2)
    #expect(try MadeFile.read(file).title == "雪")
    let wide = Bytes.id3(3, Bytes.text(3, "TIT2", 0, Array("Été".utf8)) + Bytes.text(3, "TPE1", 0, artist))
    let read = try MadeFile.read(wide + Bytes.mpeg(2))
    #expect(read.title == "Été" && read.artists == ["邓丽君 十年"])
  }
}

extension NameMaker {
  fileprivate static func heldOut(_ words: String, _ encoding: TextEncoding, western: Bool = false) -> NameMaker {
    let isSpaced = ![.shiftJIS, .gbk, .big5].contains(encoding)
    return NameMaker(
      [words], plain: western ? NameWords.westernPlain + NameWords.english : NameWords.english, isSpaced: isSpaced,
      half: .heldOut, encoder: .of(encoding))
  }
}
