/// One record of an input device, as the kernel writes it on 64-bit machines: two words of time, then type, code and
/// value. The time is not needed: a device's events come in order.
package struct InputEvent: Equatable, Sendable {
  package var type: UInt16
  package var code: UInt16
  package var value: Int32

  package static let size = 24

  package init(type: UInt16, code: UInt16, value: Int32) {
    self.type = type
    self.code = code
    self.value = value
  }

  /// The whole records of `bytes`; the kernel gives no others, so a rest means nothing and is dropped.
  package static func all(in bytes: some RandomAccessCollection<UInt8>) -> [InputEvent] {
    var events: [InputEvent] = []
    var rest = bytes[...]
    while rest.count >= size {
      // Both kinds of processor that Layby runs on put the lowest byte first.
      let fields = rest.dropFirst(16).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      events.append(
        InputEvent(
          type: UInt16(truncatingIfNeeded: fields), code: UInt16(truncatingIfNeeded: fields >> 16),
          value: Int32(truncatingIfNeeded: fields >> 32)))
      rest = rest.dropFirst(size)
    }
    return events
  }
}
