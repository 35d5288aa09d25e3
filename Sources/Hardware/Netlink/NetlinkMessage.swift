/// One message of the kernel's: a header of 16 bytes that says how long it is, and a body that depends on its type.
///
/// Numbers are in the processor's byte order, which is little endian wherever Layby runs. Lengths are checked against the
/// bytes that were received.
package struct NetlinkMessage: Equatable, Sendable {
  package static let headerLength = 16
  /// More in one datagram are not looked at; the kernel fills 32 KiB with some hundreds.
  package static let most = 4_096

  package var type: UInt16
  package var flags: UInt16
  package var sequence: UInt32
  package var body: ArraySlice<UInt8>

  package init(type: UInt16, flags: UInt16 = 0, sequence: UInt32 = 0, body: ArraySlice<UInt8>) {
    self.type = type
    self.flags = flags
    self.sequence = sequence
    self.body = body
  }

  /// Those of one datagram, in order; `isWhole` is false when its end makes no sense.
  package static func all(in datagram: ArraySlice<UInt8>) -> (messages: [NetlinkMessage], isWhole: Bool) {
    var messages: [NetlinkMessage] = []
    var rest = datagram
    while let length = rest.number(at: 0, UInt32.self).map({ Int($0) }) {
      guard length >= headerLength, length <= rest.count, messages.count < most,
        let type = rest.number(at: 4, UInt16.self), let flags = rest.number(at: 6, UInt16.self),
        let sequence = rest.number(at: 8, UInt32.self)
      else { return (messages, false) }
      let body = rest.prefix(length).dropFirst(headerLength)
      messages.append(NetlinkMessage(type: type, flags: flags, sequence: sequence, body: body))
      rest = rest.dropFirst(padded(length))
    }
    return (messages, rest.isEmpty)
  }

  /// Everything begins at a multiple of four.
  static func padded(_ length: Int) -> Int { (length + 3) & ~3 }
}

/// What the kernel's headers call by these names. It is the kernel's promise that they never change.
package enum NetlinkNumber {
  // Types of messages.
  static let error: UInt16 = 2
  static let done: UInt16 = 3
  static let newLink: UInt16 = 16
  static let getLink: UInt16 = 18
  static let newAddress: UInt16 = 20
  static let getAddress: UInt16 = 22
  static let newRoute: UInt16 = 24
  static let getRoute: UInt16 = 26
  /// By this one the others of generic netlink are asked for.
  static let control: UInt16 = 16

  // Flags of questions and answers.
  static let isRequest: UInt16 = 0x001
  static let isPart: UInt16 = 0x002
  static let wantsReceipt: UInt16 = 0x004
  /// What was listed has changed meanwhile.
  static let isInterrupted: UInt16 = 0x010
  static let wantsAll: UInt16 = 0x300

  // Groups that tell of changes.
  static let linkGroup: Int32 = 1
  static let address4Group: Int32 = 5
  static let route4Group: Int32 = 7
  static let address6Group: Int32 = 9
  static let route6Group: Int32 = 11
  static let kernelEvents: Int32 = 1
}

extension ArraySlice<UInt8> {
  /// Nil when it is not all there.
  func number<Number: FixedWidthInteger & UnsignedInteger>(at place: Int, _: Number.Type) -> Number? {
    let width = Number.bitWidth / 8
    guard place >= 0, place <= count - width else { return nil }
    var value: Number = 0
    for index in (0..<width).reversed() { value = value << 8 | Number(self[startIndex + place + index]) }
    return value
  }
}

extension Array<UInt8> {
  mutating func write(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
