/// What `EffectSettings` say, done to a stream of frames of one rate. The links are an ordered list; each does its part
/// over one block of Float at a time. Used by one thread at a time; nothing is allocated after it is made.
/// Other settings are another chain: what plays begins anew in it, behind a fade.
///
/// What comes out is `latency` frames behind what went in: whoever begins drops so many at the start, and at the end
/// calls `flush` for as many. Track boundaries are none of its concern: it goes on from one to the next.
package final class EffectChain {
  package let rate: Int32
  package let settings: EffectSettings
  package let latency: Int
  let links: [any Effect]
  let gain: GainLink
  let scratch: UnsafeMutablePointer<SIMD2<Float>>
  static let block = 512

  package init(_ settings: EffectSettings, rate: Int32) {
    self.settings = settings
    self.rate = rate
    var gain = GainLink(decibels: 0, rate: rate)
    links = settings.links.map { link -> any Effect in
      switch link {
      case .gain(let decibels):
        gain = GainLink(decibels: decibels, rate: rate)
        return gain
      case .equaliser(let bands): return Equaliser(bands, rate: rate)
      case .limiter(let ceiling): return Limiter(ceiling: ceiling, rate: rate)
      }
    }
    self.gain = gain
    latency = links.reduce(0) { $0 + $1.latency }
    scratch = .allocate(capacity: Self.block)
    scratch.initialize(repeating: .zero, count: Self.block)
  }

  deinit { scratch.deallocate() }

  /// In place. `gain` is the normaliser's, for the track that these frames are of; another one than the last time is
  /// gone over to within 5 ms, the first one at once.
  package func process(_ frames: UnsafeMutablePointer<Int32>, count: Int, gain: Float) {
    if self.gain.track != gain { self.gain.track = gain }
    var done = 0
    while done < count {
      let part = min(count - done, Self.block)
      let place = frames + 2 * done
      Samples.toFloats(place, count: part, into: scratch)
      pass(part)
      Samples.toIntegers(scratch, count: part, into: place)
      done += part
    }
  }

  /// All links for the `count` frames in `scratch`, in their order.
  func pass(_ count: Int) {
    // An iterator would ask the heap for a little, where nothing is optimised.
    for place in 0..<links.count { links[place].process(scratch, count: count) }
  }

  /// The next `count` of the `latency` frames that are still inside.
  package func flush(into frames: UnsafeMutablePointer<Int32>, count: Int) {
    frames.update(repeating: 0, count: 2 * count)
    process(frames, count: count, gain: gain.track)
  }

  /// As if nothing had ever been heard: after a seek, and before another stream.
  package func reset() { for link in links { link.reset() } }
}

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
