import Runtime

/// MP3 and AAC files: frames without anything around them but tags. How long they are is reckoned, where the encoder
/// left no note.
extension FileReading {
  /// Of most files, the first frame and the note in it.
  static let glanced = 4_096

  /// False when no frame begins near `offset`. `end` is where tags begin. Some files have padding or a broken tag before
  /// the music.
  mutating func readMPEG(at offset: Int64, end: Int64, within searched: Int) throws(Fault) -> Bool {
    let glance = try bytes.piece(at: offset, count: Int(min(Int64(Self.glanced), max(0, end - offset))))
    if let header = MPEGHeader(word: glance.big32(0)), let note = MP3InfoFrame(glance, header), note.frames > 0,
      header.goesOn(in: glance, at: 0, isAll: false)
    {
      readMP3(header, glance, at: offset, end: end)
      return true
    }
    let piece = try bytes.piece(at: offset, count: Int(min(Int64(FileBytes.most), max(0, end - offset))))
    let stop = offset + Int64(piece.count) >= end
    var at = 0
    while let start = piece.first(0xFF, from: at), start + 4 <= piece.count, start < searched {
      at = start + 1
      if let header = MPEGHeader(word: piece.big32(start)), header.goesOn(in: piece, at: start, isAll: stop) {
        readMP3(header, piece.from(start), at: offset + Int64(start), end: end)
        return true
      }
      if let header = ADTSHeader(piece.from(start)), Self.goesOn(header, piece, at: start, isAll: stop) {
        readADTS(header, piece.from(start), at: offset + Int64(start), end: end)
        return true
      }
    }
    return false
  }

  private static func goesOn(_ first: ADTSHeader, _ piece: Piece, at start: Int, isAll: Bool) -> Bool {
    let next = start + first.frameLength
    if next + 7 > piece.count { return start == 0 && isAll }
    return ADTSHeader(piece.from(next))?.rate == first.rate
  }

  private mutating func readMP3(_ first: MPEGHeader, _ piece: Piece, at offset: Int64, end: Int64) {
    found.codec = first.layer == 3 ? "MP3" : "MP\(first.layer)"
    found.audio = span(offset, end)
    setFormat(rate: Int(first.sampleRate), channels: first.isMono ? 1 : 2, bits: 0)
    let samples = Int64(first.samples)
    if let note = MP3InfoFrame(piece, first), note.frames > 0 {
      setFrames(max(1, Int64(note.frames) * samples - note.cut), atMost: AudioFormat.MostFramesPerByte.mpeg)
      isLengthNoted = note.cut > 0
      if found.frames != nil { return }
    }
    var frames: Int64 = 0
    var at = 0
    while let header = MPEGHeader(word: piece.big32(at)), let length = header.frameLength, length > 0,
      header.sampleRate == first.sampleRate, header.layer == first.layer, at + length <= piece.count
    {
      frames += 1
      at += length
    }
    reckon(frames, in: at, of: end - offset, samples)
  }

  private mutating func readADTS(_ first: ADTSHeader, _ piece: Piece, at offset: Int64, end: Int64) {
    found.codec = "AAC"
    found.audio = span(offset, end)
    setFormat(rate: first.rate, channels: first.channels, bits: 0)
    var frames: Int64 = 0
    var at = 0
    while let header = ADTSHeader(piece.from(at)), at + header.frameLength <= piece.count {
      frames += Int64(header.blocks)
      at += header.frameLength
    }
    reckon(frames, in: at, of: end - offset, 1_024)
  }

  /// The frames that were seen are taken for a sample of all.
  private mutating func reckon(_ frames: Int64, in seen: Int, of all: Int64, _ samples: Int64) {
    guard frames > 0, seen > 0, all > 0, all < 1 << 44 else { return }
    let left = all - Int64(seen)
    // Less than one frame behind the last that was whole: there is no other.
    if left * frames < Int64(seen) { return setFrames(frames * samples) }
    if let whole = Self.scaled(all, by: frames * samples, over: Int64(seen)) { setFrames(whole) }
  }
}

/// The seven bytes before each frame of an AAC file.
struct ADTSHeader {
  let rate: Int
  let channels: Int
  let frameLength: Int
  /// Of 1,024 frames of sound.
  let blocks: Int

  init?(_ piece: Piece) {
    guard piece.count >= 7, piece[0] == 0xFF, piece[1] & 0xF6 == 0xF0 else { return nil }
    let index = Int(piece[2] >> 2 & 15)
    guard AACSettings.rates.indices.contains(index) else { return nil }
    rate = AACSettings.rates[index]
    let layout = Int(piece[2] & 1) << 2 | Int(piece[3] >> 6)
    channels = layout == 7 ? 8 : layout
    frameLength = (Int(piece[3] & 3) << 11) | Int(piece[4]) << 3 | Int(piece[5] >> 5)
    blocks = Int(piece[6] & 3) + 1
    guard frameLength >= 7 else { return nil }
  }
}
