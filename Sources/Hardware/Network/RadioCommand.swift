import Runtime

/// What changes a radio. The kernel hears it only from who may change networks, which the player may not: it is for
/// units of root's that do one thing and end.
package enum RadioCommand {
  /// The rules of this country hold from now on, for every radio.
  package static func setCountry(_ code: String) throws(Fault) {
    guard let family = try NetworkSurroundings().wirelessFamily() else { return }
    _ = try NetlinkSocket.ask(.generic, country(family, code))
  }

  /// Each radio looks around for networks. One that is busy with that already does so anyway.
  package static func lookAround() throws(Fault) {
    guard let family = try NetworkSurroundings().wirelessFamily() else { return }
    let radios = Wireless.clients(in: try NetlinkSocket.ask(.generic, Wireless.interfaces(family)))
    for index in radios.keys.sorted().prefix(4) {
      do throws(Fault) { _ = try NetlinkSocket.ask(.generic, scan(family, by: index)) } catch {
        Log("radio").info("a radio does not look around", ["index": index, "reason": error.message])
      }
    }
  }

  /// For networks of any name; without one the radio would only listen.
  static func scan(_ family: UInt16, by index: UInt32) -> NetlinkRequest {
    var device: [UInt8] = []
    device.write(index)
    return NetlinkRequest(
      type: family, listsAll: false,
      body: [33, 1, 0, 0] + NetlinkRequest.attribute(3, device)
        + NetlinkRequest.attribute(45, NetlinkRequest.attribute(1, [])))
  }

  static func country(_ family: UInt16, _ code: String) -> NetlinkRequest {
    NetlinkRequest(
      type: family, listsAll: false, body: [27, 1, 0, 0] + NetlinkRequest.attribute(33, Array(code.utf8) + [0]))
  }
}
