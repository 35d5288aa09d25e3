/// The order of lists, and the letters a knob jumps to in them. Both come from one place, so that what has one letter
/// stands together.
extension Folding {
  /// Keys compare byte by byte: signs, numbers by value, Latin, Greek, Cyrillic, other alphabets, kana, ideographs,
  /// hangul. An article in front counts only when nothing else is there.
  package static func sortKey(_ text: String) -> [UInt8] {
    let folded = Articles.without(text, folded: folded(text))
    var key: [UInt8] = []
    key.reserveCapacity(folded.utf8.count + 4)
    var digits: [UInt8] = []
    // Signs are before numbers, whatever they are written with.
    if let first = folded.unicodeScalars.first, FoldingTable.part(first.value) == .sign { key.append(0x21) }
    for scalar in folded.unicodeScalars {
      if scalar.value &- 0x30 < 10 {
        digits.append(UInt8(truncatingIfNeeded: scalar.value))
        continue
      }
      if !digits.isEmpty { append(number: &digits, to: &key) }
      append(scalar, to: &key)
    }
    if !digits.isEmpty { append(number: &digits, to: &key) }
    return key
  }

  /// "A" to "Z", "#" for digits, signs and nothing, "А" to "Я", "Α" to "Ω" and so on; the first of a row of kana; the
  /// first consonant of hangul; "漢" for ideographs.
  package static func letter(_ text: String) -> String {
    let folded = Articles.without(text, folded: folded(text))
    guard let first = folded.unicodeScalars.first else { return "#" }
    let value = first.value
    switch value {
    case 0x61...0x7A: return String(Character(first)).uppercased()
    case 0..<0x80: return "#"
    case 0x3041...0x3096: return rowOfKana(value)
    case 0xAC00...0xD7A3: return consonants[Int((value - 0xAC00) / 588)]
    case 0x3131...0x3163: return consonants[Int((syllable(ofJamo: value) - 0xAC00) / 588)]
    default: break
    }
    switch FoldingTable.part(value) {
    case .ideograph: return "漢"
    case .letter: return first.properties.uppercaseMapping
    case .gap, .sign: return "#"
    }
  }

  /// Longer numbers are greater; among those of one length the digits decide.
  private static func append(number digits: inout [UInt8], to key: inout [UInt8]) {
    let value = digits.drop { $0 == 0x30 }
    let length = max(1, value.count)
    key.append(0x30 + UInt8(min(length, 9)))
    if length >= 9 { key.append(UInt8(min(length, 255))) }
    key += value.isEmpty ? [0x30] : value
    digits.removeAll(keepingCapacity: true)
  }

  private static func append(_ scalar: Unicode.Scalar, to key: inout [UInt8]) {
    let value = scalar.value
    switch value {
    case 0..<0x80: key.append(UInt8(truncatingIfNeeded: value))
    case 0x430...0x4FF, 0x3094...0x3096:
      guard let (base, place) = neighbours[value] else { return key += scalar.utf8 }
      key += base
      key.append(place)
    case 0x3131...0x3163:
      if let syllable = Unicode.Scalar(syllable(ofJamo: value)) { key += syllable.utf8 }
    case 0x3400...0x9FFF: key += scalar.utf8
    default:
      // What came into Unicode late stands behind the other ideographs, not behind hangul.
      if FoldingTable.isIdeograph(value) { key += [0xE9, 0xBF, 0xFF] }
      key += scalar.utf8
    }
  }

  /// Letters of the Ukrainians, Serbs and Macedonians stand where they look for them, behind a letter of the Russians';
  /// voiced u, small ka and ke behind u, ka and ke. The last byte is greater than any that begins a letter.
  private static let neighbours: [UInt32: (base: [UInt8], place: UInt8)] = {
    var found: [UInt32: (base: [UInt8], place: UInt8)] = [:]
    let pairs: [(String, String)] = [
      ("д", "ђ"), ("е", "є"), ("з", "ѕ"), ("и", "і"), ("и", "ј"), ("л", "љ"), ("н", "њ"), ("т", "ћ"), ("ч", "џ"),
      ("う", "ゔ"),
      ("か", "ゕ"), ("け", "ゖ"),
    ]
    for (base, letter) in pairs {
      for scalar in letter.unicodeScalars { found[scalar.value] = (Array(base.utf8), scalar == "ј" ? 0xFF : 0xFE) }
    }
    return found
  }()

  private static let consonants = [
    "ㄱ", "ㄱ", "ㄴ", "ㄷ", "ㄷ", "ㄹ", "ㅁ", "ㅂ", "ㅂ", "ㅅ", "ㅅ", "ㅇ", "ㅈ", "ㅈ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ",
  ]

  /// The first consonant of each letter of Korean that stands alone, from 3131 on.
  private static let initials: [UInt32] = [
    0, 1, 0, 2, 2, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6, 7, 8, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
  ]

  /// A letter that stands alone is sorted as the first syllable that begins with it.
  private static func syllable(ofJamo value: UInt32) -> UInt32 {
    value < 0x314F ? 0xAC00 + initials[Int(value - 0x3131)] * 588 : 0xAC00 + 11 * 588 + (value - 0x314F) * 28
  }

  private static func rowOfKana(_ value: UInt32) -> String {
    switch value {
    case 0x3041...0x304A, 0x3094: "あ"
    case 0x304B...0x3054, 0x3095, 0x3096: "か"
    case 0x3055...0x305E: "さ"
    case 0x305F...0x3069: "た"
    case 0x306A...0x306E: "な"
    case 0x306F...0x307D: "は"
    case 0x307E...0x3082: "ま"
    case 0x3083...0x3088: "や"
    case 0x3089...0x308D: "ら"
    default: "わ"
    }
  }
}
