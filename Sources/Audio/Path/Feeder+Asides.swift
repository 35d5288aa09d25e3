import Runtime
import Synchronization

/// Words and ticks over the music. They are mixed into what goes to the device, behind the ring and behind the music's
/// loudness; where none sounds, what goes out is what it would be without them, bit for bit.
extension Feeder {
  /// Among all frames that the device was ever given, the next one. A rewind brings back a place that was there before.
  var place: Int64 { handed.played + Int64(handed.held) }

  /// Somebody has something to say: what the device has not played is taken back, so that it is heard at once.
  func followAsides() throws(Fault) {
    guard door.isKnocked else { return }
    let isClosing = controls.shutdown.load(ordering: .acquiring) || waitsForAsides && isPlaying
    if isLive && !isClosing { openForAsides() }
    guard isLive, !isClosing, case .open(let rate) = device else {
      // A recording takes the music alone; what has to wait for a device is no news any more, and one that is about to
      // close waits for nobody.
      while let block = door.take() { door.giveBack(block) }
      return
    }
    try rewind()
    silenceAgain = Moment(nanoseconds: 0)
    if asides.isEmpty { asides.follow(wantedGain, atRate: rate, at: place) }
    while let block = door.take() {
      guard block.count == 0 || block.rate == rate else {
        // It was made for the rate that was.
        door.giveBack(block)
        continue
      }
      asides.begin(block, at: place, into: door)
    }
  }

  /// Before the first music there is no device open. One that cannot be opened says nothing, which is the truth; the
  /// first music will tell.
  private func openForAsides() {
    guard case .closed = device, now() >= asideRetry, let block = door.firstSound else { return }
    do throws(Fault) {
      try output.open(rate: block.rate, bits: 16)
      try hasOpened(rate: block.rate)
    } catch { asideRetry = now() + Self.retry }
    publishAbility()
  }

  /// They are as loud as the music would be, be it paused: one clamp counts for all.
  func followAsideLoudness() throws(Fault) {
    guard !asides.isEmpty, case .open(let rate) = device, asides.loudness.to != wantedGain else { return }
    try rewind()
    silenceAgain = Moment(nanoseconds: 0)
    asides.follow(wantedGain, atRate: rate, at: place)
  }

  /// The device is about to close: what sounds ends now, and softly.
  func endAsides() throws(Fault) {
    guard isLive, asides.goOn else { return }
    try rewind()
    silenceAgain = Moment(nanoseconds: 0)
    asides.endAll(at: place)
  }

  /// Words begin or end at the next frame: the music gives way to them, or comes back. What was given stays as it is.
  /// Taken back in the middle of that, it goes on from there, and no faster.
  func giveWay(onItsWay: Bool = false) {
    guard isLive, isPlaying, case .open(let rate) = device else { return }
    let base = wantedGain
    let target = asides.softened(base, at: place)
    guard asides.isGivingWay(from: ramp.to, to: target, of: base, onItsWay: onItsWay) else { return }
    ramp.turn(to: target, over: asides.wayLength(from: ramp.gain, to: target, of: base, atRate: rate))
    ramp.givesWay = true
  }

  /// The one way to the device: `frames`, with what is said over them. How many it took.
  func hand(_ frames: UnsafePointer<Int32>, count: Int, bits: Int32) throws(Fault) -> Int {
    if asides.isEmpty { return try output.write(frames, count: count, bits: bits) }
    var done = 0
    while done < count {
      let here = place + Int64(done)
      let (span, sounds) = asides.span(at: here)
      let part = min(count - done, min(span, Self.helping))
      let given: Int
      if sounds {
        asides.mix(frames + 2 * done, count: part, at: here, into: mixed)
        given = try output.write(mixed, count: part, bits: 32)
      } else {
        given = try output.write(frames + 2 * done, count: part, bits: bits)
      }
      done += given
      if given < part { break }
    }
    return done
  }
}
