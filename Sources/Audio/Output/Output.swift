import Glibc
import Runtime

/// Where sound goes: a sound card, a file, or nowhere. Used by the output thread alone, except that `init` is not.
package protocol Output: AnyObject {
  /// A listener hears it as time passes: pauses are silence, changes are ramped. False for a recorder, which takes the
  /// music alone, as fast as it comes.
  var isLive: Bool { get }
  /// After a fault it may be opened again and go on; a recorder may not, for that would be another recording.
  var mayReopen: Bool { get }
  /// Ready for frames at `rate`, whose source had `bits` bits.
  func open(rate: Int32, bits: Int32) throws(Fault)
  /// Frames it would take now.
  func room() throws(Fault) -> Int
  /// Takes up to `count` frames, and says how many.
  func write(_ frames: UnsafePointer<Int32>, count: Int) throws(Fault) -> Int
  /// The same, with how many of the upper bits carry something: what has to be cut is cut with noise.
  func write(_ frames: UnsafePointer<Int32>, count: Int, bits: Int32) throws(Fault) -> Int
  /// Frames it was given that were not heard yet.
  func delay() throws(Fault) -> Int
  /// Gives back up to `frames` of the last it was given, as if never written; how many. A few stay.
  func rewind(_ frames: Int) -> Int
  /// Frames that it lost unheard since it was last asked, because it had slept: they are to be given again.
  func dropped() -> Int
  /// Asks what it can do, if it is not open; `ability` is then known before the first music is. The fault is the one
  /// that opening it would have now.
  func probe() throws(Fault)
  /// As it said when it was last there.
  var ability: DeviceAbility? { get }
  /// When it has room for a good helping again, if a clock can tell; else `pollDescriptors` will.
  func nextRoom() -> Moment?
  /// Its descriptors say nothing of room, which a clock tells, but that it was pulled out.
  var tellsTroubleOnly: Bool { get }
  /// Fills `slots` with what to wait for until there is room; how many were filled.
  func pollDescriptors(_ slots: UnsafeMutableBufferPointer<pollfd>) -> Int
  /// What poll found, for outputs that must be told.
  func polled(_ slots: UnsafeMutableBufferPointer<pollfd>)
  /// What was given and can still be kept is kept; a recorder's last words may fail.
  func close() throws(Fault)
  /// Breaks in the sound so far, because frames came too late.
  var underruns: Int { get }
}

extension Output {
  package func write(_ frames: UnsafePointer<Int32>, count: Int, bits: Int32) throws(Fault) -> Int {
    try write(frames, count: count)
  }
  package func rewind(_ frames: Int) -> Int { 0 }
  package func dropped() -> Int { 0 }
  package func probe() throws(Fault) {}
  package var tellsTroubleOnly: Bool { false }
  package var ability: DeviceAbility? { nil }
  package func nextRoom() -> Moment? { nil }
  package func pollDescriptors(_ slots: UnsafeMutableBufferPointer<pollfd>) -> Int { 0 }
  package func polled(_ slots: UnsafeMutableBufferPointer<pollfd>) {}
  package var underruns: Int { 0 }
}

extension SoundOutput {
  /// `buffer`: of a sound card that can be rewound; the others know their own.
  package func make(buffer: Duration = .seconds(2)) -> any Output {
    switch self {
    case .alsa(let device): ALSAOutput(device: device, buffer: buffer)
    case .file(let path): WaveOutput(path)
    case .null: NullOutput()
    case .nullFast: DiscardingOutput()
    }
  }
}
