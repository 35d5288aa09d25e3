/// What every scalar folds to. The standard library knows great and small letters but not what a letter is without its
/// marks; that stands in `FoldingTable+Letters.swift`.
struct FoldingTable: Sendable {
  static let shared = FoldingTable()

  /// What a folded scalar is to a text.
  enum Part { case gap, letter, ideograph, sign }

  /// Small letters to what is left of them.
  private var entries: [UInt32: [UInt32]] = [:]
  /// For scripts that are met often, where they fold to one scalar; 0 elsewhere.
  private var quick: [UInt32] = []
  private static let quickStart: UInt32 = 0x80
  private static let quickEnd: UInt32 = 0x530

  private init() {
    readEntries()
    quick = (Self.quickStart..<Self.quickEnd).map { value in
      guard let scalar = Unicode.Scalar(value) else { return 0 }
      let folded = scalars(of: scalar)
      return folded.count == 1 ? folded[0] : 0
    }
  }

  /// The one scalar that this one folds to; nil where `scalars(of:)` has to be asked.
  func quickly(_ scalar: Unicode.Scalar) -> UInt32? {
    guard scalar.value >= Self.quickStart, scalar.value < Self.quickEnd else { return nil }
    let folded = quick[Int(scalar.value - Self.quickStart)]
    return folded == 0 ? nil : folded
  }

  /// Great letters become small by way of their great form: some letters share only that, as ς and σ do.
  func scalars(of scalar: Unicode.Scalar) -> [UInt32] {
    let value = scalar.value
    if Self.isDropped(value) { return [] }
    if let other = Self.kanaOrWidth(value) {
      guard other < 0x80, let plain = Unicode.Scalar(other) else { return [other] }
      return [plain.properties.lowercaseMapping.unicodeScalars.first?.value ?? other]
    }
    if let kana = halfWidth(value) { return [kana] }
    var folded: [UInt32] = []
    for great in scalar.properties.uppercaseMapping.unicodeScalars {
      for small in great.properties.lowercaseMapping.unicodeScalars where !Self.isDropped(small.value) {
        folded += entries[small.value] ?? [Self.digit(small) ?? small.value]
      }
    }
    return folded
  }

  private func halfWidth(_ value: UInt32) -> UInt32? {
    (0xFF66...0xFF9D).contains(value) ? entries[value]?.first : nil
  }

  /// Digits of every script, raised and ringed ones too.
  private static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
    guard scalar.value >= 0x80 else { return nil }
    switch scalar.properties.numericType {
    case .decimal, .digit: break
    default: return nil
    }
    guard let number = scalar.properties.numericValue, (0...9).contains(number) else { return nil }
    return 0x30 + UInt32(number)
  }

  /// Katakana become hiragana, what only looks different becomes what it is.
  private static func kanaOrWidth(_ value: UInt32) -> UInt32? {
    switch value {
    case 0x30A1...0x30F6, 0x30FD, 0x30FE: value - 0x60
    // Four syllables have no hiragana with the mark.
    case 0x30F7: 0x308F
    case 0x30F8: 0x3090
    case 0x30F9: 0x3091
    case 0x30FA: 0x3092
    case 0x309B, 0xFF9E: 0x3099
    case 0x309C, 0xFF9F: 0x309A
    case 0xFF70: 0x30FC
    case 0xFF01...0xFF5E: value - 0xFEE0
    case 0x3000: 0x20
    case 0xFFA1...0xFFBE: 0x3131 + value - 0xFFA1
    case 0xFFC2...0xFFC7: 0x314F + value - 0xFFC2
    case 0xFFCA...0xFFCF: 0x3155 + value - 0xFFCA
    case 0xFFD2...0xFFD7: 0x315B + value - 0xFFD2
    case 0xFFDA...0xFFDC: 0x3161 + value - 0xFFDA
    // Mathematicians' letters, which make a title look handwritten.
    case 0x1_D400...0x1_D6A3: 0x61 + (value - 0x1_D400) % 26
    default: nil
    }
  }

  /// Marks above and below letters, vowel points, what only chooses a letter's shape, and what nobody sees.
  static func isDropped(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x300: value == 0xAD || (value < 0x20 && !(0x09...0x0D).contains(value)) || value == 0x7F
    case 0x345: false
    case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7: true
    case 0x610...0x61A, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7, 0x6E8, 0x6EA...0x6ED: true
    case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F: true
    case 0x61C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xE0000...0xE01EF: true
    default: false
    }
  }

  static func isIdeograph(_ value: UInt32) -> Bool {
    switch value {
    case 0x3005, 0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x2_0000...0x3_FFFD: true
    default: false
    }
  }

  /// Of a scalar that is folded.
  static func part(_ value: UInt32) -> Part {
    switch value {
    case 0x30...0x39, 0x61...0x7A: return .letter
    case 0...0x20: return .gap
    case 0x21...0x7F: return .sign
    case 0x3B1...0x3C9, 0x430...0x45F, 0x3041...0x3096, 0x309D...0x309F, 0x30FC, 0xAC00...0xD7A3: return .letter
    // Modifiers, most of them apostrophes; and notes of music.
    case 0x2B0...0x2FF, 0x1_D100...0x1_D1FF: return .sign
    default: break
    }
    if isIdeograph(value) { return .ideograph }
    guard let scalar = Unicode.Scalar(value) else { return .gap }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return .letter
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber: return .letter
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .surrogate: return .gap
    default: return .sign
    }
  }

  private mutating func readEntries() {
    for line in Self.letters.scalars.split(separator: "\n") {
      let sides = line.split(separator: " ")
      for letter in sides.last ?? [] { entries[letter.value] = sides[0].map(\.value) }
    }
    for entry in Self.others.scalars.split(whereSeparator: { $0 == "\n" || $0 == " " }) {
      let sides = entry.split(separator: ":")
      let written = sides[0].split(separator: "+").map(Self.hexadecimal)
      for letter in sides.last?.split(separator: ",") ?? [] { entries[Self.hexadecimal(letter)] = written }
    }
    for line in Self.ideographs.scalars.split(separator: "\n") {
      let sides = line.split(separator: " ")
      for (place, ideograph) in (sides.last ?? []).enumerated() {
        entries[Self.hexadecimal(sides[0]) + UInt32(place)] = [ideograph.value]
      }
    }
    for (place, kana) in Self.halfWidth.scalars.enumerated() { entries[0xFF66 + UInt32(place)] = [kana.value] }
  }

  private static func hexadecimal(_ digits: ArraySlice<Unicode.Scalar>) -> UInt32 {
    digits.reduce(0) { sum, digit in sum << 4 | UInt32(digit.value < 0x41 ? digit.value - 0x30 : digit.value - 0x37) }
  }
}
