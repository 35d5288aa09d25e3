/// Tells the encoding of texts that do not say theirs, by statistics: for every encoding the bits that it would take to
/// write the bytes as names of music in it; the cheapest is right. One title is often enough, a file's title, artist and
/// album nearly always, and a folder was mostly written by one program.
///
/// It is a value: what was heard so far, and no text is kept.
package struct EncodingGuess: Sendable {
  private var bits: [Float] = [Float](repeating: 0, count: Candidate.allCases.count)
  private var hasForeign = false
  private var isWide = false
  private var isBroken = false
  private var hasMarks = false
  private var lacksMarks = false
  private var hasWindowsSigns = false
  /// Of the only text: so many characters, when it has a character or two of two bytes each, no letter beside them, and
  /// is valid UTF-8.
  private var fewWide = 0

  package init() {}

  /// The beginning tells enough; a tag may be as long as its file.
  private static let heard = 512
  /// Bits by which the best is ahead of the next when nobody needs to ask.
  static let clearLead: Float = 14

  package mutating func add(_ bytes: some Collection<UInt8>) {
    let beginning = bytes.prefix(Self.heard)
    if beginning.withContiguousStorageIfAvailable({ hear($0) }) == nil {
      Array(beginning).withUnsafeBufferPointer { hear($0) }
    }
  }

  /// What was heard of a neighbour counts like one's own.
  package mutating func add(_ other: EncodingGuess) {
    for place in bits.indices { bits[place] += other.bits[place] }
    hasForeign = hasForeign || other.hasForeign
    isWide = isWide || other.isWide
    isBroken = isBroken || other.isBroken
    hasMarks = hasMarks || other.hasMarks
    lacksMarks = lacksMarks || other.lacksMarks
    hasWindowsSigns = hasWindowsSigns || other.hasWindowsSigns
    fewWide = 0
  }

  package var best: TextEncoding { proven ?? encoding(of: ranking.best) }

  /// UTF-8 or UTF-16, where the bytes themselves show it: no statistics are asked then, and no neighbours.
  var proven: TextEncoding? {
    if hasMarks && !lacksMarks { return .utf16 }
    return !hasForeign || (isWide && !isBroken) ? .utf8 : nil
  }

  /// Windows' table has letters where Latin-1 has nothing to show.
  func encoding(of candidate: Candidate) -> TextEncoding {
    candidate == .western && hasWindowsSigns ? .cp1252 : candidate.encoding
  }

  /// Whether it is UTF-8 only by chance, when the other texts of its file are written in `candidate`: a character or two
  /// of an ideographic encoding may be, as 雪 is in GBK. It must be a character that people write.
  func isChance(beside candidate: Candidate) -> Bool {
    fewWide > 0 && candidate.isOfPairs && bits[candidate.rawValue] < Self.dear * Float(fewWide)
  }

  /// Bits of a character that hardly anybody writes.
  private static let dear: Float = 14

  /// What each candidate costs, in bits above the cheapest and in their order, without its rarity.
  var costs: [Float] {
    let least = bits.min() ?? 0
    return bits.map { $0 - least }
  }

  package var isCertain: Bool {
    if hasMarks { return !lacksMarks }
    return proven != nil || ranking.lead >= Self.clearLead
  }

  /// The encodings that only statistics can tell apart.
  enum Candidate: Int, CaseIterable {
    case western, cyrillic, koi, shiftJIS, gbk, big5, korean

    var encoding: TextEncoding {
      switch self {
      case .western: .latin1
      case .cyrillic: .cp1251
      case .koi: .koi8r
      case .shiftJIS: .shiftJIS
      case .gbk: .gbk
      case .big5: .big5
      case .korean: .eucKR
      }
    }

    /// Two bytes a character, as a rule.
    var isOfPairs: Bool {
      switch self {
      case .western, .cyrillic, .koi: false
      case .shiftJIS, .gbk, .big5, .korean: true
      }
    }

    /// Bits for what is rarer altogether.
    var rarity: Float {
      switch self {
      case .koi: 3
      case .big5: 1
      case .korean: 1.5
      default: 0
      }
    }

    fileprivate func bits(_ bytes: UnsafeBufferPointer<UInt8>) -> Float {
      switch self {
      case .western: WesternModel.bits(bytes)
      case .cyrillic: CyrillicModel.windows.bits(bytes)
      case .koi: CyrillicModel.koi.bits(bytes)
      case .shiftJIS: IdeographModel.shiftJIS.bits(bytes)
      case .gbk: IdeographModel.gbk.bits(bytes)
      case .big5: IdeographModel.big5.bits(bytes)
      case .korean: IdeographModel.korean.bits(bytes)
      }
    }
  }

  private var ranking: (best: Candidate, lead: Float) {
    let sorted = Candidate.allCases.map { (candidate: $0, bits: bits[$0.rawValue] + $0.rarity) }
      .sorted { $0.bits < $1.bits }
    return (sorted[0].candidate, sorted[1].bits - sorted[0].bits)
  }

  private mutating func hear(_ bytes: UnsafeBufferPointer<UInt8>) {
    let hasMark =
      bytes.count >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF))
    if hasMark {
      hasMarks = true
      return
    }
    let verdict = UTF8Bytes.verdict(bytes)
    if !bytes.isEmpty { lacksMarks = true }
    if verdict == .ascii { return }
    fewWide = verdict == .wide && !hasForeign ? Self.pairs(bytes) : 0
    hasForeign = true
    if verdict == .wide { isWide = true } else { isBroken = true }
    if bytes.contains(where: { (0x80..<0xA0).contains($0) }) { hasWindowsSigns = true }
    for candidate in Candidate.allCases {
      bits[candidate.rawValue] += candidate.bits(bytes)
    }
  }

  /// How many characters of two bytes valid UTF-8 has; 0 for more than two, and when there are letters or longer ones.
  private static func pairs(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let high = bytes.count { $0 >= 0x80 }
    let isAlone = bytes.allSatisfy { $0 < 0xE0 && !PlainByte.isLetter($0) }
    return isAlone && high <= 4 && high % 2 == 0 ? high / 2 : 0
  }
}
