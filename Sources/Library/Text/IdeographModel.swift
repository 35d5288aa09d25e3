import Glibc

/// Names in Chinese, Japanese and Korean: what is written often is cheap, what hardly anybody writes is dear. The
/// encodings share nearly all their pairs of bytes, but what is frequent in one is rare in the others.
struct IdeographModel: Sendable {
  /// Half bits of a pair; 0 where there is no character.
  private let costs: [UInt8]
  private let single: ClosedRange<UInt8>?

  private static let first = 0x81

  /// How much of a text is made up of a shelf of `CommonCharacters`, and of what stands on none.
  private struct Shares {
    var shelves: [Float]
    var kinds: [Kind: Float]
  }

  /// Where a character that is on no shelf belongs.
  private enum Kind: Int, Hashable { case first, second, hangul, kana, sign, rare }

  private init(
    _ table: DoubleByteTable, _ common: [StaticString], _ shares: Shares, single: ClosedRange<UInt8>? = nil,
    kind: (_ lead: UInt8, _ second: UInt8, _ unit: UInt16) -> Kind
  ) {
    var shelves: [UInt16: Int] = [:]
    for (place, shelf) in common.enumerated() {
      for scalar in shelf.scalars where scalar != "\n" { shelves[UInt16(truncatingIfNeeded: scalar.value)] = place }
    }
    // Counted first, then weighed. Places are those of shelves, behind them those of kinds.
    var members: [(pair: Int, place: Int)] = []
    var counts = [Float](repeating: 0, count: common.count + 6)
    table.forEach { lead, second, unit in
      let kind = kind(lead, second, unit)
      let place = (kind == .rare ? nil : shelves[unit]) ?? common.count + kind.rawValue
      members.append((Self.pair(lead, second), place))
      counts[place] += 1
    }
    var costs = [UInt8](repeating: 0, count: (0x100 - Self.first) * 256)
    for (pair, place) in members {
      let share =
        place < common.count
        ? shares.shelves[place] : shares.kinds[Kind(rawValue: place - common.count) ?? .rare] ?? 1e-4
      costs[pair] = UInt8(min(100, 2 * log2(counts[place] / share)))
    }
    self.costs = costs
    self.single = single
  }

  /// Bits for what has a letter before and behind it, as the Latin "LIÇÃO" would have in Korean.
  private static let amongLetters: Float = 8

  private static func pair(_ lead: UInt8, _ second: UInt8) -> Int { (Int(lead) - first) * 256 + Int(second) }

  func bits(_ bytes: UnsafeBufferPointer<UInt8>) -> Float {
    var sum = PlainByte.foreignBits(bytes)
    var place = 0
    var last: UInt8 = 0x20
    var wasForeign = false
    var wasSingle = false
    var followsLetter = false
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      guard byte >= 0x80 else {
        sum += PlainByte.bits(byte)
        if wasForeign, PlainByte.isLetter(byte) {
          sum += PlainByte.isSmall(byte) ? 5 : 2
          if followsLetter { sum += Self.amongLetters }
        }
        (wasForeign, wasSingle, last) = (false, false, byte)
        continue
      }
      if !wasForeign {
        followsLetter = PlainByte.isLetter(last)
        sum += PlainByte.isSmall(last) ? 5 : followsLetter ? 2 : 1
      }
      if let single, single.contains(byte) {
        sum += wasSingle ? 7 : wasForeign ? 16 : 13
        (wasForeign, wasSingle) = (true, true)
        continue
      }
      (wasForeign, wasSingle) = (true, false)
      guard place < bytes.count else { return sum + PlainByte.cut }
      let cost = byte < UInt8(Self.first) ? 0 : costs[Self.pair(byte, bytes[place])]
      if cost == 0 {
        sum += PlainByte.nonsense
      } else {
        sum += Float(cost) / 2
        place += 1
      }
    }
    return sum
  }

  /// GB 2312 has two levels of ideographs; what GBK adds to it is hardly ever written.
  static let gbk = IdeographModel(
    .gbk, CommonCharacters.chinese,
    Shares(
      shelves: [0.24, 0.30, 0.22, 0.14],
      kinds: [.first: 0.06, .second: 0.01, .kana: 0.003, .sign: 0.02, .rare: 0.002])
  ) { lead, second, _ in
    guard second >= 0xA1 else { return .rare }
    switch lead {
    case 0xB0...0xD7: return .first
    case 0xD8...0xF7: return .second
    case 0xA1, 0xA3: return .sign
    case 0xA4, 0xA5: return .kana
    default: return .rare
    }
  }

  static let big5 = IdeographModel(
    .big5, CommonCharacters.chinese,
    Shares(
      shelves: [0.24, 0.30, 0.22, 0.14], kinds: [.first: 0.06, .second: 0.01, .kana: 0.001, .sign: 0.02, .rare: 0.001])
  ) { lead, _, unit in
    switch lead {
    case 0xA4...0xC6 where unit >= 0x4E00: return .first
    case 0xC9...0xF9 where unit >= 0x4E00: return .second
    case 0xA1...0xA3: return .sign
    default: return .rare
    }
  }

  static let shiftJIS = IdeographModel(
    .shiftJIS, CommonCharacters.japanese,
    Shares(
      shelves: [0.16, 0.14, 0.10], kinds: [.kana: 0.50, .first: 0.06, .second: 0.004, .sign: 0.03, .rare: 0.0005]),
    single: 0xA1...0xDF
  ) { lead, second, unit in
    switch unit {
    case 0x3041...0x30FC, 0x3005: return .kana
    default: break
    }
    switch lead {
    case 0x81, 0x82: return .sign
    case 0x88...0x97: return .first
    case 0x98: return second < 0x73 ? .first : .second
    case 0x99...0x9F, 0xE0...0xEA: return .second
    default: return .rare
    }
  }

  static let korean = IdeographModel(
    .korean, CommonCharacters.korean,
    Shares(
      shelves: [0.30, 0.30, 0.28], kinds: [.hangul: 0.07, .second: 0.006, .sign: 0.02, .kana: 0.001, .rare: 0.0005])
  ) { lead, second, _ in
    guard second >= 0xA1 else { return .rare }
    switch lead {
    case 0xB0...0xC8: return .hangul
    case 0xCA...0xFD: return .second
    case 0xA1, 0xA3: return .sign
    case 0xAA, 0xAB: return .kana
    default: return .rare
    }
  }
}
