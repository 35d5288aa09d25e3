import Formats
import Runtime
import Synchronization

/// Opening files: from an order to a `Voice` that can be decoded.
extension DecodeThread {
  func open(_ track: DecodeOrders.Track, at place: TrackPlace) -> Voice? {
    controls.openings.add(1, ordering: .releasing)
    do throws(Fault) {
      return try atHand(track.music) { () throws(Fault) in try makeVoice(track, at: place) }
    } catch {
      if !error.isGivingUp { tell(.failed(entry: track.entry, generation: generation, error)) }
      return nil
    }
  }

  /// Notes the file on disk while `work` runs: if it kills the program, the next start knows which file it was.
  func atHand<Result>(_ music: DecodeOrders.Music, _ work: () throws(Fault) -> Result) throws(Fault) -> Result {
    guard let path = music.path else { return try work() }
    return try suspects.with(path, .opening, work)
  }

  /// Nil when a newer order came while the file was opened.
  private func makeVoice(_ track: DecodeOrders.Track, at place: TrackPlace) throws(Fault) -> Voice? {
    let part = track.music.path.flatMap { MusicPart(address: $0) }
    let goneOn = isFollower ? part.flatMap { current?.decoder.part?.following($0) } : nil
    let opened =
      if let goneOn { OpenedMusic(decoder: goneOn) } else { try track.music.open(asking: help, finding: finder) }
    let decoder = opened.decoder
    let facts = TrackFacts(
      decoder.tags, file: track.music.path, length: decoder.length, rate: decoder.format.sampleRate)
    var voice = try fitted(
      Voice(entry: track.entry, decoder: decoder, facts: facts, music: track.music, frame: 0), to: nil)
    voice.gain = gain(of: decoder, track)
    let frame = place.frame(atRate: voice.rate)
    // Seeking far into a file without a seek table takes seconds; it is given up when a newer order comes.
    let isInside = frame > 0 || part != nil && goneOn == nil
    if isInside, !(try voice.decoder.seek(toFrame: frame, unless: help.isUnwanted)) { return nil }
    voice.frame = frame
    orders.withLock { $0.isAnswered = $0.follow != nil }
    tell(
      .opened(
        entry: track.entry, generation: generation,
        TrackInfo(
          format: decoder.format, length: decoder.length, tags: decoder.tags, isStreamed: opened.isStreamed)))
    return voice
  }

  private func gain(of decoder: any Decoder, _ track: DecodeOrders.Track) -> Float {
    let effects = shape.effects
    guard effects.normaliser != .off else { return 1 }
    let facts = track.hint.tagged.filled(with: decoder.tags.loudness).filled(with: track.hint.measured)
    return NormaliserGain(
      effects.normaliser, facts, inAlbum: track.hint.isInAlbum, preamp: effects.preamp, hasLimiter: effects.limiter
    ).factor
  }

  /// The voice, resampled to `rate`, or to a sample rate that the device supports.
  private func fitted(_ voice: Voice, to rate: Int32?) throws(Fault) -> Voice {
    let own = voice.rate
    let wanted = rate ?? controls.rate(for: own)
    guard wanted != own else { return voice }
    var fitted = Voice(
      entry: voice.entry, decoder: try ResampledDecoder(voice.decoder, rate: wanted), facts: voice.facts,
      music: voice.music, frame: TrackPlace.spot(Spot(frame: voice.frame, rate: own)).frame(atRate: wanted))
    fitted.gain = voice.gain
    fitted.isResampled = true
    return fitted
  }

  var needsFollower: Bool {
    guard next == nil, fading == nil else { return false }
    guard let current else { return true }
    guard !isPutOff, let left = current.left else { return false }
    return Duration.seconds(left / Int64(current.rate)) < Self.openAhead + shape.crossfade
  }

  func openFollower() {
    guard let track = orders.withLock({ $0.takeFollower() }) else { return }
    idle = false
    isPutOff = false
    isFollower = true
    next = open(track, at: .beginning)
    isFollower = false
    if isPutOff { orders.withLock { $0.putOff(track) } }
    guard let next, let current else {
      joint = .gapless
      return
    }
    var before = current.facts
    (before.length, before.rate) = (current.decoder.length, current.rate)
    joint = .between(
      previous: before, next: next.facts, wanted: shape.crossfade, insideAlbums: shape.crossfadesInAlbums)
    if case .crossfade = joint { meet(next, current) }
  }

  /// Brings the follower to the sample rate of the current track, since only equal rates can be mixed.
  private func meet(_ next: Voice, _ current: Voice) {
    guard next.rate != current.rate else { return }
    do throws(Fault) { self.next = try fitted(next, to: current.rate) } catch {
      Log("decode").warning("no crossfade", ["reason": error.message])
      joint = .gapless
    }
  }

  /// Makes a new effect chain, for a stream that begins here.
  func makeChain(rate: Int32) {
    var effects = shape.effects
    effects.mixes = effects.mixes || shape.crossfade > .zero
    chain = effects.isNothing ? nil : EffectChain(effects, rate: rate)
    late = chain?.latency ?? 0
    inside = 0
  }
}

extension Decoder {
  /// The decoder of a part of a file (a track of a cue sheet), also where it is resampled.
  fileprivate var part: PartDecoder? { self as? PartDecoder ?? (self as? ResampledDecoder)?.inner as? PartDecoder }
}
