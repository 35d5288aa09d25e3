import Runtime

/// What an MP4 file says of its sound.
extension FileReading {
  private static let mostTracks = 32

  mutating func readMP4() throws(Fault) {
    found.codec = "MP4"
    var movie: MP4Atoms.Atom?
    var sound: MP4Atoms.Atom?
    var atoms = MP4Atoms(0..<bytes.size)
    while let atom = try atoms.next(in: bytes) {
      if atom.name == "moov", movie == nil { movie = atom }
      // An empty one may stand before the one that counts.
      if atom.name == "mdat", atom.length > (sound?.length ?? 0) { sound = atom }
      if atom.name == "ftyp", try bytes.piece(at: atom.start, count: 3).begins("M4B") {
        texts.add(.bookOrPodcast, number: 1)
      }
    }
    found.audio = sound?.range ?? 0..<bytes.size
    guard let movie else { return }
    var tracks = MP4Atoms(movie.range)
    for _ in 0..<Self.mostTracks {
      guard let track = try tracks.next(in: bytes) else { break }
      if track.name == "trak", try readTrack(track.range, movie: movie.range) { break }
    }
    try readMP4Texts(in: movie.range)
  }

  /// True when it is one of sound.
  private mutating func readTrack(_ track: Range<Int64>, movie: Range<Int64>) throws(Fault) -> Bool {
    guard let media = try MP4Atoms.find(["mdia"], in: track, bytes),
      let handler = try MP4Atoms.find(["hdlr"], in: media.range, bytes),
      try bytes.piece(at: handler.start + 8, count: 4).begins("soun")
    else { return false }
    if let table = try MP4Atoms.find(["minf", "stbl", "stsd"], in: media.range, bytes) {
      var entries = MP4Atoms(table.from(8))
      if let entry = try entries.next(in: bytes) { try readEntry(entry) }
    }
    guard let head = try MP4Atoms.find(["mdhd"], in: media.range, bytes) else { return true }
    let (scale, whole) = Self.time(try bytes.piece(at: head.start, count: 32))
    guard scale > 0, whole > 0 else { return true }
    var length = whole
    if let (begin, shown) = try edit(of: track), begin < whole {
      length = whole - begin
      if shown > 0, let (movieScale, _) = try movieTime(movie), movieScale > 0 {
        // What is shown is told in the movie's time, which may be coarse.
        length = min(length, Self.scaled(shown, by: scale, over: movieScale) ?? length)
      }
    }
    setFrames(length, of: scale)
    return true
  }

  private func movieTime(_ movie: Range<Int64>) throws(Fault) -> (scale: Int64, length: Int64)? {
    guard let head = try MP4Atoms.find(["mvhd"], in: movie, bytes) else { return nil }
    return Self.time(try bytes.piece(at: head.start, count: 32))
  }

  /// `mdhd` and `mvhd` begin alike. A length of ones is one that nobody knows.
  private static func time(_ piece: Piece) -> (scale: Int64, length: Int64) {
    if piece[0] == 1 { return (Int64(piece.big32(20)), Int64(clamping: piece.big64(24)) & .max) }
    let length = piece.big32(16)
    return (Int64(piece.big32(12)), length == .max ? 0 : Int64(length))
  }

  /// Which part of the track is heard, where there is one part only: from where, in the track's time, and how much, in
  /// the movie's.
  private func edit(of track: Range<Int64>) throws(Fault) -> (begin: Int64, length: Int64)? {
    guard let list = try MP4Atoms.find(["edts", "elst"], in: track, bytes) else { return nil }
    let piece = try bytes.piece(at: list.start, count: min(list.length, 8 + 2 * 20))
    let isLong = piece[0] == 1
    guard piece.big32(4) == 1 else { return nil }
    let length = isLong ? Int64(clamping: piece.big64(8)) : Int64(piece.big32(8))
    let begin = isLong ? Int64(bitPattern: piece.big64(16)) : Int64(Int32(bitPattern: piece.big32(12)))
    return begin >= 0 && length < 1 << 40 ? (begin, length) : nil
  }

  private static let codecs: [Letters: String] = [
    "mp4a": "AAC", "alac": "ALAC", "fLaC": "FLAC", "Opus": "Opus", ".mp3": "MP3", "ac-3": "AC-3", "ec-3": "E-AC-3",
    "drms": "protected AAC", "samr": "AMR", "sawb": "AMR", "sowt": "PCM", "twos": "PCM", "lpcm": "PCM",
  ]

  private mutating func readEntry(_ entry: MP4Atoms.Atom) throws(Fault) {
    found.codec = Self.codecs[entry.name] ?? "MP4"
    let head = try bytes.piece(at: entry.start, count: 28)
    guard head.count == 28 else { return }
    let version = head.big16(8)
    let isLossless = ["alac", "fLaC", "sowt", "twos", "lpcm"].contains(entry.name)
    setFormat(rate: head.big16(24), channels: head.big16(16), bits: isLossless ? head.big16(18) : 0)
    // QuickTime's own entries are longer.
    let inside = entry.from(28 + (version == 1 ? 16 : version == 2 ? 36 : 0))
    if entry.name == "alac", let cookie = try MP4Atoms.find(["alac"], in: inside, bytes) {
      let piece = try bytes.piece(at: cookie.start, count: 28)
      if piece.count == 28 { setFormat(rate: Int(piece.big32(24)), channels: Int(piece[13]), bits: Int(piece[9])) }
    } else if entry.name == "fLaC", let blocks = try MP4Atoms.find(["dfLa"], in: inside, bytes) {
      readStreamInfo(try bytes.piece(at: blocks.start + 8, count: 34))
    } else if entry.name == "mp4a", let stream = try MP4Atoms.find(["esds"], in: inside, bytes) {
      readAAC(try bytes.piece(at: stream.start, count: min(stream.length, 128)))
    } else if entry.name == "Opus" {
      setFormat(rate: 48_000, channels: head.big16(16), bits: 0)
    }
  }

  /// Descriptors within descriptors, down to the decoder's own settings, which are believed more than the entry.
  private mutating func readAAC(_ piece: Piece) {
    var at = 4
    func descriptor(_ kind: UInt8) -> Bool {
      guard at < piece.count, piece[at] == kind else { return false }
      at += 1
      for _ in 0..<4 {
        at += 1
        if piece[at - 1] & 0x80 == 0 { break }
      }
      return true
    }
    guard descriptor(3) else { return }
    let flags = piece[at + 2]
    at +=
      3 + (flags & 0x80 == 0 ? 0 : 2) + (flags & 0x40 == 0 ? 0 : 1 + Int(piece[at + 3])) + (flags & 0x20 == 0 ? 0 : 2)
    guard descriptor(4) else { return }
    if piece[at] == 0x6B || piece[at] == 0x69 { found.codec = "MP3" }
    at += 13
    guard found.codec == "AAC", descriptor(5) else { return }
    let settings = AACSettings(piece.from(at))
    if let rate = settings.rate { setFormat(rate: rate, channels: settings.channels ?? Int(found.channels), bits: 0) }
  }
}

/// The few bits with which an AAC decoder is set up.
struct AACSettings {
  private(set) var rate: Int?
  private(set) var channels: Int?
  private let piece: Piece
  private var at = 0

  static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]

  init(_ piece: Piece) {
    self.piece = piece
    guard piece.count >= 2 else { return }
    var kind = bits(5)
    if kind == 31 { kind = 32 + bits(6) }
    rate = readRate()
    let layout = bits(4)
    channels = layout == 7 ? 8 : (1...6).contains(layout) ? layout : nil
    // The upper half of the sound is made from the lower: what is played has the rate that follows.
    if kind == 5 || kind == 29 { rate = readRate() ?? rate }
    // One channel is made two.
    if kind == 29 && channels == 1 { channels = 2 }
  }

  private mutating func readRate() -> Int? {
    let index = bits(4)
    if index == 15 { return bits(24) }
    return Self.rates.indices.contains(index) ? Self.rates[index] : nil
  }

  private mutating func bits(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(piece[at / 8] >> UInt8(7 - at % 8) & 1)
      at += 1
    }
    return value
  }
}
