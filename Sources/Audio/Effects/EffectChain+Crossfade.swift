/// Two tracks through one chain. They are added up as Float before anything else is done, so that what is more than
/// full scale together is for the limiter to hold, and not cut off.
extension EffectChain {
  /// `count` frames of a crossfade of `length`, from `position` on: `tail` fades out, `frames` fade in, and the sum
  /// takes their place. Each has the normaliser's gain of its own track.
  func mix(
    _ tail: UnsafePointer<Int32>, gain tailGain: Float, with frames: UnsafeMutablePointer<Int32>,
    gain headGain: Float, position: Int, length: Int, count: Int
  ) {
    // The chain's own gain stays the old track's; the new one is brought in relation to it until `jump`.
    let relation = tailGain > 0 ? headGain / tailGain : headGain
    if gain.track != tailGain { gain.track = tailGain }
    var done = 0
    while done < count {
      let part = min(count - done, Self.block)
      let place = frames + 2 * done
      Samples.toFloats(place, count: part, into: scratch)
      Crossfade.mix(
        tail + 2 * done, into: scratch, relation: relation, position: position + done, length: length, count: part)
      pass(part)
      Samples.toIntegers(scratch, count: part, into: place)
      done += part
    }
  }

  /// The old track is over: its gain is exchanged for that of the new one. What was in relation to it is as loud as
  /// before, so nothing is ramped.
  func jump(to headGain: Float) { gain.jump(to: headGain) }
}
