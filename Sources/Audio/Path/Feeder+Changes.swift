import Runtime
import Synchronization

/// Skips, seeks, pauses and volume: what changes what is already on its way.
extension Feeder {
  /// Takes back from the device what it has not played. Where it cannot, the change is heard a buffer later.
  func rewind() throws(Fault) {
    guard case .open = device, handed.held > 0 else { return }
    let taken = output.rewind(min(try output.delay(), handed.held - handed.fadeLeft))
    guard taken > 0 else { return }
    silenceAgain = Moment(nanoseconds: 0)
    guard let place = handed.takeBack(taken) else { return }
    ring.takeBack(to: place.stream)
    ramp = Ramp(at: place.gain)
    reading = nil
    if place.givesWay { giveWay(onItsWay: true) }
  }

  /// A new start is wanted: what sounds fades out, and what was decoded for an older one is dropped. False while the
  /// device has no room for the fade; the next turn goes on with it.
  func followGeneration() throws(Fault) -> Bool {
    let wanted = controls.wantedGeneration.load(ordering: .acquiring)
    guard wanted != generation || needsFlush else { return true }
    if isLive && wanted != generation {
      if !fading { try rewind() }
      fading = true
      guard try fadeOut() else { return false }
    }
    fading = false
    generation = wanted
    // Frames first, then marks: a mark is always there before its frames are.
    let written = ring.written
    let count = ring.marks.count
    var dropped = 0
    var target = written
    while dropped < count {
      let mark = ring.marks[dropped]
      if mark.generation == wanted {
        target = mark.at
        break
      }
      dropped += 1
    }
    ring.skip(to: target)
    ring.marks.drop(dropped)
    handed.forgetTracks()
    playedTo = ring.read
    reading = nil
    hearing = nil
    drainedAt = nil
    starving = true
    ranDry = false
    ramp = Ramp(at: 0)
    return true
  }

  /// Frames of an older start that were decoded after the skip.
  private var needsFlush: Bool {
    guard hearing?.generation != generation, reading?.generation != generation else { return false }
    if ring.marks.count > 0 { return ring.marks[0].generation != generation || ring.marks[0].at > ring.read }
    return ring.written > ring.read
  }

  /// Ten more milliseconds of what was playing, softer and softer. False when there is more to come.
  private func fadeOut() throws(Fault) -> Bool {
    guard case .open(let rate) = device, ramp.gain > 0 else { return true }
    if ramp.to != 0 {
      let there = min(Int(ring.written - ring.read), boundary(rate: rate))
      ramp.turn(to: 0, over: max(1, min(there, Gain.rampLength(atRate: rate))))
    }
    while !ramp.isFinished {
      let (frames, there) = ring.next
      let wanted = min(min(there, ramp.left), min(boundary(rate: rate), Self.helping))
      if wanted == 0 { return true }
      if handed.isFull { return false }
      Gain.apply(ramp, frames, count: wanted, into: scratch)
      let before = ramp.gain
      let given = try hand(scratch, count: min(wanted, try output.room()), bits: 32)
      if given == 0 { return false }
      ramp.done += given
      ring.take(given)
      handed.append(
        .init(stream: 0, count: given, isMusic: false, isSound: true, gainBefore: before, gainAfter: ramp.gain))
    }
    return true
  }

  /// Frames from `ring.read` on that the open device can take alike: up to where another rate begins, or other bits.
  func boundary(rate: Int32, like this: Mark? = nil) -> Int {
    for index in 0..<ring.marks.count {
      let mark = ring.marks[index]
      guard mark.kind == .begin && mark.at >= ring.read else { continue }
      let isOther = this.map { $0.isExact != mark.isExact || $0.sourceBits != mark.sourceBits } ?? false
      if mark.sampleRate != rate || isOther { return Int(mark.at - ring.read) }
    }
    return .max
  }

  /// Loudness and pause: heard at once, by a ramp.
  func followGain() throws(Fault) {
    giveWay()
    let target = isPlaying || !isLive ? asides.softened(wantedGain, at: place) : 0
    guard target != ramp.to, case .open(let rate) = device else { return }
    // Out of silence the first frame decides how it begins, so it must be there.
    let isEmpty = ranDry ? ready == 0 : ring.written == ring.read && handed.held == 0
    if ramp.to == 0 && ramp.isFinished && isEmpty { return }
    if isLive { try rewind() }
    // What was taken back may be on its way there already.
    guard target != ramp.to else { return }
    // A recorder that has not begun begins at the right loudness.
    if !isLive && hearing == nil && handed.held == 0 && playedTo == ring.read && ramp.to == 0 {
      ramp = Ramp(at: target)
    } else if ramp.to == 0 && ramp.isFinished && startsTrack {
      ramp = Ramp(at: target)
    } else {
      ramp.turn(to: target, over: Gain.rampLength(atRate: rate))
    }
  }

  /// Nothing of a device that may be at any loudness.
  var wantedGain: Int64 {
    let isMixed = controls.mixedFor.load(ordering: .acquiring) >= controls.losses.load(ordering: .relaxed)
    return isMixed ? controls.gain.load(ordering: .acquiring) : 0
  }

  /// The next frame is a track's first: it begins as it is, with no ramp before it.
  var startsTrack: Bool {
    for index in 0..<ring.marks.count {
      let mark = ring.marks[index]
      if mark.at > ring.read { return false }
      if mark.kind == .begin && mark.at == ring.read { return mark.frame == 0 }
    }
    return false
  }
}
