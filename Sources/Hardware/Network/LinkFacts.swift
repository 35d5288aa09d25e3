import Glibc

/// What the kernel says of one network device, from one message.
package struct LinkFacts: Equatable, Sendable {
  package let index: UInt32
  package let name: String
  /// The kind of its frames; 1 is Ethernet, and Wi-Fi looks like it.
  package let hardware: UInt16
  package let isLoopback: Bool
  /// Switched on, with a carrier; a radio has joined its network.
  package let isUp: Bool
  /// Made of others: one below it, or one that it is a part of.
  package let lower: UInt32?
  package let master: UInt32?
  package let address: [UInt8]

  package init?(_ message: NetlinkMessage) {
    guard message.type == NetlinkNumber.newLink, let hardware = message.body.number(at: 2, UInt16.self),
      let index = message.body.number(at: 4, UInt32.self), let flags = message.body.number(at: 8, UInt32.self),
      message.body.count >= 16, index > 0
    else { return nil }
    let attributes = NetlinkAttributes(message.body.dropFirst(16))
    guard let name = attributes.text(Self.nameType), Self.isPlain(name) else { return nil }
    self.index = index
    self.name = name
    self.hardware = hardware
    isLoopback = flags & Self.loopback != 0
    // Simple drivers do not tell of their state; for those it counts that they run.
    let state = attributes.number(Self.stateType) ?? 0
    let isRunning = state == 0 && flags & Self.running != 0
    isUp = flags & Self.switchedOn != 0 && (state == Self.stateUp || isRunning)
    lower = attributes.number(Self.lowerType)
    master = attributes.number(Self.masterType)
    address = Array(attributes[Self.addressType] ?? [])
  }

  /// Made up by its owner and not given by a maker, as telephones have it.
  package var hasMadeUpAddress: Bool { address.count == 6 && address[0] & 2 != 0 }

  /// As the kernel allows it, and besides nothing that steers a terminal: it becomes part of a path.
  private static func isPlain(_ name: String) -> Bool {
    (1...15).contains(name.utf8.count) && name != "." && name != ".."
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
  }

  private static let (switchedOn, loopback, running): (UInt32, UInt32, UInt32) = (0x1, 0x8, 0x40)
  private static let stateUp: UInt32 = 6
  private static let (addressType, nameType, lowerType, masterType, stateType) = (1, 3, 5, 10, 16)
}

/// An address that a device has, and that others can reach.
package struct AddressFacts: Equatable, Sendable {
  package let index: UInt32
  package let text: String
  package let isVersion6: Bool

  /// Nil for one that holds on this machine or this wire alone, or is not known to be the only one of its kind yet.
  package init?(_ message: NetlinkMessage) {
    guard message.type == NetlinkNumber.newAddress, message.body.count >= 8, let family = message.body.first,
      let scope = message.body.number(at: 3, UInt8.self), scope == 0,
      let index = message.body.number(at: 4, UInt32.self), let few = message.body.number(at: 2, UInt8.self)
    else { return nil }
    let attributes = NetlinkAttributes(message.body.dropFirst(8))
    let flags = attributes.number(Self.flagsType) ?? UInt32(few)
    guard flags & Self.isUnfit == 0, let bytes = attributes[Self.localType] ?? attributes[Self.addressType],
      let text = Self.text(Array(bytes), family: Int32(family))
    else { return nil }
    self.index = index
    self.text = text
    isVersion6 = Int32(family) == AF_INET6
  }

  private static func text(_ bytes: [UInt8], family: Int32) -> String? {
    guard family == AF_INET && bytes.count == 4 || family == AF_INET6 && bytes.count == 16 else { return nil }
    var space = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, bytes, &space, socklen_t(space.count)) != nil else { return nil }
    return String(decoding: space.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let (addressType, localType, flagsType) = (1, 2, 8)
  /// Somebody else has it (8), it is given up soon (32), or that is being found out (64).
  private static let isUnfit: UInt32 = 8 | 32 | 64
}

/// The default route, which is taken when no other fits.
package struct DefaultRoute: Equatable, Sendable {
  package let index: UInt32
  package let isVersion6: Bool
  /// The lowest is taken.
  package let cost: UInt32

  /// Nil for all other routes.
  package init?(_ message: NetlinkMessage) {
    guard message.type == NetlinkNumber.newRoute, message.body.count >= 12, let family = message.body.first,
      Int32(family) == AF_INET || Int32(family) == AF_INET6,
      // To everywhere, a real way and no refusal, and none that the kernel has noted for one destination.
      message.body.number(at: 1, UInt8.self) == 0, message.body.number(at: 7, UInt8.self) == Self.realWay,
      let table = message.body.number(at: 4, UInt8.self), let flags = message.body.number(at: 8, UInt32.self),
      flags & Self.noted == 0
    else { return nil }
    let attributes = NetlinkAttributes(message.body.dropFirst(12))
    guard attributes.number(Self.tableType) ?? UInt32(table) == Self.mainTable,
      let index = attributes.number(Self.deviceType) ?? Self.firstDevice(attributes[Self.severalType] ?? [])
    else { return nil }
    self.index = index
    isVersion6 = Int32(family) == AF_INET6
    cost = attributes.number(Self.costType) ?? 0
  }

  /// Of several ways that share the load. Each: length, flags, weight, device.
  private static func firstDevice(_ ways: ArraySlice<UInt8>) -> UInt32? {
    var rest = ways
    while let length = rest.number(at: 0, UInt16.self).map({ Int($0) }), length >= 8, length <= rest.count {
      let flags = rest.number(at: 2, UInt8.self) ?? 0
      if flags & deadWay == 0 { return rest.number(at: 4, UInt32.self) }
      rest = rest.dropFirst(NetlinkMessage.padded(length))
    }
    return nil
  }

  private static let mainTable: UInt32 = 254
  private static let realWay: UInt8 = 1
  private static let noted: UInt32 = 0x200
  private static let deadWay: UInt8 = 1 | 16
  private static let (deviceType, costType, severalType, tableType) = (4, 6, 9, 15)
}
