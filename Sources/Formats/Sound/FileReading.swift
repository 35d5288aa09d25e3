import Runtime

/// One file while `ContainerReader` reads it. Each format is an extension in its own folder.
struct FileReading {
  let bytes: FileBytes
  var texts: TagTexts
  var found = SoundFacts()

  /// An encoder's note says how much of the sound is music.
  var isLengthNoted = false
  /// The length of an ASF file in units of 100 ns, until its sample rate is known.
  var ticks: Int64 = 0

  static let mostPictures = 16

  mutating func add(_ place: ArtPlace) {
    guard place.length > 0, place.offset >= 0, found.art.count < Self.mostPictures else { return }
    // Pictures that are said to reach beyond the end are not whole.
    guard Int64(place.length) <= bytes.size - place.offset else { return }
    found.art.append(place)
  }

  /// The bytes between two offsets, limited to the file; empty when they are in the wrong order.
  func span(_ from: Int64, _ to: Int64) -> Range<Int64> {
    let begin = min(max(0, from), bytes.size)
    return begin..<min(max(begin, to), bytes.size)
  }

  /// Stores those of the values that are possible; `rate` in Hz.
  mutating func setFormat(rate: Int, channels: Int, bits: Int) {
    if (1...768_000).contains(rate) { found.rate = Int32(rate) }
    if (1...255).contains(channels) { found.channels = Int32(channels) }
    if (0...64).contains(bits) { found.bits = Int32(bits) }
  }

  mutating func setFrames(_ frames: Int64) {
    if frames > 0 && frames <= Self.longest { found.frames = frames }
  }

  /// Stores the length that the file states, unless the file has too few bytes for it.
  mutating func setFrames(_ frames: Int64, atMost framesPerByte: Int64) {
    if let frames = AudioFormat.believed(frames, inBytes: bytes.size, atMost: framesPerByte) { setFrames(frames) }
  }

  /// Stores a length of `count` units, of which a second has `scale`. The rate must be known.
  mutating func setFrames(_ count: Int64, of scale: Int64) {
    if let frames = Self.scaled(count, by: Int64(found.rate), over: scale) { setFrames(frames) }
  }

  /// `count * factor / divisor`; nil when that is nothing, or more than `longest`.
  static func scaled(_ count: Int64, by factor: Int64, over divisor: Int64) -> Int64? {
    guard count > 0, factor > 0, divisor > 0 else { return nil }
    let (whole, rest) = count.quotientAndRemainder(dividingBy: divisor)
    let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
    if overflow || product > longest { return nil }
    return product + divisor.dividingFullWidth(rest.multipliedFullWidth(by: factor)).quotient
  }

  /// The most frames of a file; the player has the same limit.
  static let longest: Int64 = 1 << 52
}
