import Runtime
import TestSupport
import Testing

@testable import Canvas

@Suite("Paragraphs")
struct ParagraphTests {
  let typeface: Typeface

  init() throws {
    let others = [
      "/usr/share/fonts-droid-fallback/truetype/DroidSansFallback.ttf", "/usr/share/fonts/truetype/tlwg/Garuda.ttf",
    ]
    typeface = try TypeLibrary().typeface(DejaVu.regular, fallbacks: others.map { FilePath($0) })
  }

  /// From left to right, by the letters that glyphs stand for.
  private func drawn(_ line: TextLine, of letters: String) -> String {
    let names = letters.unicodeScalars.map { (typeface.find($0).glyph, $0) }
    let placed = line.face.placement(of: line).placed
    return String(
      String.UnicodeScalarView(placed.compactMap { one in names.first { $0.0 == one.glyph }?.1 }))
  }

  @Test("a wrapped text that begins to the left runs so on each of its lines, whatever they begin with")
  func oneDirection() {
    let face = typeface.at(20)
    // Hebrew letters stand for themselves: none of them joins.
    let text = "אב cd הו gh כל op"
    let width = face.width(of: "אב cd")
    let lines = face.lines(of: text, width: width, atMost: 9)
    #expect(lines.map(\.text) == ["אב cd", "הו gh", "כל op"])
    let letters = "אבהוכלcdghop "
    #expect(lines.map { drawn($0, of: letters) } == ["cd בא", "gh וה", "op לכ"])
    #expect(lines.allSatisfy { $0.runsLeft })
    // The second line begins with what runs to the right, and still is a line of a text that runs to the left.
    let turned = face.lines(of: "אב הו cd כל", width: face.width(of: "אב הו"), atMost: 2)
    #expect(turned.map { drawn($0, of: letters) } == ["וה בא", "לכ cd"])
    // And the other way round.
    let latin = face.lines(of: "cd gh אב op", width: face.width(of: "cd gh"), atMost: 2)
    #expect(latin.map { drawn($0, of: letters) } == ["cd gh", "בא op"])
  }

  @Test(
    "what runs which way, in a text that runs to the right or to the left",
    arguments: [
      ("ab", "ab"), ("אב", "בא"), ("a אב b", "a בא b"), ("אב 12", "12 בא"), ("א a 12 b ב", "ב a 12 b א"),
      ("a (אב)", "a (בא)"), ("12 אב", "בא 12"), ("a אב 12 cd", "a 12 בא cd"),
    ])
  func order(text: String, seen: String) {
    #expect(drawn(typeface.at(20).line(of: text), of: "abcdאב12 ()") == seen)
  }

  private static let names = Isolated.name("ab") + " " + Isolated.name("12")

  @Test(
    "a name within a sentence keeps its own order and changes no other",
    arguments: [
      // Names that run to the right, side by side, would be one stretch of them.
      ("אב ab 12 הו", "וה ab 12 בא"), ("אב " + names + " הו", "וה 12 ab בא"),
      (Isolated.name("ab") + " אב", "בא ab"),
      (Isolated.sentence(names), "12 ab"),
      (names, "ab 12"),
      // A name that brings marks with it ends nothing before its time.
      (Isolated.sentence(Isolated.name("a\u{2069}\u{200F}b") + " " + Isolated.name("12")), "12 ab"),
    ])
  func isolated(text: String, seen: String) {
    #expect(drawn(typeface.at(20).line(of: text), of: "abcdאבהו12 ()") == seen)
    let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { !Isolated.marks.contains($0.value) }))
    #expect(typeface.at(20).width(of: text) == typeface.at(20).width(of: plain), "they take no room")
  }

  private func broken(_ text: String, as first: String) -> [String] {
    let face = typeface.at(20)
    return face.lines(of: text, width: face.width(of: first), atMost: 9).map(\.text)
  }

  @Test("a number keeps its unit, and a word the sign behind a blank")
  func bound() {
    #expect(broken("until 30 s", as: "until 30") == ["until", "30 s"])
    #expect(broken("about 1 GB, or", as: "about 1 ") == ["about", "1 GB, or"])
    #expect(broken("encore 29 %", as: "encore 29") == ["encore", "29 %"])
    #expect(broken("joue ; tout", as: "joue ;") == ["joue ;", "tout"])
    #expect(broken("of „BLUE 2“ now", as: "of „BLUE ") == ["of", "„BLUE 2“", "now"])
    #expect(broken("„Blau“ und „Rot“", as: "„Blau“ und ") == ["„Blau“ und", "„Rot“"])
    #expect(broken("\"A B\" or \"C D\"", as: "\"A B\" or ") == ["\"A B\" or", "\"C D\""])
    #expect(broken("number 12 songs", as: "number 12") == ["number 12", "songs"])
    #expect(broken("about 3 min left", as: "about 3") == ["about", "3 min", "left"])
  }

  @Test("a dot between two facts stands neither at the end of a line nor at the begin of the next")
  func separated() {
    #expect(broken("1 MB · Fits", as: "1 MB ·") == ["1 MB", "Fits"])
    #expect(broken("1 MB · Fits", as: "1 MB") == ["1 MB", "Fits"])
    #expect(broken("1 MB · Fits", as: "1 MB · Fits") == ["1 MB · Fits"])
    #expect(broken("a · b · ·", as: "a · b") == ["a · b", "·"])
  }

  @Test(
    "Japanese is broken behind what belongs together, before no sign that may not begin a line, and within no number",
    arguments: [
      ("音楽の準備ができました", "音楽の準備が", ["音楽の準備が", "できました"]),
      ("中のものはありません", "中のものはあり", ["中のものは", "ありません"]),
      ("ネットワーク、設定", "ネットワーク", ["ネットワー", "ク、設定"]),
      ("残り20分です", "残り2", ["残り", "20分", "です"]),
      ("再生します", "再生し", ["再生し", "ます"]),
      ("音楽を選んでください", "音楽を選んでくだ", ["音楽を選んで", "ください"]),
      ("回す: 大きく移動", "回す: 大き", ["回す:", "大きく", "移動"]),
      ("おまかせダウンロード", "おまかせダウン", ["おまかせ", "ダウンロード"]),
    ])
  func japanese(text: String, first: String, lines: [String]) { #expect(broken(text, as: first) == lines) }

  @Test("a word too long for a line is broken behind its hyphen, if that fills half of the line")
  func hyphens() {
    #expect(broken("layby-setup.conf", as: "layby-setup") == ["layby-", "setup.conf"])
    #expect(broken("a-verylongword", as: "a-verylong") == ["a-verylong", "word"])
    #expect(broken("-5 dB", as: "-5 dB") == ["-5 dB"])
  }

  @Test("a text is laid out once, for every size, width and count of lines, and however often it is drawn")
  func once() {
    let text = "سلام عليكم ורחמת hello"
    _ = typeface.at(20).width(of: text)
    let (shapings, made) = (typeface.shapings, typeface.texts.made)
    #expect(shapings >= 3 && made == 1)
    for size in [11, 20, 42] {
      for width in [40, 90, 200] {
        for count in 1...3 {
          for line in typeface.at(size).lines(of: text, width: width, atMost: count, balanced: count == 2) {
            let canvas = Canvas(size: Size(width: width, height: 60))
            canvas.draw(line, in: canvas.bounds, colour: .white)
          }
        }
      }
    }
    // The ellipsis is a text of its own.
    #expect(typeface.shapings == shapings && typeface.texts.made <= made + 1)
  }

  @Test(
    "lengths grow with the size, and a line is as long as its letters", arguments: ["Sonne", "سلام", "ที่ดี", "音楽", "AVA"])
  func scaled(text: String) {
    for size in [9, 20, 33, 64] {
      let face = typeface.at(size)
      let placement = face.placement(of: face.line(of: text))
      #expect(placement.width == face.preciseWidth(of: text))
      #expect(placement.placed.map(\.end).max() == placement.width)
      #expect(abs(face.preciseWidth(of: text) * 100 / size - typeface.at(100).preciseWidth(of: text)) <= 100 / size + 1)
    }
  }

  @Test("lines lose nothing but spaces, fit, and are as many as they may be", arguments: 1...12)
  func lines(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ab  cdé\u{301} אבג سلام 音楽 ที่ 12 \t\n-")
    for _ in 0..<40 {
      let text = String(
        (0..<Int.random(in: 0...60, using: &random)).map { _ in letters[.random(in: 0..<letters.count, using: &random)]
        })
      let face = typeface.at(.random(in: 8...40, using: &random))
      let (width, count) = (Int.random(in: 1...400, using: &random), Int.random(in: 1...6, using: &random))
      let isBalanced = Bool.random(using: &random)
      let lines = face.lines(of: text, width: width, atMost: count, balanced: isBalanced)
      #expect(lines.count <= count, "seed \(seed)")
      func plain(_ text: String) -> [Unicode.Scalar] {
        VisibleText.scalars(of: text).filter { !$0.properties.isWhitespace }
      }
      #expect(lines.flatMap { plain($0.text) } == plain(text), "seed \(seed): \(text)")
      for (index, line) in lines.enumerated() where index < count - 1 {
        #expect(line.preciseWidth <= width * 64 || line.span.end - line.span.start == 1, "seed \(seed): \(line.text)")
      }
      for line in lines {
        #expect(line.text.first?.isWhitespace != true && line.text.last?.isWhitespace != true, "seed \(seed)")
        #expect(Set(line.paragraph.order(of: line.span)) == Set(line.span.start..<line.span.end))
      }
    }
  }

  @Test("balanced lines are as many, and the longest of them is no longer than before")
  func balanced() {
    let face = typeface.at(20)
    let text = "Concerto for two violins in D minor"
    for width in stride(from: 120, through: 300, by: 20) {
      let greedy = face.lines(of: text, width: width, atMost: 5)
      let equal = face.lines(of: text, width: width, atMost: 5, balanced: true)
      #expect(greedy.count == equal.count)
      #expect((equal.map(\.width).max() ?? 0) <= (greedy.map(\.width).max() ?? 0))
    }
    #expect(
      face.lines(of: "one two three four", width: face.width(of: "one two three"), atMost: 2, balanced: true).map(
        \.text) == ["one two", "three four"])
    // For that no word is broken.
    let stick = "A stick with layby-setup.conf sets up Wi-Fi"
    for width in face.width(of: "layby-setup.conf")..<face.width(of: stick) {
      let lines = face.lines(of: stick, width: width, atMost: 3, balanced: true)
      #expect(!lines.fit(width) || lines.contains { $0.text.contains("layby-setup.conf") }, "\(width)")
    }
  }

  @Test("what is too long fades where it goes on: at its end, wherever that is")
  func fading() {
    let face = typeface.at(20)
    func light(_ text: String, _ columns: Range<Int>, _ overflow: Canvas.Overflow) -> Int {
      let canvas = Canvas(size: Size(width: 120, height: 30))
      canvas.draw(text, in: canvas.bounds, font: face, colour: .white, tooWide: overflow)
      return columns.reduce(0) { sum, x in sum + (0..<30).reduce(0) { $0 + Int(canvas[x, $1].red) } }
    }
    let (latin, hebrew) = ("HHHHHHHHHHHHHHHHHHHH", "חחחחחחחחחחחחחחחחחחחח")
    #expect(light(latin, 0..<10, .fade) > 2 * light(latin, 110..<120, .fade))
    #expect(light(hebrew, 110..<120, .fade) > 2 * light(hebrew, 0..<10, .fade))
    // In the middle of its way it goes on at both sides, and at its end only where it began.
    for text in [latin, hebrew] {
      let whole = face.width(of: text)
      let middle = Canvas.Overflow.passing((whole - 120) / 2)
      #expect(light(text, 55..<65, middle) > 2 * light(text, 0..<10, middle))
      #expect(light(text, 55..<65, middle) > 2 * light(text, 110..<120, middle))
    }
    let end = Canvas.Overflow.passing(face.width(of: latin) - 120)
    #expect(light(latin, 110..<120, end) > 2 * light(latin, 0..<10, end))
    let start = Canvas.Overflow.passing(face.width(of: hebrew) - 120)
    #expect(light(hebrew, 0..<10, start) > 2 * light(hebrew, 110..<120, start))
  }
}
