import Formats
import Runtime
import Synchronization

/// Decoding: from a `Voice` to frames in the ring.
extension DecodeThread {
  /// The track that fades out in a crossfade.
  struct Fading {
    var voice: Voice
    let length: Int
    var done = 0
    var isOver = false
  }

  func decode(_ playing: Voice) {
    let (place, room) = ring.place
    let most = freshFrames == 0 ? Self.firstHelping : Self.helping
    do throws(Fault) {
      let wanted = min(min(room, most), fading.map { $0.length - $0.done } ?? untilFade(playing))
      let count = try read(playing, into: place, count: wanted)
      if count == 0 {
        guard fading != nil else { return finish(playing) }
        // The new track ended during the crossfade: the old one still fades out, into silence, and then the end
        // follows.
        place.update(repeating: 0, count: 2 * wanted)
        return mixFading(into: place, count: wanted, playing)
      }
      if !begun { begin(playing) }
      current?.frame += Int64(count)
      if fading != nil { mixFading(into: place, count: count, playing) } else { treat(place, count: count, playing) }
    } catch {
      if fading != nil { endFading() }
      if !error.isGivingUp { tell(.failed(entry: playing.entry, generation: generation, error)) }
      current = nil
    }
  }

  /// Reads frames. The first read counts as part of opening the file: some libraries allocate what its headers ask for
  /// only then.
  private func read(
    _ voice: Voice, into place: UnsafeMutablePointer<Int32>, count: Int
  ) throws(Fault) -> Int {
    guard !begun else { return try voice.decoder.read(into: place, count: count) }
    return try atHand(voice.music) { () throws(Fault) in try voice.decoder.read(into: place, count: count) }
  }

  private func finish(_ voice: Voice) {
    if fading != nil { endFading() }
    tell(.finished(entry: voice.entry, generation: generation, damages: voice.damages))
    current = nil
  }

  private func treat(_ place: UnsafeMutablePointer<Int32>, count: Int, _ playing: Voice) {
    chain?.process(place, count: count, gain: playing.gain)
    commit(place, count: count)
  }

  /// Puts frames into the ring, without the chain's delay at the beginning: so each frame of the file keeps its
  /// position in the stream.
  private func commit(_ place: UnsafeMutablePointer<Int32>, count: Int) {
    let dropped = min(late, count)
    late -= dropped
    inside += dropped
    let kept = count - dropped
    if dropped > 0 && kept > 0 { place.update(from: place + 2 * dropped, count: 2 * kept) }
    ring.commit(kept)
    let isFirst = freshFrames == 0 && kept > 0
    freshFrames += kept
    // Wake the output thread for the first frames after a start.
    feedOutput(anyway: isFirst)
  }

  /// Marks the beginning of a track in the ring. A track without any frames has no beginning.
  private func begin(_ voice: Voice) {
    let format = voice.decoder.format
    // Frames of the track before may still be inside the chain; they come first.
    beganAt = ring.written + UInt64(inside)
    begun = ring.push(
      .begin, at: beganAt, entry: voice.entry, generation: generation, frame: voice.frame,
      sampleRate: format.sampleRate, sourceBits: format.bitsPerSample, isExact: chain == nil && !voice.isResampled)
  }

  // MARK: Crossfade

  /// Whether to wait for the main loop to say what follows, because the crossfade would begin now. Its answer rings the
  /// bell.
  func mustAsk(_ playing: Voice) -> Bool {
    guard let left = leftToAsk(playing) else { return false }
    return left <= 0 && !orders.withLock { $0.isAnswered || $0.change != .none }
  }

  /// How many frames from now the main loop must have said what follows; nil where it makes no difference.
  private func leftToAsk(_ playing: Voice) -> Int64? {
    guard shape.crossfade > .zero, next == nil, fading == nil, playing.music.path != nil, let left = playing.left,
      left > 0
    else { return nil }
    return left - TrackPlace.time(shape.crossfade).frame(atRate: playing.rate)
  }

  func mustFade(_ playing: Voice) -> Bool {
    guard case .crossfade(let frames) = joint, next != nil, fading == nil, let left = playing.left else { return false }
    return left <= Int64(frames)
  }

  /// How many frames may be decoded before the crossfade begins.
  private func untilFade(_ playing: Voice) -> Int {
    if let left = leftToAsk(playing), left > 0 { return Int(clamping: left) }
    guard case .crossfade(let frames) = joint, next != nil, let left = playing.left else { return .max }
    return Int(clamping: max(left - Int64(frames), 1))
  }

  /// Begins the crossfade: the next track becomes the current one, which is shown, and the old one fades out.
  func beginFading(_ playing: Voice) {
    fading = Fading(voice: playing, length: Int(clamping: max(playing.left ?? 0, 1)))
    current = next
    next = nil
    joint = .gapless
    begun = false
  }

  private func mixFading(into place: UnsafeMutablePointer<Int32>, count: Int, _ playing: Voice) {
    guard var fading, let chain else { return }
    fill(scratch, count: count, from: &fading)
    chain.mix(
      scratch, gain: fading.voice.gain, with: place, gain: playing.gain, position: fading.done, length: fading.length,
      count: count)
    fading.done += count
    self.fading = fading
    commit(place, count: count)
    if fading.done >= fading.length { endFading() }
  }

  /// Decodes the track that fades out. If it ends early or cannot be decoded any further, the rest is silence.
  private func fill(_ target: UnsafeMutablePointer<Int32>, count: Int, from fading: inout Fading) {
    var filled = 0
    do throws(Fault) {
      while filled < count, !fading.isOver {
        let got = try fading.voice.decoder.read(into: target + 2 * filled, count: count - filled)
        fading.isOver = got == 0
        filled += got
        fading.voice.frame += Int64(got)
      }
    } catch {
      fading.isOver = true
      if !error.isGivingUp { Log("decode").info("broke while it faded out", ["reason": error.message]) }
    }
    (target + 2 * filled).update(repeating: 0, count: 2 * (count - filled))
  }

  private func endFading() {
    guard let over = fading else { return }
    fading = nil
    if let current { chain?.jump(to: current.gain) }
    tell(.finished(entry: over.voice.entry, generation: generation, damages: over.voice.damages))
  }

  // MARK: Ends

  /// Makes the follower the current track, gaplessly. Where its sample rate differs, the effect chain is emptied first
  /// and made anew. False when the ring has no room for that yet.
  func takeOver() -> Bool {
    guard let following = next else { return false }
    if let chain, chain.rate != following.rate {
      guard flush() else { return sleepUntilWorthwhile() }
      makeChain(rate: following.rate)
    }
    current = following
    next = nil
    begun = false
    return true
  }

  /// Moves what is inside the chain into the ring and resets the chain. False when the ring has no room for it.
  private func flush() -> Bool {
    guard let chain, inside > 0 else { return true }
    while late > 0 {
      let count = min(late, Self.helping)
      chain.flush(into: scratch, count: count)
      late -= count
    }
    while inside > 0 {
      let (place, room) = ring.place
      let count = min(room, inside)
      if count == 0 { return false }
      chain.flush(into: place, count: count)
      ring.commit(count)
      inside -= count
    }
    chain.reset()
    late = chain.latency
    return true
  }

  func markEnd() -> Bool {
    guard flush() else { return sleepUntilWorthwhile() }
    // The mark carries the number of files opened so far: if more were opened by the time it is heard, it is not the
    // end.
    let openings = controls.openings.load(ordering: .relaxed)
    idle = ring.push(
      .end, at: ring.written, entry: 0, generation: generation, frame: openings, sampleRate: 1, sourceBits: 16,
      isExact: true)
    guard idle else { return sleepUntilHeard() }
    wakeOutput()
    return false
  }
}
