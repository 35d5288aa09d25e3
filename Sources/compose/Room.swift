/// A small hall: eight echoes in a ring each side, then four diffusers (after Schroeder and Moorer). The right side's
/// echoes are a little longer than the left's, and that is what makes it wide.
struct Room {
  private static let echoes = [1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617]
  private static let diffusers = [556, 441, 341, 225]
  private static let wider = 23
  /// How much of the echo is in the mix.
  private static let wet: Float = 0.022

  static func resound(_ sound: inout Stereo) {
    let both = zip(sound.left, sound.right).map { ($0 + $1) / 2 }
    mix(both, into: &sound.left, longer: 0)
    mix(both, into: &sound.right, longer: wider)
  }

  private static func mix(_ dry: [Float], into channel: inout [Float], longer: Int) {
    var hall = [Float](repeating: 0, count: dry.count)
    for delay in echoes { echo(dry, delay: delay + longer, into: &hall) }
    for delay in diffusers { diffuse(&hall, delay: delay + longer) }
    for frame in 0..<channel.count { channel[frame] += wet * hall[frame] }
  }

  private static func echo(_ dry: [Float], delay: Int, into hall: inout [Float]) {
    let (feedback, softness): (Float, Float) = (0.83, 0.38)
    var line = [Float](repeating: 0, count: delay)
    var (at, soft) = (0, Float(0))
    for frame in 0..<dry.count {
      let out = line[at]
      soft = out * (1 - softness) + soft * softness
      line[at] = dry[frame] + soft * feedback
      hall[frame] += out
      at = at + 1 == delay ? 0 : at + 1
    }
  }

  private static func diffuse(_ hall: inout [Float], delay: Int) {
    var line = [Float](repeating: 0, count: delay)
    var at = 0
    for frame in 0..<hall.count {
      let out = line[at]
      line[at] = hall[frame] + out / 2
      hall[frame] = out - hall[frame]
      at = at + 1 == delay ? 0 : at + 1
    }
  }
}
