import Runtime

/// One file while it is read: each format's part is an extension of its own.
struct FileReading {
  let bytes: FileBytes
  var texts: TagTexts
  var found = SoundFacts()

  /// An encoder left a note of how much of its sound is music.
  var isLengthNoted = false
  /// What an ASF file says of its length, until its rate is known: in 100 ns.
  var ticks: Int64 = 0

  static let mostPictures = 16

  mutating func add(_ place: ArtPlace) {
    guard place.length > 0, place.offset >= 0, found.art.count < Self.mostPictures else { return }
    // Pictures that are said to reach beyond the end are not whole.
    guard Int64(place.length) <= bytes.size - place.offset else { return }
    found.art.append(place)
  }

  /// From one place to another, as far as they are in the file and in this order.
  func span(_ from: Int64, _ to: Int64) -> Range<Int64> {
    let begin = min(max(0, from), bytes.size)
    return begin..<min(max(begin, to), bytes.size)
  }

  /// A rate and a number of channels are believed when they can be.
  mutating func setFormat(rate: Int, channels: Int, bits: Int) {
    if (1...768_000).contains(rate) { found.rate = Int32(rate) }
    if (1...255).contains(channels) { found.channels = Int32(channels) }
    if (0...64).contains(bits) { found.bits = Int32(bits) }
  }

  mutating func setFrames(_ frames: Int64) {
    if frames > 0 && frames <= Self.longest { found.frames = frames }
  }

  /// What the file says itself, unless it has too few bytes for that.
  mutating func setFrames(_ frames: Int64, atMost framesPerByte: Int64) {
    if let frames = AudioFormat.believed(frames, inBytes: bytes.size, atMost: framesPerByte) { setFrames(frames) }
  }

  /// `count` of a unit of which there are `scale` in a second, at the file's rate.
  mutating func setFrames(_ count: Int64, of scale: Int64) {
    if let frames = Self.scaled(count, by: Int64(found.rate), over: scale) { setFrames(frames) }
  }

  /// Nil when it is nothing, or more than there can be of sound.
  static func scaled(_ count: Int64, by factor: Int64, over divisor: Int64) -> Int64? {
    guard count > 0, factor > 0, divisor > 0 else { return nil }
    let (whole, rest) = count.quotientAndRemainder(dividingBy: divisor)
    let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
    if overflow || product > longest { return nil }
    return product + divisor.dividingFullWidth(rest.multipliedFullWidth(by: factor)).quotient
  }

  /// Of sound; the same bound as the player's.
  static let longest: Int64 = 1 << 52
}
