/// A request to the kernel. All but those of `RadioCommand` only read state.
package struct NetlinkRequest: Equatable, Sendable {
  package let type: UInt16
  package let flags: UInt16
  package let body: [UInt8]

  package init(type: UInt16, listsAll: Bool, body: [UInt8]) {
    self.type = type
    flags = NetlinkNumber.isRequest | (listsAll ? NetlinkNumber.wantsAll : NetlinkNumber.wantsReceipt)
    self.body = body
  }

  /// Numbered, so that an answer to another question is known as that.
  package func bytes(sequence: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.write(UInt32(NetlinkMessage.headerLength + body.count))
    bytes.write(type)
    bytes.write(flags)
    bytes.write(sequence)
    // The kernel knows the socket.
    bytes.write(UInt32(0))
    bytes += body
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }

  static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.write(UInt16(4 + value.count))
    bytes.write(UInt16(type))
    bytes += value
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }
}

extension NetlinkRequest {
  // In front of each stands a fixed part that would choose among all; zeros choose all.

  package static let links = NetlinkRequest(
    type: NetlinkNumber.getLink, listsAll: true, body: [UInt8](repeating: 0, count: 16))
  package static let addresses = NetlinkRequest(
    type: NetlinkNumber.getAddress, listsAll: true, body: [UInt8](repeating: 0, count: 8))
  package static let routes = NetlinkRequest(
    type: NetlinkNumber.getRoute, listsAll: true, body: [UInt8](repeating: 0, count: 12))
}
