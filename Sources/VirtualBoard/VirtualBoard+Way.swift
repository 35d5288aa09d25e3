import Runtime

/// A way out, over the air: who joins the board's access point reaches a server of this computer behind it.
extension VirtualBoard {
  /// The server's address, as the board sees it.
  package static let server = "192.0.2.1"
  private static let card = "52:54:00:6c:61:7a"

  /// The access point comes up with the server at `port` behind it. The cable in between is plugged in once a power-on.
  package func wayUp(toPort port: Int) throws(Fault) {
    try accessPointUp()
    if try shell("test -e /run/way").code != 0 { try layCable() }
    try says(
      """
      set -e
      radio=$(ip netns exec ap ls /sys/class/net | grep wl | head -n 1)
      ip -n ap addr replace \(Self.server)/24 dev $radio
      """)
    try start(
      "exec ip netns exec ap socat TCP-LISTEN:80,bind=\(Self.server),fork,reuseaddr TCP:10.0.2.2:\(port)",
      into: "/tmp/way")
  }

  /// The radio's carrier is gone, and with it whatever was on its way.
  package func wayDown() throws(Fault) {
    try accessPointDown()
    try says("pkill -x socat; while pidof socat > /dev/null; do sleep 0.1; done")
  }

  /// As whoever looks after the network on a board would do it.
  package func joinWay() throws(Fault) {
    let radio = try radio()
    try says("ip link set \(radio) up")
    // It tries once: a point that is only just coming up is not found.
    try waitUntil("the radio has joined", every: .seconds(1)) { () throws(Fault) in
      try shell("iw dev \(radio) link | grep -q 'SSID: Layby' || { iw dev \(radio) connect Layby; false; }").code == 0
    }
    try says("ip addr replace 192.0.2.2/24 dev \(radio); ip route replace default via \(Self.server)")
  }

  /// The emulator's own network, whose 10.0.2.2 is this computer, ends in the access point's.
  private func layCable() throws(Fault) {
    let qmp = try machine.qmp
    try qmp.ask("netdev_add", ["type": "user", "id": "way"])
    try qmp.ask(
      "device_add",
      ["driver": "virtio-net-pci", "netdev": "way", "id": "cable", "mac": JSON(Self.card), "romfile": ""])
    try waitUntil("the cable is there") { () throws(Fault) in
      try shell("grep -q \(Self.card) /sys/class/net/*/address").code == 0
    }
    try says(
      """
      set -e
      cable=$(basename $(dirname $(grep -l \(Self.card) /sys/class/net/*/address)))
      ip link set $cable netns ap
      ip -n ap link set lo up
      ip -n ap link set $cable up
      ip -n ap addr add 10.0.2.15/24 dev $cable
      : > /run/way
      """)
  }
}
