import Runtime

/// One record of an input device, as the kernel writes it on 64-bit machines: two words of time, then type, code and
/// value.
package struct InputEvent: Equatable, Sendable {
  package var type: UInt16
  package var code: UInt16
  package var value: Int32
  /// By the clock that the device was told to use.
  package var at: Moment

  package static let size = 24

  package init(type: UInt16, code: UInt16, value: Int32, at moment: Moment = Moment(nanoseconds: 0)) {
    self.type = type
    self.code = code
    self.value = value
    at = moment
  }

  /// The whole records of `bytes`; the kernel gives no others, so a rest means nothing and is dropped. `shift` is what
  /// the boot clock is ahead of the device's.
  package static func all(in bytes: some RandomAccessCollection<UInt8>, shift: Duration = .zero) -> [InputEvent] {
    var events: [InputEvent] = []
    var rest = bytes[...]
    while rest.count >= size {
      let seconds = Int64(bitPattern: word(rest))
      let microseconds = Int64(bitPattern: word(rest.dropFirst(8)))
      let fields = word(rest.dropFirst(16))
      // The numbers come from outside, so an impossible time must not overflow.
      let moment = Moment(nanoseconds: 0) + .seconds(clamped(seconds)) + .microseconds(clamped(microseconds)) + shift
      events.append(
        InputEvent(
          type: UInt16(truncatingIfNeeded: fields), code: UInt16(truncatingIfNeeded: fields >> 16),
          value: Int32(truncatingIfNeeded: fields >> 32), at: moment))
      rest = rest.dropFirst(size)
    }
    return events
  }

  /// Both kinds of processor that Layby runs on put the lowest byte first.
  private static func word(_ bytes: some RandomAccessCollection<UInt8>) -> UInt64 {
    bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  /// Limits a number of seconds to 30,000 years.
  private static func clamped(_ number: Int64) -> Int64 { min(max(number, 0), 1_000_000_000_000) }
}
