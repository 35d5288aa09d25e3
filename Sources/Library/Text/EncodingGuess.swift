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

  package init() {}

  /// The beginning tells enough; a tag may be as long as its file.
  private static let heard = 512
  /// Bits by which the best is ahead of the next when nobody needs to ask.
  private static let clearLead: Float = 14

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
  }

  package var best: TextEncoding {
    if hasMarks && !lacksMarks { return .utf16 }
    if !hasForeign || (isWide && !isBroken) { return .utf8 }
    switch ranking.best {
    case .western: return hasWindowsSigns ? .cp1252 : .latin1
    case .cyrillic: return .cp1251
    case .koi: return .koi8r
    case .shiftJIS: return .shiftJIS
    case .gbk: return .gbk
    case .big5: return .big5
    case .korean: return .eucKR
    }
  }

  package var isCertain: Bool {
    if hasMarks { return !lacksMarks }
    if !hasForeign || (isWide && !isBroken) { return true }
    return ranking.lead >= Self.clearLead
  }

  private enum Candidate: Int, CaseIterable {
    case western, cyrillic, koi, shiftJIS, gbk, big5, korean

    /// Bits for what is rarer altogether.
    var rarity: Float {
      switch self {
      case .koi: 3
      case .big5: 1
      case .korean: 1.5
      default: 0
      }
    }

    func bits(_ bytes: UnsafeBufferPointer<UInt8>) -> Float {
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
    hasForeign = true
    if verdict == .wide { isWide = true } else { isBroken = true }
    if bytes.contains(where: { (0x80..<0xA0).contains($0) }) { hasWindowsSigns = true }
    for candidate in Candidate.allCases {
      bits[candidate.rawValue] += candidate.bits(bytes)
    }
  }
}
