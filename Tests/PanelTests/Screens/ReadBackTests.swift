import Glibc
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

/// What a program that knows nothing of us reads from the pixels. Each line of text is cut out of its screen and put
/// below the one before, dark on white, as on a page.
@Suite("Screens are read back", .serialized)
struct ReadBackTests {
  static let cases: [SheetTests.Case] = [
    .init(.english, 320, 240), .init(.english, 480, 320) { $0.theme = .day },
    .init(.english, 320, 240) { ($0.profile, $0.theme) = (.car, .ink) }, .init(.german, 320, 240),
    .init(.french, 320, 240), .init(.spanish, 320, 240),
  ]

  private static let program = "/usr/bin/tesseract"

  @Test(
    "Latin text is what it says", .enabled(if: access(program, X_OK) == 0, "tesseract-ocr is not installed"),
    arguments: CommitSample.third(of: cases))
  func read(one: SheetTests.Case) async throws {
    let folder = TempFolder()
    let (texts, pages) = try await aloneOnMainLoop { () async -> Result<([String], [[UInt8]]), Fault> in
      do { return .success(try await Self.pages(one)) } catch let fault as Fault { return .failure(fault) } catch {
        return .failure(Fault(.missing, "T-1", "\(error)"))
      }
    }.get()
    var list = ""
    for (number, page) in pages.enumerated() {
      let picture = folder.path / "page-\(number).png"
      try AtomicFile.replace(picture, with: page)
      list += "\(picture)\n"
    }
    let pictures = folder.path / "pages.txt"
    try AtomicFile.replace(pictures, with: Array(list.utf8))
    let out = folder.path / "out"
    var alone = SpawnOptions()
    // Its threads would only wait for each other.
    alone.variables = ["OMP_THREAD_LIMIT=1"]
    let process = try ChildProcess(
      [Self.program, "\(pictures)", "\(out)", "--psm", "6", "-l", "eng", "--dpi", "150"],
      in: alone)
    // A page takes it a second; one that hangs is ended with the test.
    _ = Readiness.readable([process.ended], until: .now + .seconds(120))
    #expect(process.hasEnded && process.reap().code == 0)
    let read = String(decoding: try AtomicFile.read(folder.path / "out.txt", limit: 1 << 20), as: UTF8.self)
    let found = Set(Self.words(of: read))
    let wanted = texts.flatMap(Self.words)
    let missed = wanted.filter { word in !found.contains { Self.isAlike(word, $0) } }
    #expect(wanted.count > 50)
    // One in twenty-five is the reader's own fault.
    #expect(missed.count * 25 <= wanted.count, "\(missed)")
  }

  /// Words of four letters or more, without accents, which an English reader does not know.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    for scalar in text.lowercased().unicodeScalars.map({ plain[$0] ?? $0 }) + [" "] {
      if ("a"..."z").contains(scalar) {
        word.unicodeScalars.append(scalar)
      } else {
        if word.count >= 4 { words.append(word) }
        word = ""
      }
    }
    return words
  }

  private static let plain: [Unicode.Scalar: Unicode.Scalar] = [
    "ä": "a", "á": "a", "à": "a", "â": "a", "é": "e", "è": "e", "ê": "e", "ë": "e", "í": "i", "î": "i", "ï": "i",
    "ö": "o", "ó": "o", "ô": "o", "ü": "u", "ú": "u", "û": "u", "ù": "u", "ñ": "n", "ç": "c",
  ]

  /// One letter may be another.
  private static func isAlike(_ one: String, _ other: String) -> Bool {
    one == other
      || one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).count(where: { $0 != $1 }) <= 1
  }

  @MainLoop
  private static func pages(_ one: SheetTests.Case) async throws -> ([String], [[UInt8]]) {
    var lines: [Line] = []
    var said: Set<String> = []
    for screen in await Sheet(size: one.size, look: try one.look()).screens() {
      let canvas = Canvas(size: one.size)
      var drawn: [DrawnText] = []
      canvas.heard = { drawn.append($0) }
      screen.draw(canvas)
      for text in drawn where text.isWhole && !words(of: text.text).isEmpty && said.insert(text.text).inserted {
        let box = text.ink.intersection(text.clip)
        let away = box.rows.map { y in box.columns.map { Self.away(canvas[$0, y], text.colour) } }
        let most = max(away.joined().max() ?? 1, 1)
        // Of 255: how much paper there is to be seen.
        let pixels = away.map { row in row.map { $0 * 255 / most } }
        lines.append(Line(text: text.text, pixels: pixels))
      }
    }
    let pages = try stride(from: 0, to: lines.count, by: linesAPage).map { first in
      try page(lines[first..<min(first + linesAPage, lines.count)])
    }
    return (lines.map(\.text), pages)
  }

  private struct Line {
    let text: String
    let pixels: [[Int]]

    /// Small print is made as large as the rest: it is our letters that are to be read, not their size.
    var scale: Int { max(3, (36 + pixels.count - 1) / max(pixels.count, 1)) }

    /// Between four pixels what lies between them: a reader of print knows no steps.
    func light(x: Int, y: Int, _ scale: Int) -> Int {
      func part(_ place: Int, _ count: Int) -> (low: Int, high: Int, share: Int) {
        let at = min(max(2 * place + 1 - scale, 0), 2 * scale * (count - 1))
        let low = at / (2 * scale)
        return (low, min(low + 1, count - 1), at % (2 * scale))
      }
      let (across, down) = (part(x, pixels[0].count), part(y, pixels.count))
      func row(_ y: Int) -> Int {
        pixels[y][across.low] * (2 * scale - across.share) + pixels[y][across.high] * across.share
      }
      return (row(down.low) * (2 * scale - down.share) + row(down.high) * down.share) / (4 * scale * scale)
    }
  }

  /// Longer pages than those of books it leaves in the middle.
  private static let linesAPage = 30

  @MainLoop
  private static func page(_ lines: ArraySlice<Line>) throws(Fault) -> [UInt8] {
    let gap = 12
    let width = (lines.map { ($0.pixels.first?.count ?? 0) * $0.scale }.max() ?? 1) + 4 * gap
    let height = lines.reduce(4 * gap) { $0 + $1.pixels.count * $1.scale + 2 * gap }
    let page = Canvas(size: Size(width: width, height: height))
    page.fill(page.bounds, .white)
    var top = 2 * gap
    for line in lines {
      let scale = line.scale
      let (width, height) = ((line.pixels.first?.count ?? 0) * scale, line.pixels.count * scale)
      for y in 0..<height {
        for x in 0..<width {
          let light = UInt8(line.light(x: x, y: y, scale))
          page[2 * gap + x, top + y] = Pixel(red: light, green: light, blue: light)
        }
      }
      top += line.pixels.count * scale + 2 * gap
    }
    return try PNG.encode(page)
  }

  private static func away(_ pixel: Pixel, _ colour: Pixel) -> Int {
    func away(_ a: UInt8, _ b: UInt8) -> Int { abs(Int(a) - Int(b)) }
    return away(pixel.red, colour.red) + away(pixel.green, colour.green) + away(pixel.blue, colour.blue)
  }
}
