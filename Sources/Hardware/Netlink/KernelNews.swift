import Glibc
import Runtime

/// Tells that something has changed, but not what: the listener then reads the state itself. So it does no harm when a
/// message is lost, comes twice or out of order. The state is read once a minute anyway.
package protocol KernelNews: Sendable {
  /// Can be read when there is some.
  var number: Int32 { get }
  /// Takes what was told, without waiting; true when it may matter.
  func take() -> Bool
}

extension KernelNews {
  /// Waits for news that matters. False when none came within `limit`.
  @MainLoop
  func wait(within limit: Duration) async -> Bool {
    let end = MainLoop.loop.now + limit
    while !Task.isCancelled, MainLoop.loop.now < end {
      guard await MainLoop.loop.readable(number, within: end - MainLoop.loop.now) else { return false }
      if take() { return true }
    }
    return false
  }
}

/// Messages of a netlink socket. When the kernel had to drop some, that counts as a change too.
package final class NetlinkNews: KernelNews {
  private let socket: NetlinkSocket
  private let matters: @Sendable (ArraySlice<UInt8>) -> Bool

  package init(
    _ partner: NetlinkSocket.Partner, hearing groups: [Int32],
    matters: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in true }
  ) throws(Fault) {
    socket = try NetlinkSocket(partner, hearing: groups)
    self.matters = matters
  }

  package var number: Int32 { socket.number }

  package func take() -> Bool {
    var block = [UInt8](repeating: 0, count: 16_384)
    var isNews = false
    // Bounded: in a storm the next round takes the rest.
    for _ in 0..<256 {
      switch socket.receive(into: &block) {
      // A program's message is passed over as if there were none; what lies behind it comes in the next round.
      case .nothing, .failed: return isNews
      case .lost: isNews = true
      case .datagram(let count): isNews = matters(block[..<count]) || isNews
      }
    }
    return true
  }
}

extension NetlinkNews {
  /// Links, addresses and routes.
  package static func network() throws(Fault) -> NetlinkNews {
    try NetlinkNews(
      .routes,
      hearing: [
        NetlinkNumber.linkGroup, NetlinkNumber.address4Group, NetlinkNumber.route4Group,
        NetlinkNumber.address6Group, NetlinkNumber.route6Group,
      ])
  }

  package static func powerSupplies() throws(Fault) -> NetlinkNews { try events(of: "power_supply") }

  /// Sensors of voltages and temperatures.
  package static func hardwareMonitors() throws(Fault) -> NetlinkNews { try events(of: "hwmon") }

  private static func events(of subsystem: String) throws(Fault) -> NetlinkNews {
    try NetlinkNews(.kernelEvents, hearing: [NetlinkNumber.kernelEvents]) { KernelEvent($0)?.subsystem == subsystem }
  }
}
