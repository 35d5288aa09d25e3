import Glibc

/// How loud, in per cent of the knob's way, and the one place that limits it: whatever asks for a volume (a start, a
/// detent, a program) gets it through here, and `gain` is the only number that leaves.
///
/// It never passes `maximum`, and nothing but a hand on the knob makes it louder at once: from any other wish it rises
/// the whole way in a second. A hand, or what passes for one, has a handful at once, which time gives back: in any while,
/// whoever asks and however often, it becomes louder by a handful and by what rises in that while, and no more. What
/// takes loudness away for a while (falling asleep, another sound) is a `Factor`, which can only take away.
package struct Volume: Equatable, Sendable {
  /// What was asked for, and is shown.
  package private(set) var percent: Int
  package private(set) var maximum: Int
  package private(set) var isMuted = false
  package var sleep = Factor.full { didSet { giveBack(from: oldValue, to: sleep) } }
  /// While the board goes to rest.
  package var leave = Factor.full { didSet { giveBack(from: oldValue, to: leave) } }
  /// For another sound.
  package var duck = Factor.full { didSet { giveBack(from: oldValue, to: duck) } }
  /// How far it has come on the way to what was asked for.
  private var level: Double
  /// What is left of a handful.
  private var ready = Double(Self.handful)

  /// Per cent of the knob's way.
  package static let risesInASecond = 100.0
  /// What a hand turns in one go; who asks for more gets it more slowly.
  package static let handful = 10

  package init(percent: Int, maximum: Int = 100, isMuted: Bool = false) {
    self.maximum = min(max(maximum, 0), 100)
    self.percent = min(max(percent, 0), self.maximum)
    self.isMuted = isMuted
    level = isMuted ? 0 : Double(self.percent)
  }

  private var target: Double { isMuted ? 0 : Double(percent) }

  /// Who says how loud it shall be wants to hear it.
  package mutating func set(_ wanted: Int) {
    percent = min(max(wanted, 0), maximum)
    isMuted = false
    level = min(level, target)
  }

  /// From now on it never passes that, and is not louder than that now.
  package mutating func limit(to maximum: Int) {
    self.maximum = min(max(maximum, 0), 100)
    percent = min(percent, self.maximum)
    level = min(level, target)
  }

  /// A turn up ends the mute, from silence. What a program turns is a wish like its others.
  package mutating func turn(by steps: Int, byHand: Bool = true) {
    let (wanted, overflow) = percent.addingReportingOverflow(steps)
    percent = min(max(overflow ? (steps > 0 ? 100 : 0) : wanted, 0), maximum)
    if steps > 0 && isMuted {
      isMuted = false
    } else if steps > 0 && byHand {
      let lifted = lift(by: min(Double(steps), ready))
      ready -= lifted
    }
    level = min(level, target)
  }

  package mutating func mute(_ muted: Bool) {
    isMuted = muted
    level = min(level, target)
  }

  package var isRising: Bool { level < target }

  /// Time that has passed takes it nearer to what was asked for; what is left of it then fills the hand again.
  package mutating func rise(for time: Duration) {
    let most = Double(max(time.nanoseconds, 0)) / 1e9 * Self.risesInASecond
    let lifted = lift(by: most)
    ready = min(ready + most - lifted, Double(Self.handful))
  }

  /// Nearer to what was asked for, by no more than that; gives by how much.
  private mutating func lift(by most: Double) -> Double {
    let way = target - level
    level = most < way ? level + most : target
    return min(most, way)
  }

  /// What comes back after it was taken away rises like everything else.
  private mutating func giveBack(from old: Factor, to new: Factor) {
    if new.value > old.value { level *= cbrt(old.value / new.value) }
  }

  /// What faded out is silent: nobody hears it come back.
  package mutating func hasLeft() {
    leave = .full
    level = target
  }

  /// In silence: nobody hears it rise.
  package mutating func wake() {
    sleep = .full
    level = target
  }

  /// What it would be if nothing took any away.
  package var ceiling: Double { Self.gain(ofPart: Double(percent) / 100) }

  /// The factor for samples. A cube is close to how loud it seems; 100 is exactly 1 and 0 exactly 0, so that the bits
  /// of the file reach the device untouched, or not at all.
  package var gain: Double { Self.gain(ofPart: level / 100) * sleep.value * duck.value * leave.value }

  private static func gain(ofPart part: Double) -> Double { part * part * part }
}

/// What is left of the loudness: from nothing to all of it, never more.
package struct Factor: Equatable, Sendable {
  package let value: Double

  package init(_ value: Double) { self.value = value.isNaN ? 0 : min(max(value, 0), 1) }

  package static let full = Factor(1)
}
