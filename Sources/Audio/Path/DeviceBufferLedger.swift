/// What the device has been given and not yet played, in order: stretches of music and of silence. A fixed array, so
/// that the output thread never allocates. It answers which frame of the stream is heard when the device has consumed
/// so many frames, and which is next when the device gives the last ones back.
final class DeviceBufferLedger {
  struct Stretch: BitwiseCopyable {
    /// First frame of the stream; of no meaning when it is no music.
    var stream: UInt64
    var count: Int
    var isMusic: Bool
    /// Music, or what fades out of music that is no longer wanted.
    var isSound: Bool
    /// Loudness before its first frame and at its last.
    var gainBefore: Int64
    var gainAfter: Int64
    /// Between both it gives way to words, or comes back.
    var givesWay = false
  }

  struct Position {
    var stream: UInt64
    var gain: Int64
    var givesWay: Bool
  }

  private let stretches: UnsafeMutablePointer<Stretch>
  private static let capacity = 256
  private var first = 0
  private(set) var count = 0
  /// Frames in all that the device still holds, as far as was settled.
  private(set) var held = 0
  /// Frames in all that devices have played.
  private(set) var played: Int64 = 0

  init() {
    stretches = .allocate(capacity: Self.capacity)
    stretches.initialize(
      repeating: Stretch(stream: 0, count: 0, isMusic: false, isSound: false, gainBefore: 0, gainAfter: 0),
      count: Self.capacity)
  }

  deinit { stretches.deallocate() }

  var isFull: Bool { count >= Self.capacity - 1 }

  private func slot(_ index: Int) -> Int { (first + index) & (Self.capacity - 1) }

  subscript(index: Int) -> Stretch { stretches[slot(index)] }

  /// The caller looks first whether it is full, and then gives nothing to the device.
  func append(_ stretch: Stretch) {
    held += stretch.count
    if count > 0 {
      let last = stretches[slot(count - 1)]
      let steady =
        stretch.gainBefore == stretch.gainAfter && last.gainBefore == last.gainAfter
        && last.gainAfter == stretch.gainBefore
      let follows = !stretch.isMusic || steady && last.stream + UInt64(last.count) == stretch.stream
      if last.isMusic == stretch.isMusic && last.isSound == stretch.isSound && follows {
        stretches[slot(count - 1)].count += stretch.count
        return
      }
    }
    stretches[slot(count)] = stretch
    count += 1
  }

  /// The device has played all but `left` frames. The last frame of music among them, plus one; nil when there was none.
  func settle(left: Int) -> UInt64? {
    var playedTo: UInt64?
    var consumed = held - left
    played += Int64(max(0, consumed))
    while consumed > 0 && count > 0 {
      let part = min(consumed, stretches[first].count)
      if stretches[first].isMusic { playedTo = stretches[first].stream + UInt64(part) }
      stretches[first].gainBefore = gain(at: part, of: stretches[first])
      stretches[first].stream += UInt64(part)
      stretches[first].count -= part
      held -= part
      consumed -= part
      if stretches[first].count == 0 {
        first = slot(1)
        count -= 1
      }
    }
    return playedTo
  }

  /// The device gave the last `frames` back. Where the stream goes on, and how loud; nil when none of it was music.
  func takeBack(_ frames: Int) -> Position? {
    var place: Position?
    var left = min(frames, held)
    while left > 0 && count > 0 {
      let last = slot(count - 1)
      let part = min(left, stretches[last].count)
      let kept = stretches[last].count - part
      let gain = gain(at: kept, of: stretches[last])
      if stretches[last].isMusic {
        place = Position(
          stream: stretches[last].stream + UInt64(kept), gain: gain, givesWay: stretches[last].givesWay)
      }
      stretches[last].gainAfter = gain
      stretches[last].count = kept
      held -= part
      left -= part
      if kept == 0 { count -= 1 }
    }
    return place
  }

  private func gain(at frame: Int, of stretch: Stretch) -> Int64 {
    stretch.count == 0
      ? stretch.gainAfter
      : stretch.gainBefore + (stretch.gainAfter - stretch.gainBefore) * Int64(frame) / Int64(stretch.count)
  }

  /// How many frames the device plays before it comes to the frame `stream`; nil when it was not given.
  func distance(to stream: UInt64) -> Int? {
    var before = 0
    for index in 0..<count {
      let stretch = self[index]
      if stretch.isMusic && stream >= stretch.stream && stream < stretch.stream + UInt64(stretch.count) {
        return before + Int(stream - stretch.stream)
      }
      before += stretch.count
    }
    return nil
  }

  /// Frames until the last sound has been played.
  var soundLeft: Int {
    var before = 0
    var end = 0
    for index in 0..<count {
      before += self[index].count
      if self[index].isSound { end = before }
    }
    return end
  }

  /// Frames until what fades out has been played: that is never taken back, or its end would be a click.
  var fadeLeft: Int {
    var before = 0
    var end = 0
    for index in 0..<count {
      before += self[index].count
      if self[index].isSound && !self[index].isMusic { end = before }
    }
    return end
  }

  /// Music at the head, without silence in between.
  var musicAhead: Int {
    var ahead = 0
    for index in 0..<count {
      guard self[index].isMusic else { break }
      ahead += self[index].count
    }
    return ahead
  }

  /// What the device still holds is of no track any more.
  func forgetTracks() {
    for index in 0..<count { stretches[slot(index)].isMusic = false }
  }

  func removeAll() {
    count = 0
    held = 0
  }
}
