import Glibc
import Runtime

/// Where the state of the network is read: netlink for addresses and routes, folders below /sys/class/net for the kind of
/// each device. Tests replace both.
package struct NetworkSurroundings: Sendable {
  package var devices = FilePath("/sys/class/net")
  package var ask: @Sendable (NetlinkSocket.Partner, NetlinkRequest) throws(Fault) -> [NetlinkMessage] = {
    (partner, request) throws(Fault) in try NetlinkSocket.ask(partner, request)
  }
  package var news: @Sendable () throws(Fault) -> any KernelNews = { () throws(Fault) in try NetlinkNews.network() }

  /// More of each are not looked at.
  static let most = 1_024

  package init() {}

  /// Waits for the kernel and perhaps for drivers, so never on the main loop. Without a radio it costs three questions.
  package func read() throws(Fault) -> NetworkReading {
    let links = try ask(.routes, .links).prefix(Self.most).compactMap { LinkFacts($0) }
    let addresses = try ask(.routes, .addresses).prefix(Self.most).compactMap { AddressFacts($0) }
    let routes = try ask(.routes, .routes).compactMap { DefaultRoute($0) }
    var marks: [UInt32: LinkMarks] = [:]
    for link in links where !link.isLoopback { marks[link.index] = self.marks(of: link.name) }
    let hasRadio = marks.values.contains { $0.isWireless }
    return NetworkReading(
      links: links, addresses: addresses, routes: Array(routes.prefix(Self.most)), marks: marks,
      wireless: hasRadio ? wireless() : [:])
  }

  // MARK: Radios

  /// A radio about which nothing can be learned is a radio all the same.
  private func wireless() -> [UInt32: WirelessFacts] {
    guard let family = Wireless.familyNumber(in: answer(Wireless.family)) else { return [:] }
    var facts: [UInt32: WirelessFacts] = [:]
    for (index, name) in Wireless.clients(in: answer(Wireless.interfaces(family))).prefix(16) {
      guard var found = Wireless.connection(in: answer(Wireless.stations(family, of: index))) else { continue }
      let joined = Wireless.joined(in: answer(Wireless.seen(family, by: index)))
      found.ssid = joined?.ssid ?? name
      found.dBm = found.dBm ?? joined?.dBm
      facts[index] = found
    }
    return facts
  }

  /// The kernel's number for messages about Wi-Fi. It has none before the first radio has come.
  func wirelessFamily() throws(Fault) -> UInt16? {
    do throws(Fault) { return Wireless.familyNumber(in: try ask(.generic, Wireless.family)) } catch {
      if error.kind == .missing { return nil }
      throw error
    }
  }

  private func answer(_ request: NetlinkRequest) -> [NetlinkMessage] {
    do throws(Fault) { return try ask(.generic, request) } catch { return [] }
  }

  // MARK: Folders

  private func marks(of name: String) -> LinkMarks {
    let folder = devices / name
    var marks = LinkMarks()
    marks.isWireless = isThere(folder / "wireless") || isThere(folder / "phy80211")
    marks.hasDevice = isThere(folder / "device")
    marks.driver = linkName(folder / "device/driver")
    let key = Array("DEVTYPE=".utf8)
    for line in lines(folder / "uevent") where line.starts(with: key) {
      marks.deviceType = String(decoding: line.dropFirst(key.count), as: UTF8.self)
    }
    return marks
  }

  private func isThere(_ path: FilePath) -> Bool { path.withCString { access($0, F_OK) } == 0 }

  private func lines(_ path: FilePath) -> [ArraySlice<UInt8>] {
    // Not there: it is being unplugged.
    do throws(Fault) { return try AtomicFile.read(path, limit: 4_096).split(separator: 0x0A) } catch { return [] }
  }

  /// What the link is called that it leads to; empty when it is none.
  private func linkName(_ path: FilePath) -> String {
    var space = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = path.withCString { readlink($0, &space, space.count - 1) }
    let bytes = space.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed(), as: UTF8.self)
  }
}
