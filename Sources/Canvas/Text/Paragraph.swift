/// A text whose letters are chosen, joined and measured once, whatever size they get and wherever its lines end. Lines
/// are cut out of it, so that a word that is broken keeps the letters it had, and all lines run the way that the whole
/// text does: its first letter that has a direction says which that is.
final class Paragraph {
  /// What is never parted: a letter with its accents, or letters that are drawn as one. In the order of reading.
  struct Cluster {
    /// The first of its forms, and how many there are.
    var form: Int32
    var forms: UInt16
    /// Even ones run to the right, odd ones to the left.
    var level: UInt8
    var isSpace: Bool
    /// The first of its characters; they end where the next one's begin.
    var scalar: Int32
    /// In parts of an em, as all lengths here.
    var advance: Int32
  }

  /// A glyph, and where it is in its cluster; from left to right.
  struct Form {
    var glyph: UInt32
    var file: UInt8
    var x: Int32
    var y: Int32
  }

  /// Some of the clusters, without the spaces around them, on a line.
  struct Span: Equatable {
    var start: Int
    var end: Int
    var width: Int
  }

  /// No other has it.
  let number: Int
  /// What was read of the text, byte for byte.
  let source: [UInt8]
  let scalars: [Unicode.Scalar]
  let clusters: [Cluster]
  let forms: [Form]
  let width: Int
  let runsLeft: Bool
  let isMixed: Bool

  init(_ text: String, source: [UInt8], number: Int, in typeface: Typeface) {
    let scalars = VisibleText.scalars(of: text)
    var maker = ParagraphMaker(typeface)
    let isShaped = scalars.contains { ScriptRange.needsShaping($0) } && maker.shape(scalars)
    if !isShaped { maker.set(scalars) }
    self.scalars = scalars
    self.number = number
    self.source = source
    clusters = maker.clusters
    forms = maker.forms
    runsLeft = maker.runsLeft
    isMixed = maker.clusters.contains { $0.level != 0 }
    width = maker.clusters.reduce(0) { $0 + Int($1.advance) }
  }

  /// About what it takes of the memory.
  var bytes: Int {
    160 + source.count + scalars.count * 4 + clusters.count * MemoryLayout<Cluster>.stride
      + forms.count * MemoryLayout<Form>.stride
  }

  var whole: Span { Span(start: 0, end: clusters.count, width: width) }

  /// The characters of it that stand there.
  func text(of span: Span) -> String {
    guard span.start < span.end else { return "" }
    let first = Int(clusters[span.start].scalar)
    let end = span.end < clusters.count ? Int(clusters[span.end].scalar) : scalars.count
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[min(first, end)..<end].lazy.filter { !Isolated.marks.contains($0.value) })
    return String(text)
  }
}

/// Sets a paragraph's letters.
struct ParagraphMaker {
  let typeface: Typeface
  var clusters: [Paragraph.Cluster] = []
  var forms: [Paragraph.Form] = []
  var runsLeft = false

  init(_ typeface: Typeface) { self.typeface = typeface }

  /// One letter after the other, each for itself; an accent with the letter before it.
  mutating func set(_ scalars: [Unicode.Scalar]) {
    clusters.reserveCapacity(scalars.count)
    forms.reserveCapacity(scalars.count)
    for (index, scalar) in scalars.enumerated() where !Self.isUnseen(scalar) {
      let (file, glyph) = typeface.find(scalar)
      if let before = forms.last, Int(before.file) == file, glyph != 0, let last = clusters.indices.last {
        clusters[last].advance += typeface.files[file].kerning(before.glyph, glyph)
      }
      let advance = typeface.files[file].advance(of: glyph)
      if scalar.value >= 0x300, scalar.properties.generalCategory == .nonspacingMark, let last = clusters.indices.last {
        forms.append(Paragraph.Form(glyph: glyph, file: UInt8(file), x: clusters[last].advance, y: 0))
        clusters[last].forms += 1
        clusters[last].advance += advance
        continue
      }
      clusters.append(
        Paragraph.Cluster(
          form: Int32(forms.count), forms: 1, level: 0, isSpace: scalar.properties.isWhitespace, scalar: Int32(index),
          advance: advance))
      forms.append(Paragraph.Form(glyph: glyph, file: UInt8(file), x: 0, y: 0))
    }
  }

  /// Says something of the letters beside it, and is none.
  static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    (0x200C...0x200D).contains(scalar.value) || Isolated.marks.contains(scalar.value)
  }
}
