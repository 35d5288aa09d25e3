import Glibc
import Hardware
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

@Suite("The panel's fonts")
struct FontsTests {
  @Test("all that a board draws with is less than 12 MB")
  func size() throws {
    let settings = Settings()
    let files = Set((settings[.panelFont] + settings[.panelBoldFont]).map(\.description))
    var sum = 0
    for file in files {
      var info = stat()
      #expect(stat(file, &info) == 0, "\(file)")
      sum += Int(info.st_size)
    }
    #expect(files.count == 9 && sum > 1_000_000 && sum < 12_000_000, "\(sum) bytes")
  }

  @Test(
    "names in many scripts, and with pictures, have all of their letters in both weights",
    arguments: [
      "風街ろまん カタカナ", "交響曲 爱乐乐团 樂團", "방탄소년단 뉴진스", "أم كلثوم فيروز پرویز ٹ", "חוה אלברשטיין שָׁלוֹם", "ลูกทุ่ง พุ่มพวง ดวงจันทร์",
      "लता मंगेशकर ज़िन्दगी", "Полковнику Ђорђе", "Μίκης Θεοδωράκης", "Ágætis byrjun Nguyễn Łódź Ørsted ß", "Ռուբեն Հախվերդյան",
      "საქართველო", "♫ ♪ ♥ ★ ☆ → ∞ © ™ № € ½", "🎵🎶🎧🎸🎹🎷🎺🎻🥁🎤", "❤️ 🔥 ✨ 💔 😀 😂 😍 😭 🙏 👍🏽 👩‍👩‍👧‍👦", "🇩🇪 🏳️‍🌈 🚗 ☀️ 🌙 ⚡ 1️⃣",
    ])
  func scripts(text: String) throws {
    let type = try SheetTests.type()
    for typeface in [type.regular, type.bold] {
      let paragraph = typeface.at(20).line(of: text).paragraph
      let missing = paragraph.scalars.filter { typeface.find($0).glyph == 0 && $0 != " " }
      #expect(missing.isEmpty, "\(missing)")
      #expect(!paragraph.forms.contains { $0.glyph == 0 }, "\(text)")
    }
  }

  @Test("a picture is drawn, once for a family and as letters for a flag")
  func pictures() throws {
    let face = try SheetTests.type().bold.at(24)
    func drawn(_ text: String) -> [UInt32] {
      let canvas = Canvas(size: Size(width: 120, height: 40))
      canvas.draw(text, in: canvas.bounds, font: face, colour: .white)
      return Array(UnsafeBufferPointer(start: canvas.pixels, count: 120 * 40))
    }
    #expect(drawn("👩") != drawn("🎵") && drawn("👩").contains { $0 != 0 })
    #expect(drawn("👩‍👩‍👧‍👦") == drawn("👩") && drawn("👍🏽") == drawn("👍"))
    #expect(drawn("🇩🇪") == drawn("DE") && drawn("❤️") == drawn("❤"))
  }

  @Test("panels of any size, however narrow, are drawn on by every screen", arguments: PanelProfile.allCases)
  func tiny(profile: PanelProfile) async throws {
    let type = try SheetTests.type()
    let sizes = [(1, 1), (3, 3), (2, 300), (300, 2), (7, 5), (31, 33)].map { Size(width: $0, height: $1) }
    try await aloneOnMainLoop { () async -> Result<Void, Fault> in
      for size in sizes {
        for words in [PanelWords.english, .arabic] {
          for isTouched in [false, true] {
            let look = PanelLook(type: type, words: words, style: PanelStyle(profile, isTouched: isTouched))
            for screen in await Sheet(size: size, look: look).screens() {
              let canvas = Canvas(size: size)
              screen.draw(canvas)
              do throws(Fault) {
                for bits in [1, 16, 32] {
                  for turn in Turn.allCases {
                    try MemoryPanel(size: turn.turned(size), bitsPerPixel: bits, turn: turn)
                      .show(canvas, changed: [canvas.bounds])
                  }
                }
              } catch { return .failure(error) }
            }
          }
        }
      }
      return .success(())
    }.get()
  }

  @Test("every screen is drawn with fonts that are broken", arguments: 1...4)
  func broken(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = TempFolder()
    let path = folder.path / "some.ttf"
    var bytes = try AtomicFile.read(DejaVu.regular, limit: 4_000_000)
    // Among them what says how high a line is, and how wide letters are.
    for _ in 0..<600 { bytes[.random(in: 300..<60_000, using: &random)] = .random(in: 0...255, using: &random) }
    try AtomicFile.replace(path, with: bytes)
    guard let type = try? PanelType(regular: [path], bold: [path]) else { return }
    await aloneOnMainLoop { () async in
      for style in [PanelStyle(), PanelStyle(.car, isTouched: true)] {
        let size = Size(width: 320, height: 240)
        for screen in await Sheet(size: size, look: PanelLook(type: type, style: style)).screens() {
          screen.draw(Canvas(size: size))
        }
      }
    }
  }
}
