internal import CLinux

/// What the keys and wheels of keyboards, remotes and USB knobs stand for: one table. Letters mean nothing, because a
/// keyboard may be there for something else.
package enum EventKeys {
  package struct Row: Sendable {
    package let code: UInt16
    package let input: Input

    init(_ code: Int32, _ input: Input) {
      self.code = UInt16(code)
      self.input = input
    }
  }

  package static let keys: [Row] = [
    Row(KEY_PLAYPAUSE, .press(.play)), Row(KEY_PLAY, .press(.play)), Row(KEY_PAUSE, .press(.play)),
    Row(KEY_PLAYCD, .press(.play)), Row(KEY_PAUSECD, .press(.play)), Row(KEY_SPACE, .press(.play)),
    Row(KEY_NEXTSONG, .press(.next)), Row(KEY_NEXT, .press(.next)),
    Row(KEY_PREVIOUSSONG, .press(.previous)), Row(KEY_PREVIOUS, .press(.previous)),
    Row(KEY_FASTFORWARD, .press(.forward)), Row(KEY_REWIND, .press(.rewind)),
    Row(KEY_VOLUMEUP, .press(.louder)), Row(KEY_VOLUMEDOWN, .press(.quieter)),
    Row(KEY_MUTE, .press(.mute)),
    Row(KEY_BACK, .press(.back)), Row(KEY_EXIT, .press(.back)), Row(KEY_ESC, .press(.back)),
    Row(KEY_HOMEPAGE, .press(.home)), Row(KEY_HOME, .press(.home)),
    Row(KEY_HELP, .press(.help)),
    Row(KEY_POWER, .press(.power)),
    Row(KEY_ENTER, .press(.knob)), Row(KEY_KPENTER, .press(.knob)), Row(KEY_OK, .press(.knob)),
    Row(KEY_SELECT, .press(.knob)),
    Row(KEY_RIGHT, .turn(1)), Row(KEY_UP, .turn(1)), Row(KEY_LEFT, .turn(-1)), Row(KEY_DOWN, .turn(-1)),
    Row(KEY_PAGEUP, .turn(5)), Row(KEY_PAGEDOWN, .turn(-5)),
  ]

  /// Wheels that turn the knob by as many detents as they say.
  package static let wheels: [UInt16] = [UInt16(REL_WHEEL), UInt16(REL_DIAL)]

  private static let rows = Dictionary(keys.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

  static func row(for code: UInt16) -> Row? { rows[code] }

  /// Whether a device with these keys and axes (bits, as the kernel gives them) has anything to say here.
  package static func isUseful(keys keyBits: [UInt8], axes: [UInt8]) -> Bool {
    keys.contains { has($0.code, in: keyBits) } || wheels.contains { has($0, in: axes) }
  }

  private static func has(_ code: UInt16, in bits: [UInt8]) -> Bool {
    let byte = Int(code) / 8
    return byte < bits.count && bits[byte] >> (code % 8) & 1 == 1
  }
}
