/// Where a line may end: in Chinese and Japanese, which have no blanks between words, and signs that forbid it elsewhere.
enum LineBreak {
  /// Not here; within a word: behind its hyphen, or in Japanese, where its kinds of letters tell; between two letters;
  /// after what belongs together.
  case none, word, letters, phrase

  /// Between two that follow each other; `next` is what follows then.
  init(_ before: Unicode.Scalar, _ after: Unicode.Scalar, next: Unicode.Scalar? = nil) {
    self = .none
    if before == "-", after.properties.isAlphabetic, !Self.neverFirst.contains(after) {
      self = .word
      return
    }
    guard Self.isIdeographic(before) || Self.isIdeographic(after) else { return }
    if Self.neverFirst.contains(after) || Self.neverLast.contains(before) { return }
    // A number and what it counts.
    if before.properties.numericType != nil, before.value < 0x80 || before.value >= 0xFF00 { return }
    if after.properties.isWhitespace || before.properties.isWhitespace { return }
    // A particle or an ending stands before the next word; of one that is borrowed all letters are of one kind.
    let isVerb = Self.particles.contains(before) && next.map { Self.verbs[after]?.contains($0) == true } ?? false
    let isEnd = Self.ends.contains(before) || (Self.isHiragana(before) && !Self.isHiragana(after)) || isVerb
    // What follows a word in these is its ending, or goes on with it.
    let goesOn = Self.isHiragana(after) || Self.isKatakana(before) && Self.isKatakana(after)
    self = isEnd ? .phrase : goesOn ? .word : .letters
  }

  private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3000...0x30FF, 0x31F0...0x31FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0xFF01...0xFFEF, 0x20000...0x3FFFF: true
    default: false
    }
  }

  private static func isHiragana(_ scalar: Unicode.Scalar) -> Bool { (0x3041...0x309F).contains(scalar.value) }

  private static func isKatakana(_ scalar: Unicode.Scalar) -> Bool { (0x30A0...0x30FF).contains(scalar.value) }

  private static let particles = Set("はがをもにとてで".unicodeScalars)
  /// How verbs begin that are written in the particles' own letters: in 準備ができました no kind of letter tells where they do.
  private static let verbs: [Unicode.Scalar: Set<Unicode.Scalar>] = [
    "あ": ["り", "る"], "い": ["ま", "る"], "く": ["だ"], "し": ["て", "ま"], "す": ["る"], "で": ["き"],
    "な": ["い", "く", "っ", "り", "る"],
  ]
  private static let ends = Set("、。，．！？」』）】・：；".unicodeScalars)
  static let neverLast = Set("「『（【〈《〔［｛([{«".unicodeScalars)
  /// Between two of these stands a name. If it is at most `longestName` letters long, it stays in one line.
  static let quotes = Set("\"“”„«»".unicodeScalars)
  static let longestName = 10
  /// No line begins with these, though a blank may stand before them: "29 %", and in French "joue ;".
  static let clingsBack = Set("%:;!?»".unicodeScalars)
  private static let neverFirst = Set(
    "、。，．！？」』）】〉》〕］｝・：；ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％…‥〜!?,.:;)]}%".unicodeScalars)
}
