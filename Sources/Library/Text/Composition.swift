/// Marks that are letters' own stay, in the order that Unicode gives them, and what a text may write in one or in several
/// scalars is written in one: kana with their voice marks, syllables of Korean.
enum Composition {
  /// Whether a folded scalar may have to be moved or joined.
  static func concerns(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x300, 0x3041...0x3096, 0x4E00...0x9FFF, 0xAC00...0xD7A3: false
    case 0x3099, 0x309A, 0x1100...0x11FF: true
    default: (Unicode.Scalar(value)?.properties.canonicalCombiningClass ?? .notReordered) != .notReordered
    }
  }

  static func compose(_ values: inout [UInt32]) {
    order(&values)
    var composed: [UInt32] = []
    for value in values {
      if let last = composed.last, let one = pair(last, value) {
        composed[composed.count - 1] = one
      } else if value != 0x3099, value != 0x309A {
        composed.append(value)
      }
    }
    values = composed
  }

  /// Marks that follow each other stand by their class, those of one class as they came. Runs are short, but a hostile
  /// one must not cost its square: it is sorted, not bubbled.
  private static func order(_ values: inout [UInt32]) {
    var start = 0
    while start < values.count {
      var end = start
      while end < values.count, markClass(values[end]) > 0 { end += 1 }
      if end - start > 1 {
        let sorted = values[start..<end].enumerated().sorted {
          (markClass($0.element), $0.offset) < (markClass($1.element), $1.offset)
        }
        values.replaceSubrange(start..<end, with: sorted.map(\.element))
      }
      start = end + 1
    }
  }

  private static func markClass(_ value: UInt32) -> UInt8 {
    guard value >= 0x300 else { return 0 }
    return Unicode.Scalar(value)?.properties.canonicalCombiningClass.rawValue ?? 0
  }

  private static func pair(_ first: UInt32, _ second: UInt32) -> UInt32? {
    switch second {
    case 0x3099: voiced(first)
    case 0x309A: [0x306F, 0x3072, 0x3075, 0x3078, 0x307B].contains(first) ? first + 2 : nil
    case 0x1161...0x1175 where (0x1100...0x1112).contains(first):
      0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
    case 0x11A8...0x11C2 where (0xAC00...0xD7A3).contains(first) && (first - 0xAC00) % 28 == 0:
      first + second - 0x11A7
    default: nil
    }
  }

  private static func voiced(_ kana: UInt32) -> UInt32? {
    switch kana {
    case 0x3046: 0x3094
    case 0x309D: 0x309E
    case 0x304B...0x3061 where kana % 2 == 1: kana + 1
    case 0x3064, 0x3066, 0x3068: kana + 1
    case 0x306F, 0x3072, 0x3075, 0x3078, 0x307B: kana + 1
    default: nil
    }
  }
}
