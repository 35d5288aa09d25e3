import Runtime

/// Files that the program for foreign formats plays. Their heads say little, and their tags are APE's or none.
extension FileReading {
  /// False when it is none of these either.
  mutating func readOther(at offset: Int64) throws(Fault) -> Bool {
    let head = try bytes.piece(at: offset, count: 128)
    if head.begins("MAC ") {
      found.codec = "Monkey's Audio"
      readMonkey(head)
    } else if head.begins("wvpk") {
      found.codec = "WavPack"
      readWavPack(head)
    } else if head.begins("TTA1") {
      found.codec = "TTA"
      setFormat(rate: Int(clamping: head.little32(10)), channels: head.little16(6), bits: head.little16(8))
      setFrames(Int64(head.little32(14)))
    } else if head.begins("MPCK") || head.begins("MP+") {
      found.codec = "Musepack"
    } else if head.begins(".snd") {
      found.codec = "AU"
      readAU(head)
    } else if head.begins("DSD ") {
      try readDSF(head)
      return true
    } else if let name = Self.name(head) {
      found.codec = name
    } else {
      return false
    }
    let end = try readTail(rank: TagRank.own)
    found.audio = span(offset, end)
    return true
  }

  private static func name(_ head: Piece) -> String? {
    if head.big32(0) == 0x1A45_DFA3 { return "Matroska" }
    if head.big16(0) == 0x0B77 { return "AC-3" }
    if head.big32(0) == 0x7FFE_8001 { return "DTS" }
    let names: [(StaticString, String)] = [
      ("FRM8", "DSD"), ("caff", "CAF"), ("#!AMR", "AMR"), ("ADIF", "AAC"), ("tBaK", "TAK"),
      ("riff", "Wave64"), ("ajkg", "Shorten"), (".RMF", "RealAudio"), ("Creative Voice File", "VOC"),
    ]
    return names.first { head.begins($0.0) }?.1
  }

  /// Numbers with the larger byte first: where the sound begins, its length or nothing known, coding, rate, channels.
  private mutating func readAU(_ head: Piece) {
    setFormat(rate: Int(clamping: head.big32(16)), channels: Int(clamping: head.big32(20)), bits: 0)
    // Bytes of a sample, by the number of the coding: mu-law, 8 to 32 bits, two kinds of floats; A-law.
    let widths: [UInt32: Int64] = [1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1]
    guard let width = widths[head.big32(12)], found.channels > 0 else { return }
    let there = max(0, bytes.size - Int64(head.big32(4)))
    let stated = Int64(head.big32(8))
    setFrames((stated == 0xFFFF_FFFF ? there : min(stated, there)) / (width * Int64(found.channels)))
  }

  private mutating func readMonkey(_ head: Piece) {
    guard head.little16(4) >= 3_980, head.little32(8) <= 100 else { return }
    let part = head.from(Int(head.little32(8)))
    guard part.count >= 24 else { return }
    setFormat(rate: Int(clamping: part.little32(20)), channels: part.little16(18), bits: part.little16(16))
    let blocks = Int64(part.little32(12))
    if blocks > 0 { setFrames((blocks - 1) * Int64(part.little32(4) & 0xFFF_FFFF) + Int64(part.little32(8))) }
  }

  private static let wavPackRates = [
    6_000, 8_000, 9_600, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    192_000,
  ]

  private mutating func readWavPack(_ head: Piece) {
    let flags = head.little32(24)
    let rate = Int(flags >> 23 & 15)
    let isMono = flags & 4 != 0
    setFormat(
      rate: rate < Self.wavPackRates.count ? Self.wavPackRates[rate] : 0, channels: isMono ? 1 : 2,
      bits: (Int(flags & 3) + 1) * 8 - Int(flags >> 13 & 31))
    if head.little32(12) != .max { setFrames(Int64(head.little32(12))) }
  }

  /// It has an ID3 tag, at a place that its head names.
  private mutating func readDSF(_ head: Piece) throws(Fault) {
    found.codec = "DSD"
    setFormat(rate: 0, channels: Int(clamping: head.little32(52)), bits: 1)
    if (1...100_000_000).contains(head.little32(56)) { found.rate = Int32(head.little32(56)) }
    setFrames(Int64(clamping: head.little64(64)))
    let tag = Int64(clamping: head.little64(20))
    found.audio = span(92, bytes.size)
    guard tag >= 92, tag < bytes.size else { return }
    found.audio = span(92, tag)
    _ = try readID3v2(at: tag)
  }
}
