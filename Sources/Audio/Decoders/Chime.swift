import Formats
import Glibc
import Runtime

/// The sound that tells a person who has no eyes to spare that the board can play: two soft notes, a fifth apart, made
/// on the spot. It goes the way that all music goes, so it is heard only when music would be.
final class Chime: Decoder {
  static let rate: Int32 = 44_100
  private static let notes: [(hertz: Double, from: Double)] = [(587.33, 0), (880, 0.12)]
  private static let seconds = 0.5
  /// A quarter of full scale: it speaks before anyone could have turned it down.
  private static let loudness = 0.12

  let format = AudioFormat(sampleRate: Chime.rate, channels: 1, bitsPerSample: 16, lossless: true)
  let length: Int64? = Int64(Chime.seconds * Double(Chime.rate))
  let lengthIsStated = true
  let tags = Tags()
  let damages = 0
  private var frame: Int64 = 0

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    let count = min(count, Int((length ?? 0) - frame))
    for index in 0..<count {
      let sample = Int32(Self.sample(at: Double(frame + Int64(index)) / Double(Self.rate)) * 32_767) << 16
      frames[2 * index] = sample
      frames[2 * index + 1] = sample
    }
    frame += Int64(count)
    return count
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    self.frame = min(max(frame, 0), length ?? 0)
    return true
  }

  /// Struck softly and dying away; nothing is left of it at the end.
  private static func sample(at time: Double) -> Double {
    notes.reduce(0) { sum, note in
      let age = time - note.from
      guard age > 0 else { return sum }
      let swell = min(age / 0.01, 1) * min((seconds - time) / 0.05, 1)
      return sum + loudness * swell * exp(-6 * age) * sin(2 * .pi * note.hertz * age)
    }
  }
}
