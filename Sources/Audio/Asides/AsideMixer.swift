/// What sounds over the music, and where: each aside has its place among the frames that the device was ever given, so
/// that what is taken back and given again has it again, to the sample. The output thread's own: it neither allocates
/// nor locks.
///
/// The music gives way from the first frame of words to their last, and the asides' own loudness changes from a place on:
/// both are functions of the place too.
final class AsideMixer {
  struct Slot: BitwiseCopyable {
    var block: AsideBlock
    /// The first frame of it, and the first that is no more of it.
    var from: Int64
    var until: Int64
    /// From here on it goes, because something newer is heard; `.max` when it is heard to its end.
    var goesFrom: Int64
    var goesFor: Int64
  }

  static let most = 8
  private let slots: UnsafeMutablePointer<Slot>
  private(set) var count = 0
  /// How much softer the music was made last.
  private var softness = Gain.unity
  /// Of all asides: as loud as the music would be.
  private(set) var loudness = Ramp(at: Gain.unity)
  /// The place from which that ramp runs; its `done` counts for nothing.
  private var loudnessFrom: Int64 = 0

  init() {
    slots = .allocate(capacity: Self.most)
    slots.initialize(
      repeating: Slot(block: .none, from: 0, until: 0, goesFrom: .max, goesFor: 1), count: Self.most)
  }

  deinit { slots.deallocate() }

  var isEmpty: Bool { count == 0 }
  /// Some of them would be heard to their end.
  var goOn: Bool {
    for index in 0..<count where slots[index].goesFrom == .max { return true }
    return false
  }

  /// 5 ms: what is cut off does not click.
  static func goingLength(atRate rate: Int32) -> Int64 { max(1, Int64(rate) / 200) }
  /// The music is soft before the first word is over, and comes back without haste.
  static func fallLength(atRate rate: Int32) -> Int { max(1, Int(rate) / 20) }
  static func riseLength(atRate rate: Int32) -> Int { max(1, Int(rate) * 3 / 10) }

  // MARK: Coming and going

  /// From the frame `place` on; what sounds of its lane goes.
  func begin(_ block: AsideBlock, at place: Int64, into door: AsideDoor) {
    for index in 0..<count where slots[index].block.lane == block.lane { end(index, at: place) }
    guard block.count > 0 else { return door.giveBack(block) }
    if count == Self.most {
      // The one that is over first.
      let oldest = (0..<count).min { slots[$0].until < slots[$1].until } ?? 0
      leave(oldest, into: door)
    }
    slots[count] = Slot(
      block: block, from: place, until: place + Int64(block.count), goesFrom: .max,
      goesFor: Self.goingLength(atRate: block.rate))
    count += 1
    if block.softness != Gain.unity { softness = block.softness }
  }

  /// All of them go, from the frame `place` on.
  func endAll(at place: Int64) { for index in 0..<count { end(index, at: place) } }

  private func end(_ index: Int, at place: Int64) {
    guard slots[index].until > place, slots[index].goesFrom > place else { return }
    slots[index].goesFrom = place
    slots[index].until = min(slots[index].until, place + slots[index].goesFor)
  }

  /// Everything before `place` was heard and is never taken back.
  func retire(before place: Int64, into door: AsideDoor) {
    var index = 0
    while index < count {
      if slots[index].until <= place { leave(index, into: door) } else { index += 1 }
    }
  }

  /// Frames until the last of them is over, when all before `place` have been heard.
  func soundLeft(from place: Int64) -> Int {
    var end = place
    for index in 0..<count { end = max(end, slots[index].until) }
    return Int(end - place)
  }

  func removeAll(into door: AsideDoor) { while count > 0 { leave(count - 1, into: door) } }

  private func leave(_ index: Int, into door: AsideDoor) {
    door.giveBack(slots[index].block)
    count -= 1
    slots[index] = slots[count]
  }

  // MARK: Loudness

  /// From the frame `place` on they go on to `gain`.
  func follow(_ gain: Int64, atRate rate: Int32, at place: Int64) {
    if isEmpty {
      loudness = Ramp(at: gain)
    } else {
      loudness.done = loudnessDone(before: place)
      loudness.turn(to: gain, over: Gain.rampLength(atRate: rate))
    }
    loudnessFrom = place
  }

  /// How far its ramp is when everything before `place` was heard.
  private func loudnessDone(before place: Int64) -> Int { Int(max(0, place &- loudnessFrom)) }

  /// What the music is at `place`, when it would be at `gain`.
  func softened(_ gain: Int64, at place: Int64) -> Int64 {
    isEmpty ? gain : Self.product(gain, softness(at: place))
  }

  private func softness(at place: Int64) -> Int64 {
    var least = Gain.unity
    for index in 0..<count where slots[index].from <= place && place < speaksUntil(slots[index]) {
      least = min(least, slots[index].block.softness)
    }
    return least
  }

  /// From `before` to `after` nothing changes but that somebody speaks, or has spoken. One that was on its way may have
  /// been taken back to anywhere between both.
  func isGivingWay(from before: Int64, to after: Int64, of gain: Int64, onItsWay: Bool = false) -> Bool {
    let soft = Self.product(gain, softness)
    let isThere = before == gain || before == soft || onItsWay && soft < before && before < gain
    return gain > 0 && before != after && isThere && (after == gain || after == soft)
  }

  /// Over how many frames the music gives way or comes back: from a part of the way, over that part of the time.
  func wayLength(from before: Int64, to after: Int64, of gain: Int64, atRate rate: Int32) -> Int {
    let whole = after < before ? Self.fallLength(atRate: rate) : Self.riseLength(atRate: rate)
    let way = max(1, gain - Self.product(gain, softness))
    return max(1, Int(Int64(whole) * min(abs(after - before), way) / way))
  }

  private static func product(_ gain: Int64, _ softness: Int64) -> Int64 { (gain &* softness &+ 1 << 29) &>> 30 }

  private func speaksUntil(_ slot: Slot) -> Int64 { min(slot.until, slot.goesFrom) }

  /// Frames from `place` on in which the music's loudness stays as it is there.
  func evenFor(_ place: Int64) -> Int {
    var next = Int64.max
    for index in 0..<count where slots[index].block.softness != Gain.unity {
      let (from, until) = (slots[index].from, speaksUntil(slots[index]))
      if from > place { next = min(next, from) }
      if until > place { next = min(next, until) }
    }
    return next == .max ? .max : Int(next - place)
  }

  // MARK: Mixing

  /// Frames from `place` on over which the same asides sound, and whether there are any.
  func span(at place: Int64) -> (count: Int, sounds: Bool) {
    var (next, sounds) = (Int64.max, false)
    for index in 0..<count {
      let (from, until) = (slots[index].from, slots[index].until)
      if from > place {
        next = min(next, from)
      } else if until > place {
        next = min(next, until)
        sounds = true
      }
    }
    return (next == .max ? .max : Int(next - place), sounds)
  }

  /// `frames` with what sounds over them from `place` on. What would be louder than can be is as loud as can be.
  func mix(_ frames: UnsafePointer<Int32>, count wanted: Int, at place: Int64, into target: UnsafeMutablePointer<Int32>)
  {
    target.update(from: frames, count: 2 * wanted)
    for index in 0..<count { add(slots[index], to: target, count: wanted, at: place) }
  }

  private func add(_ slot: Slot, to target: UnsafeMutablePointer<Int32>, count wanted: Int, at place: Int64) {
    guard let samples = slot.block.samples else { return }
    let start = max(0, slot.from - place)
    let end = min(Int64(wanted), slot.until - place)
    guard start < end else { return }
    let loudness = loudness
    let before = place &- loudnessFrom
    for frame in Int(start)..<Int(end) {
      let at = place &+ Int64(frame)
      let gain = Gain.at(max(0, Int(before) &+ frame &+ 1), of: loudness)
      var sample = Int64(samples[Int(at &- slot.from)]) &<< 16
      if at >= slot.goesFrom { sample = sample &* max(0, slot.goesFrom &+ slot.goesFor &- at) / slot.goesFor }
      if gain != Gain.unity { sample = (sample &* gain &+ 1 << 29) &>> 30 }
      target[2 &* frame] = Self.clamped(Int64(target[2 &* frame]) &+ sample)
      target[2 &* frame &+ 1] = Self.clamped(Int64(target[2 &* frame &+ 1]) &+ sample)
    }
  }

  @inline(__always)
  private static func clamped(_ sum: Int64) -> Int32 {
    Int32(truncatingIfNeeded: min(max(sum, Int64(Int32.min)), Int64(Int32.max)))
  }
}
