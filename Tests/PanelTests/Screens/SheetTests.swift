import Hardware
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

/// `Tests/Pictures/sums.txt` has a sum of the pixels of each screen, in every language, at every size and in every theme,
/// as they were when somebody last looked at them and found them good. `Tests/run --step pictures` draws them all, and
/// with `--renew` writes the sums of what it drew.
@Suite("Screens as they were found good", .serialized)
struct SheetTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let language: PanelLanguage
    let size: Size
    var theme = Theme.night
    var profile = PanelProfile.home
    var isTouched = false

    var name: String {
      let parts = [
        "\(language.rawValue)-\(size.width)x\(size.height)", profile == .home ? nil : profile.rawValue,
        theme.name == "night" ? nil : theme.name, isTouched ? "touch" : nil,
      ]
      return parts.compactMap(\.self).joined(separator: "-")
    }
    var testDescription: String { name }

    init(_ language: PanelLanguage, _ width: Int, _ height: Int, _ set: (inout Case) -> Void = { _ in }) {
      (self.language, size) = (language, Size(width: width, height: height))
      set(&self)
    }

    @MainLoop
    func look() throws -> PanelLook {
      PanelLook(
        type: try SheetTests.type(), words: PanelWords.of(language), theme: theme,
        style: PanelStyle(profile, isTouched: isTouched))
    }
  }

  static let cases: [Case] =
    PanelLanguage.allCases.map { Case($0, 320, 240) } + [
      Case(.english, 240, 240), Case(.english, 480, 320), Case(.english, 800, 480),
      Case(.english, 128, 64) { $0.theme = .ink },
      Case(.english, 320, 240) { $0.theme = .day },
      Case(.english, 320, 240) { $0.profile = .car },
      Case(.german, 480, 320) { ($0.profile, $0.theme) = (.car, .day) },
      Case(.english, 800, 480) { ($0.profile, $0.isTouched) = (.car, true) },
      Case(.english, 320, 240) { $0.isTouched = true },
      Case(.english, 240, 320), Case(.german, 240, 320) { $0.theme = .day },
      Case(.english, 480, 800) { $0.isTouched = true }, Case(.arabic, 480, 800) { $0.theme = .day },
    ]

  /// Every language at every size and in every theme, with the profiles among `cases`.
  static let all: [Case] = {
    let plain: [Case] = PanelLanguage.allCases.flatMap { language in
      let lit = [(240, 240), (320, 240), (480, 320), (800, 480)].flatMap { width, height in
        [Theme.night, .day].map { theme in Case(language, width, height) { $0.theme = theme } }
      }
      return lit + [Case(language, 128, 64) { $0.theme = .ink }]
    }
    let names = Set(cases.map(\.name))
    return cases + plain.filter { !names.contains($0.name) }
  }()

  static func type() throws -> PanelType {
    let settings = Settings()
    return try PanelType(regular: settings[.panelFont], bold: settings[.panelBoldFont])
  }

  private static let top = FilePath(String(#filePath.dropLast("/Tests/PanelTests/Screens/SheetTests.swift".count)))
  private static let folder = top / "Tests" / "Pictures"
  /// Where screens that are not what they were are put to be looked at.
  private static let changed = top / ".build" / "pictures" / "changed"

  /// Lines of "name sum". A file that cannot be read has no sums, and then no screen is what it was.
  private static let lines: [String] = {
    guard let bytes = try? AtomicFile.read(folder / "sums.txt", limit: 1 << 20) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }()
  private static let known = DrawnScreen.sums(in: lines)

  @Test("no screen looks other than it did", arguments: all)
  func same(one: Case) async throws {
    let known = Self.known.filter { $0.key.hasPrefix("\(one.name)/") }
    let drawn = try await DrawnScreen.all(of: one) { known[$0.name] != $0.sum }
    #expect(Set(drawn.map(\.name)).count == drawn.count, "two screens have one name, and one of them is not looked at")
    let gone = Set(known.keys).subtracting(drawn.map(\.name))
    #expect(gone.isEmpty, "sums are left of screens that are gone; Tests/run --step pictures --renew removes them")
    var places: [String] = []
    for screen in drawn { if let place = try screen.save(in: Self.changed) { places.append("\(place)") } }
    guard !places.isEmpty else { return }
    Issue.record(
      """
      \(places.count) of \(drawn.count) screens are not what they were. They are now: \(places.joined(separator: " "))
      As they were, and what differs: \(Self.command)
      """)
  }

  /// Draws the commit that has the sums, for that is what they were made of.
  private static let command =
    "Tests/run --step pictures --before $(git log -1 --format=%h -- Tests/Pictures/sums.txt)"

  @Test("the sums are in the order of their names, and each is of a case that is drawn")
  func sums() {
    #expect(Self.all.count == 62 && Self.lines.count > 2_400)
    #expect(Self.lines == Self.lines.sorted())
    #expect(Set(Self.known.keys.compactMap { $0.split(separator: "/").first }) == Set(Self.all.map { $0.name[...] }))
  }

  /// Names of the pictures that README and the rooms' pages show.
  private static let shown: [String] = all.flatMap { one in
    ((try? Folder.names(in: folder / one.name)) ?? []).map { "\(one.name)/\($0)" }
  }

  @Test("a picture that a page shows is the screen that it is named for", arguments: shown)
  func pages(name: String) async throws {
    let one = try #require(Self.all.first { name.hasPrefix("\($0.name)/") })
    let drawn = try await DrawnScreen.all(of: one) { "\($0.name).png" == name }
    let now = try #require(drawn.compactMap(\.picture).first, "there is no screen of that name")
    let kept = try AtomicFile.read(Self.folder / name, limit: 1 << 20)
    // How it is packed depends on zlib's version.
    let isSame = try kept == now || PNGPicture(kept).pixels == PNGPicture(now).pixels
    #expect(isSame, "Tests/run --step pictures --renew replaces it")
  }

  @Test("each letter on every screen, in every language, is found in a font", arguments: PanelLanguage.allCases)
  func letters(language: PanelLanguage) async throws {
    let type = try Self.type()
    let words = PanelWords.of(language)
    for word in Word.allCases {
      for scalar in words[word].unicodeScalars {
        #expect(type.bold.find(scalar).glyph != 0 && type.regular.find(scalar).glyph != 0, "\(word): \(scalar)")
      }
    }
  }

  @Test(
    "no word is missing in a language, none is empty, and none says the same twice in a menu",
    arguments: PanelLanguage.allCases)
  func words(language: PanelLanguage) {
    let words = PanelWords.of(language)
    if language != .english { for word in Word.allCases { #expect(words.table[word] != nil, "\(word)") } }
    // A text in as many rows as it needs, and two sentences of the page that a telephone shows.
    let texts: Set<Word> = [.hotspotExplained, .pageNext, .pageLook]
    for word in Word.allCases {
      #expect(!words[word].isEmpty && (words[word].count < 60 || texts.contains(word)), "\(word)")
    }
    let menu: [Word] = [
      .library, .search, .queue, .playlists, .shuffle, .repeats, .sleepTimer, .sound, .downloads, .sticks, .notices,
      .about,
    ]
    #expect(Set(menu.map { words[$0] }).count == menu.count)
  }

  /// Without blanks of any kind, and without the signs that keep a name's own order.
  private static func letters(_ text: String) -> String {
    text.filter { !$0.isWhitespace && !"\u{2068}\u{2069}".contains($0) }
  }

  static let sizes = [
    (128, 64), (240, 240), (320, 240), (480, 320), (800, 480), (240, 320), (3, 3), (1, 1), (4_000, 20),
  ]

  @Test("the row that is looked at is whole, in its place, and none lies over another", arguments: sizes)
  func rows(width: Int, height: Int) async throws {
    let type = try Self.type()
    await aloneOnMainLoop { () async in
      for language in [PanelWords.english, .german, .french, .arabic, .japanese] {
        let size = Size(width: width, height: height)
        let look = PanelLook(type: type, words: language)
        let screen = MenuScreen(look)
        for (name, shown) in await Sheet(size: size, look: look).menus() {
          let canvas = Canvas(size: size)
          screen.draw(shown, on: canvas)
          guard case .rows(let rows, let focus, _, _) = shown.content, width >= 128, height >= 64 else { continue }
          let measure = screen.layout(shown, size)
          let laid = screen.laidOut(rows, focus, measure)
          #expect(laid.contains { $0.index == focus }, "\(name)")
          #expect(laid.allSatisfy { measure.room.contains($0.visible) && ($0.index != focus || $0.isWhole) }, "\(name)")
          for (one, next) in zip(laid, laid.dropFirst()) { #expect(one.rect.bottom <= next.rect.y, "\(name)") }
          // What is long has more lines, and not smaller letters.
          var letters: Set<Int> = []
          for one in laid where !rows[one.index].isText { letters.insert(one.lines.face.size) }
          #expect(letters.count <= 1, "\(name): \(letters)")
          for one in laid where rows[one.index].key == nil && width >= 240 {
            let lines = one.lines.map(\.text)
            for word in rows[one.index].title.split(separator: " ") where language != .japanese {
              let isWhole = !word.allSatisfy(\.isLetter) || lines.contains { $0.contains(word) }
              #expect(isWhole, "\(name): \(word) in \(lines)")
            }
          }
          // What stands there can be read to its end. Not all writing has blanks where a line ends.
          let text = Self.letters(laid.first { $0.index == focus }?.lines.map(\.text).joined() ?? "")
          if width >= 240 { #expect(text == Self.letters(rows[focus].title), "\(name)") }
        }
      }
    }
  }
}
