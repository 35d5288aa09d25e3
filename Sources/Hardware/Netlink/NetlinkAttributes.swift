/// The attributes at the end of a netlink message. Each has a length, a type and a value, which may contain attributes
/// again. An attribute with an impossible length ends the list. Unknown types are kept, and nobody reads them.
package struct NetlinkAttributes: Sendable {
  /// More are not looked at.
  package static let most = 1_024
  private static let headerLength = 4
  /// The two upper bits say how the value is written, not what it is.
  private static let typeBits: UInt16 = 0x3FFF

  package private(set) var pieces: [(type: Int, value: ArraySlice<UInt8>)] = []

  package init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while pieces.count < Self.most, let length = rest.number(at: 0, UInt16.self).map({ Int($0) }),
      let type = rest.number(at: 2, UInt16.self), length >= Self.headerLength, length <= rest.count
    {
      pieces.append((Int(type & Self.typeBits), rest.prefix(length).dropFirst(Self.headerLength)))
      rest = rest.dropFirst(NetlinkMessage.padded(length))
    }
  }

  package subscript(type: Int) -> ArraySlice<UInt8>? { pieces.first { $0.type == type }?.value }

  /// A number of one, two or four bytes, as long as it is written.
  package func number(_ type: Int) -> UInt32? {
    guard let value = self[type] else { return nil }
    switch value.count {
    case 1: return value.first.map { UInt32($0) }
    case 2: return value.number(at: 0, UInt16.self).map { UInt32($0) }
    case 4: return value.number(at: 0, UInt32.self)
    default: return nil
    }
  }

  /// Up to its NUL.
  package func text(_ type: Int) -> String? {
    self[type].map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  package func inside(_ type: Int) -> NetlinkAttributes? { self[type].map { NetlinkAttributes($0) } }
}
