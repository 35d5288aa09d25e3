/// One string, plucked once and damped once, after Karplus and Strong: a pulse runs round a delay line as long as the
/// pitch's period, and each round a low pass takes a little of its brightness and of its strength. Low strings ring
/// long and dark, high ones short. Only sums, products and roots are used, so the bits are the same everywhere.
struct PluckedString {
  let pitch: Pitch
  /// 0 to 1: louder is brighter as well.
  let loudness: Double
  /// When it is damped, in frames from the pluck.
  let held: Int
  /// Makes this pluck differ a little from every other one.
  let seed: UInt64

  /// Frames until a damped string is as good as silent.
  static let release = 30_000

  /// Adds the string to `sound` from `start` on.
  func play(into sound: inout Stereo, at start: Int) {
    let period = Stereo.rate / pitch.hertz
    let softness = 0.18 + 0.22 * (1 - loudness)
    // The low pass delays by `softness` frames; the rest of the period is whole frames and an all-pass.
    let whole = Int(period - softness - 0.1)
    let rest = period - softness - Double(whole)
    let allPass = (1 - rest) / (1 + rest)
    let keep = decay(over: period, seconds: 2.2 + 6 * (220 / (220 + pitch.hertz)))
    let damped = decay(over: period, seconds: 0.55)
    var line = pulse(frames: whole)
    var (at, last, allPassIn, allPassOut) = (0, 0.0, 0.0, 0.0)

    // The keyboard lies before us: low strings a little to the left.
    let place = max(-1, min(1, Double(pitch.key - 60) / 40))
    let gain = loudness * (0.55 + 0.45 * (1 - loudness)) * 0.5
    let toLeft = gain * ((1 - 0.5 * place) / 2).squareRoot()
    let toRight = gain * ((1 + 0.5 * place) / 2).squareRoot()

    let attack = 90
    let end = min(sound.frames - start, held + Self.release)
    guard end > 0 else { return }
    for frame in 0..<end {
      let out = line[at]
      let rise = frame < attack ? Double(frame) / Double(attack) : 1
      sound.left[start + frame] += Float(out * rise * toLeft)
      sound.right[start + frame] += Float(out * rise * toRight)

      let darker = (1 - softness) * out + softness * last
      last = out
      let shifted = allPass * darker + allPassIn - allPass * allPassOut
      allPassIn = darker
      allPassOut = shifted
      line[at] = shifted * (frame < held ? keep : damped)
      at = at + 1 == line.count ? 0 : at + 1
    }
  }

  /// What a finger leaves on the string: a smooth hump near its end, a grain of noise, no standing offset.
  private func pulse(frames: Int) -> [Double] {
    var noise = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(pitch.key)
    let plucked = max(2, frames / 7)
    var line = (0..<frames).map { index in
      noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let grain = Double(noise >> 40) / Double(1 << 24) - 0.5
      return (index < plucked ? 1 : -Double(plucked) / Double(frames - plucked)) + 0.35 * grain
    }
    // High strings are filtered less in proportion, for their overtones are few anyway.
    let cutoff = min(0.75, (0.07 + 0.12 * loudness) * (0.6 + pitch.hertz / 500))
    for _ in 0..<2 {
      var value = line.last ?? 0
      // Twice round, so that the end meets the beginning.
      for index in 0..<(2 * frames) {
        value += cutoff * (line[index % frames] - value)
        if index >= frames { line[index - frames] = value }
      }
    }
    let offset = line.reduce(0, +) / Double(frames)
    let strength = (line.reduce(0) { $0 + ($1 - offset) * ($1 - offset) } / Double(frames)).squareRoot()
    return line.map { ($0 - offset) / max(strength, 0.000_001) }
  }

  /// What is left after one period of a sound that falls by 60 dB in `seconds`; e^-x by its series, x is small.
  private func decay(over period: Double, seconds: Double) -> Double {
    let x = 6.907_755 * period / (Stereo.rate * seconds)
    return 1 - x + x * x / 2 - x * x * x / 6 + x * x * x * x / 24
  }
}
