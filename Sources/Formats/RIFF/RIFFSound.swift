import Runtime

/// What a WAV file says of its sound, for the library. Its texts wait for an encoding as those of all tags do
/// (`TagTexts`).
extension FileReading {
  mutating func readWave() throws(Fault) {
    found.codec = "WAV"
    let head = try WaveHead(bytes)
    let codec = head.format?.codec
    let isPCM = codec == 1 || codec == 3
    if let format = head.format {
      setFormat(rate: format.rate, channels: format.channels, bits: isPCM ? format.validBits : 0)
      if codec == 0x55 { found.codec = "MP3" }
    }
    if let sound = head.sound {
      found.audio = span(sound.start, head.stated.map { sound.start + min($0, bytes.size) } ?? bytes.size)
    }
    // A tag of ID3's says it better than the short list.
    texts.rank = TagRank.list
    for list in head.lists { try readInfo(list) }
    for tag in head.id3 { try readID3Chunk(at: tag.start) }
    // A-law and mu-law: a byte a sample.
    let isPacked = codec == 6 || codec == 7
    if isPCM || isPacked, let block = head.format?.block, block > 0 {
      setFrames(Int64(found.audio.count) / Int64(block))
    } else if let stated = head.statedFrames {
      setFrames(stated)
    }
  }

  private mutating func readID3Chunk(at offset: Int64) throws(Fault) {
    let rank = texts.rank
    texts.rank = TagRank.front
    _ = try readID3v2(at: offset)
    texts.rank = rank
  }

  private static let info: [Letters: TagField] = [
    "INAM": .title, "IART": .artist, "IPRD": .album, "ITRK": .track, "IPRT": .track, "ICRD": .year, "IGNR": .genre,
    "IMUS": .composer, "IAAR": .albumArtist,
  ]

  private mutating func readInfo(_ list: Range<Int64>) throws(Fault) {
    var items = Chunks(from: list.lowerBound, to: list.upperBound, bigEndian: false)
    while let item = try items.next(in: bytes) {
      if let field = Self.info[item.name] { try readText(field, item, upTo: list.upperBound) }
      try items.pass(item.length, in: bytes)
    }
  }

  private mutating func readText(_ field: TagField, _ chunk: Chunks.Head, upTo end: Int64) throws(Fault) {
    texts.add(field, try bytes.piece(at: chunk.start, count: chunk.range(upTo: end).count), .local)
  }

  /// AIFF and AIFF-C.
  mutating func readAIFF() throws(Fault) {
    found.codec = "AIFF"
    let head = try AIFFHead(bytes)
    if let common = head.common, common.isWhole {
      setFormat(rate: common.rate, channels: common.channels, bits: common.bits)
      setFrames(common.frames == AIFFHead.open ? 0 : common.frames)
    }
    if let sound = head.sound {
      found.audio = span(head.start(of: sound), sound.length == 0 ? bytes.size : sound.start + sound.length)
    }
    texts.rank = TagRank.list
    for text in head.texts where text.name != "ANNO" {
      try readText(text.name == "NAME" ? .title : .artist, text, upTo: bytes.size)
    }
    for tag in head.id3 { try readID3Chunk(at: tag.start) }
  }
}
