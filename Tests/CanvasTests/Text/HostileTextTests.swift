import Runtime
import TestSupport
import Testing

@testable import Canvas

/// Names that are made up to cost time. What is counted is what takes it: how often HarfBuzz is asked, how many texts
/// are laid out, and how many glyphs are rendered.
@Suite("Hostile text")
struct HostileTextTests {
  let typeface: Typeface

  init() throws {
    let others = [
      "/usr/share/fonts-droid-fallback/truetype/DroidSansFallback.ttf", "/usr/share/fonts/truetype/tlwg/Garuda.ttf",
    ]
    typeface = try TypeLibrary().typeface(DejaVu.bold, fallbacks: [DejaVu.regular] + others.map { FilePath($0) })
  }

  struct Name: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String

    init(_ description: String, _ text: String) { (testDescription, self.text) = (description, text) }
  }

  static let names: [Name] = {
    var random = SeededGenerator(seed: 4)
    let ranges: [ClosedRange<UInt32>] = [
      0x41...0x5A, 0x410...0x44F, 0x5D0...0x5EA, 0x620...0x64A, 0x905...0x939, 0xE01...0xE2E, 0x3041...0x3096,
      0x4E00...0x9FA5, 0xAC00...0xD7A3, 0x1F600...0x1F64F, 0x202A...0x202E, 0x300...0x36F, 0xE000...0xE0FF,
    ]
    func any(_ count: Int, in ranges: [ClosedRange<UInt32>]) -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<count {
        guard let range = ranges.randomElement(using: &random) else { continue }
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
      }
      return String(text)
    }
    return [
      Name("scripts that change with every letter", any(10_000, in: ranges)),
      Name("heaps of accents", (0..<100).map { _ in "a" + any(100, in: [0x300...0x36F]) }.joined()),
      Name("one word to the left", String(repeating: "אבגד", count: 2_500)),
      Name("words that join", String(repeating: "سلام ", count: 2_000)),
      Name("turned to and fro", String(repeating: "a\u{202E}ב\u{202D}", count: 2_500)),
      Name("ideographs, each another", any(10_000, in: [0x4E00...0x9FA5])),
      Name("in no font", any(10_000, in: [0xE000...0xF8FF])),
      Name("nothing to see", String(repeating: "\u{202E}", count: 10_000)),
      Name("spaces", String(repeating: " ", count: 10_000)),
    ]
  }()

  /// As the music's screen does it: the largest letters in which all of it fits, else what fits of it.
  private func show(_ text: String, on canvas: Canvas) {
    for size in [42, 38, 34, 30, 28, 26] {
      let lines = typeface.at(size).lines(of: text, width: 296, atMost: 3, balanced: true)
      guard size == 26 || lines.fit(296) else { continue }
      for (index, line) in lines.enumerated() {
        canvas.draw(line, in: Rect(x: 12, y: 40 + index * 30, width: 296, height: 30), colour: .white)
      }
      break
    }
    canvas.draw(text, in: Rect(x: 12, y: 160, width: 296, height: 26), font: typeface.at(21), colour: .white)
    canvas.draw(
      text, in: Rect(x: 12, y: 200, width: 296, height: 26), font: typeface.at(18), colour: .white, tooWide: .fade)
  }

  @Test("costs its layout once, its glyphs as far as they are seen, and from then on nothing", arguments: names)
  func once(name: Name) {
    let canvas = Canvas(size: Size(width: 320, height: 240))
    show(name.text, on: canvas)
    // Itself, and an ellipsis.
    #expect(typeface.texts.made <= 2)
    // No more runs than letters that are read, whatever sizes were tried.
    #expect(typeface.shapings <= VisibleText.longest + 1)
    // Five lines of 296 pixels; the narrowest letters are a quarter of their height. Accents are glyphs of their own.
    #expect(typeface.renderings <= 5 * 296 * 4 / 18 * (1 + VisibleText.mostMarks))
    let (made, shapings, renderings) = (typeface.texts.made, typeface.shapings, typeface.renderings)
    for _ in 0..<3 { show(name.text, on: canvas) }
    #expect(typeface.texts.made == made && typeface.shapings == shapings && typeface.renderings == renderings)
  }

  @Test("a list of such names fits the store: drawn again, nothing is laid out anew")
  func list() {
    let canvas = Canvas(size: Size(width: 800, height: 480))
    func show() {
      for row in 0..<20 {
        let text = "\(row) " + Self.names[row % Self.names.count].text
        let place = Rect(x: 0, y: row * 24, width: 800, height: 24)
        canvas.draw(text, in: place, font: typeface.at(19), colour: .white)
      }
    }
    show()
    let (made, shapings) = (typeface.texts.made, typeface.shapings)
    #expect(made >= 20)
    for _ in 0..<3 { show() }
    #expect(typeface.texts.made == made && typeface.shapings == shapings)
  }

  @Test("texts that never come back leave the store within its budget", arguments: 1...3)
  func budget(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let most = 2 * (TextStore.paragraphBytes + TextStore.lineBytes + TextStore.placementBytes)
    for round in 0..<1_500 {
      let face = typeface.at(.random(in: 9...40, using: &random))
      let text = String(repeating: "\(round) ", count: .random(in: 0...200, using: &random))
      for line in face.lines(of: text, width: .random(in: 10...900, using: &random), atMost: 4) {
        _ = face.placement(of: line)
      }
      #expect(typeface.storedTextBytes <= most)
    }
    #expect(typeface.storedTextBytes > TextStore.paragraphBytes / 2)
  }

  @Test("texts that differ in one byte anywhere, or only in how they are written, are told apart")
  func apart() {
    let face = typeface.at(20)
    let base = String(repeating: "i", count: 300)
    let width = face.width(of: base)
    for at in stride(from: 0, to: 300, by: 7) {
      let other = String(base.prefix(at)) + "W" + String(base.dropFirst(at + 1))
      #expect(face.width(of: other) > width)
    }
    #expect(face.line(of: "é").paragraph.number != face.line(of: "e\u{301}").paragraph.number)
    #expect(face.line(of: "é").paragraph.number == face.line(of: "é").paragraph.number)
    // Beyond what is read it does not matter.
    let endless = String(repeating: "a", count: 10_000)
    #expect(face.line(of: endless + "b").paragraph.number == face.line(of: endless + "c").paragraph.number)
  }
}

@Suite("A cache of two generations")
struct TwoGenerationCacheTests {
  @Test(
    "never more than its budget, never a wrong value, and what was used lately is there", arguments: 1...6)
  func walk(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = 100
    var store = TwoGenerationCache<Int, Int>(limit: limit)
    var sizes: [Int: Int] = [:]
    // The latest last.
    var used: [Int] = []
    for _ in 0..<3_000 {
      let key = Int.random(in: 0..<40, using: &random)
      let size = sizes[key] ?? Int.random(in: 1...30, using: &random)
      sizes[key] = size
      if let found = store[key] {
        #expect(found == key * 7)
      } else {
        // Whatever was used since it was last fills more than half a generation.
        let since = used.reversed().prefix { $0 != key }
        let others = Set(since).reduce(0) { $0 + (sizes[$1] ?? 0) }
        #expect(!used.contains(key) || others + size > limit / 2, "seed \(seed)")
        store.add(key * 7, for: key, bytes: size)
      }
      used.append(key)
      #expect(store.bytes <= 2 * limit, "seed \(seed)")
    }
  }

  @Test("what is larger than a generation is not kept, and costs nothing that is")
  func large() {
    var store = TwoGenerationCache<Int, Int>(limit: 10)
    store.add(1, for: 1, bytes: 5)
    store.add(2, for: 2, bytes: 11)
    #expect(store[2] == nil && store[1] == 1 && store.bytes == 5)
    store.add(3, for: 1, bytes: 6)
    #expect(store[1] == 3 && store.bytes == 6)
  }
}
