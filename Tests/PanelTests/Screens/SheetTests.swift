import Glibc
import Kit
import Runtime
import Testing

@testable import Canvas
@testable import Panel

/// The pictures in `Pictures` are what each screen looked like when somebody last looked at them all and found them good.
/// `Tests/run --step pictures` draws them anew.
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
      return parts.compactMap(\.self).joined(separator: "-") + ".png"
    }
    var testDescription: String { name }

    init(_ language: PanelLanguage, _ width: Int, _ height: Int, _ set: (inout Case) -> Void = { _ in }) {
      (self.language, size) = (language, Size(width: width, height: height))
      set(&self)
    }

    @Deck
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
    ]

  static let folder = FilePath(String(#filePath.dropLast("/PanelTests/Screens/SheetTests.swift".count)) + "/Pictures")

  static func type() throws -> PanelType {
    let settings = Settings()
    return try PanelType(regular: settings[.panelFont], bold: settings[.panelBoldFont])
  }

  /// One file has the sum of each screen's pixels, for that is quickly compared; the pictures show what was summed up.
  static let sums = folder / "sums.txt"
  private static let draws = getenv("LAYBY_DRAW") != nil

  @Test("no screen looks other than it did")
  func same() async throws { try await Self.compare(Self.cases, with: Self.sums, Self.redraw) }

  /// Each screen's sum with the one that `file` has; `change` is called for those that have another.
  static func compare(
    _ cases: [Case], with file: FilePath, _ change: (Case, [String]) async throws -> Void
  ) async throws {
    let known = draws ? [:] : try read(file)
    var lines: [String] = []
    for one in cases {
      let found = try await aloneOnDeck { () async -> Result<[(name: String, sum: String)], Fault> in
        do { return .success(try await Self.sums(of: one)) } catch {
          return .failure(Fault(.missing, "T-1", "\(error)"))
        }
      }.get()
      lines += found.map { "\($0.sum) \($0.name)" }
      let other = found.filter { known[$0.name] != $0.sum }.map(\.name)
      if draws || !other.isEmpty { try await change(one, other) }
    }
    if draws {
      return try AtomicFile.replace(file, with: Array((lines.joined(separator: "\n") + "\n").utf8), mode: 0o644)
    }
    #expect(known.count == lines.count, "no sum is left of a screen that is gone")
  }

  private static func read(_ file: FilePath) throws(Fault) -> [String: String] {
    var known: [String: String] = [:]
    let text = String(decoding: try AtomicFile.read(file, limit: 1 << 20), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2 { known[parts[1]] = parts[0] }
    }
    return known
  }

  /// The sheet as it is now, of what no picture is kept of.
  static func draw(_ one: Case, because other: [String]) async throws {
    guard !draws else { return }
    let bytes = try await aloneOnDeck { () async -> Result<[UInt8], Fault> in
      do { return .success(try PNG.encode(await Sheet(size: one.size, look: try one.look()).draw())) } catch {
        return .failure(Fault(.missing, "T-1", "\(error)"))
      }
    }.get()
    let shown = FilePath("/tmp/layby-\(one.name)")
    try AtomicFile.replace(shown, with: bytes)
    Issue.record("\(other.joined(separator: ", ")): not what it was; \(shown) shows it as it is now")
  }

  @Deck
  private static func sums(of one: Case) async throws -> [(name: String, sum: String)] {
    var sums: [(name: String, sum: String)] = []
    for screen in await Sheet(size: one.size, look: try one.look()).screens() {
      let canvas = Canvas(size: one.size)
      screen.draw(canvas)
      let pixels = UnsafeRawBufferPointer(start: canvas.pixels, count: one.size.width * one.size.height * 4)
      sums.append(("\(one.name) \(screen.name)", String(checksum(pixels), radix: 16)))
    }
    return sums
  }

  /// The sheet as it is now: in the place of the old one when that is wanted, else beside it, with what is different.
  private static func redraw(_ one: Case, because other: [String]) async throws {
    let (bytes, difference) = try await aloneOnDeck { () async -> Result<([UInt8], [UInt8]?), Fault> in
      do {
        let canvas = await Sheet(size: one.size, look: try one.look()).draw()
        let bytes = try PNG.encode(canvas)
        if draws { return .success((bytes, nil)) }
        let old = try PNGPicture(try AtomicFile.read(folder / one.name, limit: 8 << 20))
        return .success((bytes, try Self.difference(old, canvas)))
      } catch let fault as Fault { return .failure(fault) } catch {
        return .failure(Fault(.damaged, "T-1", "\(error)"))
      }
    }.get()
    if draws { return try AtomicFile.replace(folder / one.name, with: bytes, mode: 0o644) }
    let shown = FilePath("/tmp/layby-\(one.name)")
    try AtomicFile.replace(shown, with: difference ?? bytes)
    Issue.record("\(other.joined(separator: ", ")): not what it was; \(shown) shows what is different, bright on dark")
  }

  /// What is as it was is dark. Nil when all of it is.
  @Deck
  private static func difference(_ old: PNGPicture, _ new: Canvas) throws(Fault) -> [UInt8]? {
    guard old.width == new.size.width, old.height == new.size.height else { return try PNG.encode(new) }
    var isSame = true
    for y in 0..<new.size.height {
      for x in 0..<new.size.width {
        if old.pixels[y * old.width + x] == new[x, y].value {
          new[x, y] = new[x, y].mixed(with: .black, coverage: 200)
        } else {
          isSame = false
        }
      }
    }
    return isSame ? nil : try PNG.encode(new)
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
    for word in Word.allCases { #expect(!words[word].isEmpty && words[word].count < 60, "\(word)") }
    let menu: [Word] = [
      .library, .search, .queue, .playlists, .shuffle, .repeats, .sleepTimer, .sound, .downloads, .sticks, .notices,
      .about,
    ]
    #expect(Set(menu.map { words[$0] }).count == menu.count)
  }

  static let sizes = [
    (128, 64), (240, 240), (320, 240), (480, 320), (800, 480), (240, 320), (3, 3), (1, 1), (4_000, 20),
  ]

  @Test("the row that is looked at is whole, in its place, and none lies over another", arguments: sizes)
  func rows(width: Int, height: Int) async throws {
    let type = try Self.type()
    await aloneOnDeck { () async in
      for language in [PanelWords.english, .german, .arabic, .japanese] {
        let size = Size(width: width, height: height)
        let look = PanelLook(type: type, words: language)
        let screen = MenuScreen(look)
        for (name, shown) in await Sheet(size: size, look: look).menus() {
          let canvas = Canvas(size: size)
          screen.draw(shown, on: canvas)
          guard case .rows(let rows, let focus, _, _) = shown.content, width >= 128, height >= 64 else { continue }
          let measure = screen.measure(shown, size)
          let laid = screen.laidOut(rows, focus, measure)
          #expect(laid.contains { $0.index == focus }, "\(name)")
          #expect(laid.allSatisfy { measure.room.contains($0.rect) }, "\(name)")
          for (one, next) in zip(laid, laid.dropFirst()) { #expect(one.rect.bottom <= next.rect.y, "\(name)") }
          // What stands there can be read to its end. Not all writing has blanks where a line ends.
          let text = laid.first { $0.index == focus }?.lines.map(\.text).joined().filter { $0 != " " }
          if width >= 240 { #expect(text == rows[focus].title.filter { $0 != " " }, "\(name)") }
        }
      }
    }
  }
}
