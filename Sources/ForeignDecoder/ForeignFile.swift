internal import CAV
import DecoderProtocol

/// A file's samples, counted: which of them comes next is always known, so that a seek can be exact. They are counted
/// from the first sample of the music. What an encoder put before it is left out: by FFmpeg, or by `lead`.
final class ForeignFile {
  private let bytes: PlayerBytes
  private var container: Container
  private var decoder: SampleDecoder
  private(set) var format = ForeignFormat(
    rate: 0, channels: 0, bits: 32, isLossless: false, speakers: 0, length: nil, isLengthStated: false)
  let tags: [(key: String, value: String)]
  private(set) var damages = 0
  private var isDamaged = false
  /// The next sample to be given out.
  private var position: Int64 = 0
  /// How many samples the decoder's frame has, and how many of these were given out.
  private var held = 0
  private var given = 0
  private var isAtEnd = false
  private var clock: SampleClock
  private let edits: Edits?
  /// Samples that come out before the music and that FFmpeg does not leave out by itself.
  private var lead: Int64 = 0

  /// Nothing good is believed to come after so much nonsense without a sample in between.
  private static let mostBroken = 2_000
  private static let mostChannels = Int32(Reply.mostPlanes)

  init(_ bytes: PlayerBytes) throws(Refusal) {
    self.bytes = bytes
    var container = try Container(bytes)
    tags = container.tags
    let noted = TrackLength.noted(tags)
    var edits: Edits?
    if container.mayHaveEdits, let first = container.firstTime, first < 0 {
      let edited = (container.firstTime, container.stream.pointee.duration)
      container = try Container(bytes, ignoringEdits: true)
      edits = Edits(edited: edited, whole: container, noted: noted)
      if edits == nil { container = try Container(bytes) }
    }
    self.container = container
    self.edits = edits
    decoder = try SampleDecoder(container)
    clock = SampleClock(timeBase: container.stream.pointee.time_base, rate: 1)
    // The format is that of what comes out: headers may say half the rate, or nothing.
    guard fetch(), decoder.frame.pointee.sample_rate > 0 else {
      throw Refusal(.unplayable, "nothing in it can be decoded")
    }
    let frame = decoder.frame.pointee
    // What the player would take for nonsense is said in words.
    guard ForeignFormat.rates.contains(frame.sample_rate), (1...Self.mostChannels).contains(frame.ch_layout.nb_channels)
    else {
      throw Refusal(
        .unplayable,
        "it has \(frame.sample_rate) Hz and \(frame.ch_layout.nb_channels) channels; 1 to 8 channels"
          + " of \(ForeignFormat.rates.lowerBound) to \(ForeignFormat.rates.upperBound) Hz can be played")
    }
    clock = SampleClock(timeBase: container.stream.pointee.time_base, rate: frame.sample_rate)
    clock.start(at: frame.pts)
    if let edits, let first = clock.firstTime, edits.lead > first {
      lead = clock.samples(in: edits.lead - first) ?? 0
      clock.start(at: edits.lead)
    }
    format = Self.describe(frame, container, decoder, TrackLength(container, clock, noted: noted, edits: edits))
    position = -lead
    _ = try skip(Int(lead))
  }

  private static func describe(
    _ frame: AVFrame, _ container: Container, _ decoder: SampleDecoder, _ length: TrackLength
  ) -> ForeignFormat {
    var frame = frame
    let context = decoder.context.pointee
    let properties = avcodec_descriptor_get(context.codec_id)?.pointee.props ?? 0
    let isLossless =
      properties & AV_CODEC_PROP_LOSSLESS != 0
      && (properties & AV_CODEC_PROP_LOSSY == 0 || context.codec_id == AV_CODEC_ID_WAVPACK)
    let width = av_get_bytes_per_sample(AVSampleFormat(frame.format)) * 8
    let stated = [context.bits_per_raw_sample, context.bits_per_coded_sample].first { (4...32).contains($0) }
    return ForeignFormat(
      rate: frame.sample_rate, channels: frame.ch_layout.nb_channels,
      bits: isLossless ? min(stated ?? width, 32) : 24, isLossless: isLossless,
      speakers: UInt32(truncatingIfNeeded: layby_av_speakers(&frame.ch_layout) & 0x3FFFF),
      length: length.frames, isLengthStated: length.isStated)
  }

  /// Up to `wanted` samples of each channel, one plane behind the other; 0 at the end. The envelope is the one in which
  /// bytes are asked for on the way, so samples are put there last.
  func read(wanted: Int, into envelope: Envelope) throws(Refusal) -> Int {
    guard let count = try available(wanted) else { return 0 }
    let planes = envelope.space.bindMemory(to: Int32.self)
    guard let start = planes.baseAddress, count * Int(format.channels) <= planes.count else { return 0 }
    for channel in 0..<Int(format.channels) {
      let plane = start + channel * count
      guard layby_av_samples(decoder.frame, Int32(channel), Int32(given), Int32(count), plane) != 0 else {
        throw Refusal(.unplayable, "its samples are of a kind that is not known")
      }
    }
    advance(count)
    return count
  }

  /// Leaves out up to `count`; fewer only at the end.
  func skip(_ count: Int) throws(Refusal) -> Int {
    var skipped = 0
    while skipped < count, let part = try available(count - skipped) {
      advance(part)
      skipped += part
    }
    return skipped
  }

  private func advance(_ count: Int) {
    given += count
    position += Int64(count)
  }

  /// How many of `wanted` are there, one at least; nil at the end.
  private func available(_ wanted: Int) throws(Refusal) -> Int? {
    var left = Int64(wanted)
    // What an encoder put behind the music to fill its last block.
    if format.isLengthStated, let length = format.length { left = min(left, length - position) }
    guard left > 0 else { return nil }
    if given >= held {
      guard fetch() else { return nil }
      let frame = decoder.frame.pointee
      guard frame.sample_rate == format.rate, frame.ch_layout.nb_channels == format.channels else {
        throw Refusal(.damaged, "it goes on at another rate or with other channels")
      }
      if position >= 0 { clock.compare(frame.pts, with: position) }
    }
    return min(Int(left), held - given)
  }

  /// The next samples into the decoder's frame; false at the end.
  private func fetch() -> Bool {
    var broken = 0
    given = 0
    held = 0
    while !isAtEnd {
      switch decoder.step(container) {
      case .samples:
        isDamaged = false
        held = Int(decoder.frame.pointee.nb_samples)
        return true
      case .nothing: break
      case .broken:
        if !isDamaged { damages = min(damages + 1, Reply.mostDamages) }
        isDamaged = true
        broken += 1
        isAtEnd = broken >= Self.mostBroken
      case .end: isAtEnd = true
      }
    }
    return false
  }

  /// Goes to a sample before `frame`, or to it, and says which.
  func seek(before frame: Int64) throws(Refusal) -> Int64 {
    // Decoders need some time until what they give is what they would have given.
    let runUp = Int64(format.rate) / 2
    if frame >= position, frame - position <= runUp { return position }
    if frame > runUp, let target = clock.time(of: frame - runUp),
      av_seek_frame(container.context, container.stream.pointee.index, target, AVSEEK_FLAG_BACKWARD) >= 0
    {
      decoder.forget()
      isAtEnd = false
      if fetch(), let landed = clock.sample(at: decoder.frame.pointee.pts), landed <= frame - runUp / 2 {
        position = landed
        return landed
      }
    } else if frame >= position, !isAtEnd {
      return position
    }
    try rewind()
    return 0
  }

  private func rewind() throws(Refusal) {
    container = try Container(bytes, ignoringEdits: edits != nil)
    decoder = try SampleDecoder(container)
    isAtEnd = false
    given = 0
    held = 0
    position = -lead
    _ = try skip(Int(lead))
  }
}
