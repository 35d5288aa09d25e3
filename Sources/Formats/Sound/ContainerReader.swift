import Runtime

/// Reads what music files say of themselves, one after the other: a few reads of each, no decoder, and the same buffers
/// for all. One reader belongs to one thread.
package struct ContainerReader {
  private let bytes = FileBytes()
  /// The texts of the file that was read last.
  package var texts = TagTexts()

  package init() {}

  /// Reads `file`, an open descriptor whose position does not matter. It throws `.unsupported` when the file holds no
  /// music of a known kind, whatever its name is.
  package mutating func read(_ file: Int32, size: Int64, name: FilePath) throws(Fault) -> SoundFacts {
    texts.begin()
    defer { bytes.end() }
    try bytes.begin(file, size: size, name: name)
    guard bytes.size > 0 else { throw Fault(.malformed, "L-203", "\(name) is empty; expected music") }
    // Lent, and taken back with the space that it has got.
    var reading = FileReading(bytes: bytes, texts: texts)
    texts = TagTexts()
    defer { texts = reading.texts }
    try reading.readFile()
    var found = reading.found
    found.believesGaplessNote =
      found.codec == "MP3" ? !reading.isLengthNoted : ["AAC", "ALAC"].contains(found.codec)
    // The file may have become shorter on the way.
    found.audio = reading.span(found.audio.lowerBound, found.audio.upperBound)
    found.art.removeAll { $0.offset + Int64($0.length) > reading.bytes.size }
    return found
  }
}

extension FileReading {
  /// Finds the kind of file by its bytes, not by its name, and reads it.
  mutating func readFile() throws(Fault) {
    texts.rank = TagRank.front
    let start = try readID3v2(at: 0)
    let head = try bytes.piece(at: start, count: 32)
    if head.begins("fLaC") {
      texts.rank = TagRank.own
      try readFLAC(at: start)
      let end = max(found.audio.lowerBound, try readTail())
      found.audio = span(found.audio.lowerBound, end)
    } else if head.begins("OggS") {
      texts.rank = TagRank.own
      try readOgg(at: start)
    } else if start == 0 && WaveHead.begins(head) {
      try readWave()
    } else if start == 0 && AIFFHead.begins(head) {
      try readAIFF()
    } else if start == 0 && Self.beginsMP4(head) {
      try readMP4()
    } else if start == 0 && Self.beginsASF(head) {
      try readASF()
    } else if try !readOther(at: start) {
      let end = try readTail()
      let begin = min(start, end)
      if try readMPEG(at: begin, end: end, within: Self.glanced) {
      } else if let place = try laterOgg(from: begin) {
        texts.rank = TagRank.own
        try readOgg(at: place)
      } else if try !readMPEG(at: begin, end: end, within: FileBytes.most) {
        throw Fault(.unsupported, "L-202", "\(bytes.name) holds no music that is known here")
      }
    }
    try checkPlayable()
  }

  /// Where an Ogg file begins behind bytes that belong to no format, if it does so near the beginning.
  private func laterOgg(from offset: Int64) throws(Fault) -> Int64? {
    OggPage.first(in: try bytes.piece(at: offset, count: FileBytes.most)).map { offset + Int64($0) }
  }

  /// What our own decoders would refuse as well is no music, and counts as little.
  private func checkPlayable() throws(Fault) {
    // A film without sound, or a head without anything behind it.
    let isSilent = found.codec == "MP4" && found.rate == 0
    guard isSilent || ["Ogg", "FLAC", "Vorbis", "Opus", "WAV", "AIFF"].contains(found.codec) else { return }
    guard !isSilent, found.codec != "Ogg", (1_000...768_000).contains(found.rate), (1...8).contains(found.channels),
      !found.audio.isEmpty
    else {
      throw Fault(
        .unsupported, "L-206",
        "\(bytes.name) cannot be played: it says \(found.rate) Hz, \(found.channels) channels and "
          + "\(found.audio.count) bytes of sound")
    }
  }

  private static func beginsMP4(_ head: Piece) -> Bool {
    let name = Letters(head.big32(4))
    return ["ftyp", "moov", "mdat", "wide", "free", "skip"].contains(name) && head.count >= 8
  }
}
