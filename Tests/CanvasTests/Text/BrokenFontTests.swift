import Runtime
import TestSupport
import Testing

@testable import Canvas

/// Fonts are Debian's, but cards rot: whatever FreeType makes of a file, text is drawn inside its place or not at all.
@Suite("Broken fonts")
struct BrokenFontTests {
  private let folder = TempFolder()
  private var path: FilePath { folder.path / "some.ttf" }

  /// A font as a list of tables, whose bytes can be written over.
  private struct Font {
    var bytes: [UInt8]
    private(set) var tables: [String: Range<Int>] = [:]

    init(_ path: FilePath) throws {
      bytes = try AtomicFile.read(path, limit: 4_000_000)
      let count = number(at: 4, bytes: 2)
      for index in 0..<count {
        let row = 12 + 16 * index
        let name = String(decoding: bytes[row..<row + 4], as: UTF8.self)
        let (start, length) = (number(at: row + 8, bytes: 4), number(at: row + 12, bytes: 4))
        tables[name] = start..<start + length
      }
    }

    private func number(at place: Int, bytes count: Int) -> Int {
      bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Its name is another: nobody finds it.
    mutating func hide(_ table: String) {
      for row in stride(from: 12, to: 12 + 16 * tables.count, by: 16) {
        if String(decoding: bytes[row..<row + 4], as: UTF8.self) == table { bytes[row] = UInt8(ascii: "x") }
      }
    }

    mutating func set(_ table: String, at place: Int, _ value: UInt16) {
      guard let range = tables[table], place + 1 < range.count else { return }
      bytes[range.lowerBound + place] = UInt8(value >> 8)
      bytes[range.lowerBound + place + 1] = UInt8(value & 0xFF)
    }
  }

  private static let texts = ["Ärger 123 AVA", "سلام עולם", "e\u{301}\u{302} x\u{301}", "日本語 สวัสดี", "…"]

  /// Draws with it, and looks whether all of that stayed where it belongs.
  private func draw(with typeface: Typeface, _ told: String) {
    let place = Rect(x: 20, y: 10, width: 100, height: 40)
    for size in [4, 9, 20, 90, 400] {
      let face = typeface.at(size)
      #expect(face.lineHeight > 0 && face.lineHeight <= 8 * size, "\(told)")
      for text in Self.texts {
        let canvas = Canvas(size: Size(width: 140, height: 60))
        canvas.draw(text, in: place, font: face, colour: .white)
        canvas.draw(text, in: place, font: face, colour: .white, tooWide: .passing(30))
        for line in face.lines(of: text, width: 60, atMost: 3, balanced: true) {
          canvas.draw(line, in: place, colour: .white, align: .centre)
        }
        var isInside = true
        for y in 0..<60 {
          for x in 0..<140 where !place.contains(x: x, y: y) { isInside = isInside && canvas[x, y] == .black }
        }
        #expect(isInside, "\(told)")
        // No letter is wider than sixteen of its heights.
        #expect(abs(face.preciseWidth(of: text)) <= 16 * 64 * size * text.unicodeScalars.count, "\(told)")
      }
    }
    #expect(typeface.storedGlyphBytes <= 2 * Typeface.glyphBytes, "\(told)")
  }

  @Test("one that is missing, empty or no font is told by name", arguments: [nil, [], Array("no font".utf8)])
  func noFont(contents: [UInt8]?) throws {
    if let contents { try AtomicFile.replace(path, with: contents) }
    let library = try TypeLibrary()
    do throws(Fault) {
      _ = try library.typeface(path)
      Issue.record("it was opened")
    } catch {
      #expect(error.message.contains(path.description))
      #expect(error.kind == (contents == nil ? .missing : .malformed))
    }
    // As a fall-back it is done without.
    let typeface = try library.typeface(DejaVu.regular, fallbacks: [path])
    #expect(typeface.find("字").glyph == 0)
    #expect(typeface.files.count == 1)
  }

  @Test("one of zeros, one with another beginning, and one without a table of its letters are refused")
  func refused() throws {
    let good = try Font(DejaVu.regular)
    var (zeros, begun, mute) = (good, good, good)
    zeros.bytes = [UInt8](repeating: 0, count: good.bytes.count)
    begun.bytes[0...3] = [0xDE, 0xAD, 0xBE, 0xEF]
    // FreeType makes one up from the letters' names, where these are there.
    for table in ["cmap", "post"] { mute.hide(table) }
    for (font, codes) in [(zeros, ["K-102"]), (begun, ["K-102"]), (mute, ["K-102", "K-103"])] {
      try AtomicFile.replace(path, with: font.bytes)
      do throws(Fault) {
        _ = try TypeLibrary().typeface(path)
        Issue.record("it was opened")
      } catch { #expect(codes.contains(error.code), "\(error)") }
    }
  }

  @Test("one that says it is huge, or nothing, or stands on its head is drawn inside its place")
  func claims() throws {
    let good = try Font(DejaVu.regular)
    let claims: [(String, Int, [UInt16])] = [
      // Units an em; the box of all its letters; how high and low it reaches; how many widths it has.
      ("head", 18, [0, 1, 16, 16_384, 65_535]), ("head", 36, [0x8000, 0x7FFF]), ("hhea", 4, [0, 0x8000, 0x7FFF, 1]),
      ("hhea", 6, [0, 0x8000, 0x7FFF]), ("hhea", 34, [0, 1, 65_535]), ("maxp", 4, [0, 1, 65_535]),
      ("OS/2", 68, [0x8000, 0x7FFF]), ("head", 50, [0, 1, 7]),
    ]
    for (table, place, values) in claims {
      for value in values {
        var font = good
        font.set(table, at: place, value)
        try AtomicFile.replace(path, with: font.bytes)
        guard let typeface = try? TypeLibrary().typeface(path) else { continue }
        draw(with: typeface, "\(table) \(place) \(value)")
      }
    }
  }

  @Test("one that is cut short anywhere draws something or nothing", arguments: 1...3)
  func short(seed: UInt64) throws {
    let good = try Font(DejaVu.regular)
    var random = SeededGenerator(seed: seed)
    var opened = 0
    for _ in 0..<8 {
      let count = Int.random(in: 0..<good.bytes.count, using: &random)
      try AtomicFile.replace(path, with: Array(good.bytes.prefix(count)))
      guard let typeface = try? TypeLibrary().typeface(path) else { continue }
      opened += 1
      draw(with: typeface, "seed \(seed), \(count) bytes")
    }
    #expect(opened < 8)
  }

  @Test("one with bytes turned in any of its tables draws something or nothing", arguments: 1...6)
  func turned(seed: UInt64) throws {
    let good = try Font(DejaVu.regular)
    var random = SeededGenerator(seed: seed)
    let names = good.tables.keys.sorted()
    var opened = 0
    for _ in 0..<8 {
      var font = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        guard let name = names.randomElement(using: &random), let table = font.tables[name] else { continue }
        let range = table.clamped(to: 0..<font.bytes.count)
        if range.isEmpty { continue }
        for _ in 0..<Int.random(in: 1...max(2, range.count / 20), using: &random) {
          font.bytes[.random(in: range, using: &random)] =
            [0, 0xFF, 0x80, .random(in: 0...255, using: &random)]
            .randomElement(using: &random) ?? 0
        }
      }
      try AtomicFile.replace(path, with: font.bytes)
      guard let typeface = try? TypeLibrary().typeface(path, fallbacks: [DejaVu.bold]) else { continue }
      opened += 1
      draw(with: typeface, "seed \(seed)")
    }
    #expect(opened > 0)
  }
}
