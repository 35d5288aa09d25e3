internal import CLinux
import Glibc
import Runtime

/// Owns one opened input device. It is not grabbed, so other programs can read it too.
package final class EventDevice {
  let path: FilePath
  let label: String
  /// What it has, as bits.
  let keys: [UInt8]
  let axes: [UInt8]
  /// A touch screen: the surface that is touched is the display. (A touchpad is none.)
  package let isTouchScreen: Bool
  /// Its events are stamped by the clock that `SleepShift` knows.
  private let hasClock: Bool
  var reader = EventReader()
  private let descriptor: Descriptor

  /// How many events are taken in one go. The rest waits for the next round of the main loop, so that other devices get
  /// their turn.
  private static let helping = 64

  init(_ path: FilePath) throws(Fault) {
    self.path = path
    descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK, code: "H-220")
    let number = descriptor.number
    func bits(_ type: Int32, _ most: Int32) throws(Fault) -> [UInt8] {
      var bits = [UInt8](repeating: 0, count: Int(most) / 8 + 1)
      guard layby_input_bits(number, type, &bits, Int32(bits.count)) >= 0 else {
        throw Fault.system("H-221", doing: "ask \(path) for its keys")
      }
      return bits
    }
    (keys, axes) = (try bits(EV_KEY, KEY_MAX), try bits(EV_REL, REL_MAX))
    var properties = [UInt8](repeating: 0, count: Int(INPUT_PROP_MAX) / 8 + 1)
    _ = layby_input_properties(number, &properties, Int32(properties.count))
    isTouchScreen = Self.isTouchScreen(keys: keys, places: try bits(EV_ABS, ABS_MAX), properties: properties)
    hasClock = layby_input_clock(number, CLOCK_MONOTONIC) == 0
    var name = [UInt8](repeating: 0, count: 128)
    let length = name.withUnsafeMutableBytes { bytes in
      layby_input_name(number, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    }
    label = length > 0 ? shownPlain(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)) : ""
  }

  /// For tests: a pipe that says it is a device.
  package init(
    _ path: FilePath, label: String, keys: [UInt8], axes: [UInt8], isTouchScreen: Bool = false
  ) throws(Fault) {
    self.path = path
    descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK, code: "H-220")
    (self.label, self.keys, self.axes, self.isTouchScreen) = (label, keys, axes, isTouchScreen)
    hasClock = true
  }

  /// Decides as udev does: a touchpad, a pen tablet and a mouse with absolute positions are no touch screens.
  package static func isTouchScreen(keys: [UInt8], places: [UInt8], properties: [UInt8]) -> Bool {
    func has(_ key: Int32) -> Bool { Bits.has(Int(key), in: keys) }
    func both(_ x: Int32, _ y: Int32) -> Bool { Bits.has(Int(x), in: places) && Bits.has(Int(y), in: places) }
    let isDirect = Bits.has(Int(INPUT_PROP_DIRECT), in: properties)
    let hasFingers = both(ABS_MT_POSITION_X, ABS_MT_POSITION_Y)
    guard hasFingers || both(ABS_X, ABS_Y) else { return false }
    if has(BTN_TOOL_PEN) || has(BTN_STYLUS) { return false }
    if has(BTN_TOOL_FINGER) && !isDirect { return false }
    if has(BTN_LEFT) && !hasFingers { return false }
    return has(BTN_TOUCH) || isDirect
  }

  var number: Int32 { descriptor.number }

  /// Somebody may want to teach us one of its keys.
  var canTeach: Bool { Bits.keys(in: keys).contains { $0.isForFingers } }

  /// What has come since the last call; nil when the device is gone. `shift` is how far CLOCK_BOOTTIME is ahead of
  /// CLOCK_MONOTONIC.
  func inputs(by map: KeyMap, now: Moment, shift: Duration) -> [TimedInput]? {
    var bytes = [UInt8](repeating: 0, count: Self.helping * InputEvent.size)
    let count = read(descriptor.number, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil }
    let inputs = reader.take(InputEvent.all(in: bytes[..<count], shift: shift), by: map)
    return hasClock ? inputs : inputs.map { TimedInput($0.input, at: now) }
  }
}
