internal import CLinux
import Glibc
import Runtime

/// Owns one opened input device. It is shared with everybody else who reads it: nothing is grabbed.
package final class EventDevice {
  let path: FilePath
  let label: String
  /// Its keys and axes, as bits.
  let keys: [UInt8]
  let axes: [UInt8]
  var reader = EventReader()
  private let descriptor: Descriptor

  /// So many events are taken in one go; the rest comes in the next round, after everybody else's.
  private static let helping = 64

  init(_ path: FilePath) throws(Fault) {
    self.path = path
    descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK, code: "H-220")
    let number = descriptor.number
    var keys = [UInt8](repeating: 0, count: Int(KEY_MAX) / 8 + 1)
    var axes = [UInt8](repeating: 0, count: Int(REL_MAX) / 8 + 1)
    guard layby_input_bits(number, EV_KEY, &keys, Int32(keys.count)) >= 0,
      layby_input_bits(number, EV_REL, &axes, Int32(axes.count)) >= 0
    else { throw Fault.system("H-221", doing: "ask \(path) for its keys") }
    (self.keys, self.axes) = (keys, axes)
    var name = [UInt8](repeating: 0, count: 128)
    let length = name.withUnsafeMutableBytes { bytes in
      layby_input_name(number, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    }
    label = length > 0 ? shownPlain(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)) : ""
  }

  /// For tests: a pipe that says it is a device.
  package init(_ path: FilePath, label: String, keys: [UInt8], axes: [UInt8]) throws(Fault) {
    self.path = path
    descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK, code: "H-220")
    (self.label, self.keys, self.axes) = (label, keys, axes)
  }

  var number: Int32 { descriptor.number }

  var isUseful: Bool { EventKeys.isUseful(keys: keys, axes: axes) }

  /// What came since; nil when the device is gone.
  func inputs() -> [Input]? {
    var bytes = [UInt8](repeating: 0, count: Self.helping * InputEvent.size)
    let count = read(descriptor.number, &bytes, bytes.count)
    if count > 0 { return reader.take(InputEvent.all(in: bytes[..<count])) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
  }
}
