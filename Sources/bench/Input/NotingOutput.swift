import Audio
import Runtime
import Synchronization

/// Notes when a device was given what the hand listens for.
final class RigEar: Sendable {
  private struct State {
    /// What it was given last.
    var sample: Int32 = 0
    var isListening = false
    var moment: Moment?
  }

  private let state = Mutex(State())
  private let bell: Bell
  /// Of 2^31: more than what rounding makes of one and the same sample, far less than a step of the volume.
  private static let least: UInt32 = 1 << 16

  init() throws(Fault) { bell = try Bell() }

  /// For the first sample that is another than the last one was.
  func listen() {
    bell.hush()
    state.withLock { ($0.isListening, $0.moment) = (true, nil) }
  }

  func moment(within limit: Duration) throws(Fault) -> Moment {
    bell.wait(milliseconds: Int32(limit.milliseconds))
    guard let moment = state.withLock({ $0.moment }) else {
      throw Fault(.passing, "B-274", "the device was given nothing new within \(limit)")
    }
    return moment
  }

  func hear(_ samples: UnsafeBufferPointer<Int32>) {
    guard let last = samples.last else { return }
    let isIt = state.withLock { state in
      guard state.isListening else {
        state.sample = last
        return false
      }
      let old = state.sample
      guard samples.contains(where: { ($0 > old ? $0 &- old : old &- $0).magnitude > Self.least }) else { return false }
      (state.isListening, state.moment, state.sample) = (false, .now, last)
      return true
    }
    if isIt { bell.ring() }
  }
}

/// A device that plays nothing at the clock's pace, can be rewound as a card can, and has an ear.
final class NotingOutput: Output {
  private let device = NullOutput()
  private let ear: RigEar

  init(_ ear: RigEar) { self.ear = ear }

  func write(_ frames: UnsafePointer<Int32>, count: Int) -> Int {
    let taken = device.write(frames, count: count)
    ear.hear(UnsafeBufferPointer(start: frames, count: taken * 2))
    return taken
  }

  func rewind(_ frames: Int) -> Int { device.rewind(frames) }

  var isLive: Bool { device.isLive }
  var mayReopen: Bool { device.mayReopen }
  var underruns: Int { device.underruns }
  func open(rate: Int32, bits: Int32) { device.open(rate: rate, bits: bits) }
  func room() -> Int { device.room() }
  func delay() -> Int { device.delay() }
  func nextRoom() -> Moment? { device.nextRoom() }
  func close() { device.close() }
}
