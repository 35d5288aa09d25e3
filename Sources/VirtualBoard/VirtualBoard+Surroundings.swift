import Runtime

/// What happens around the board: sticks, a battery, a network that comes and goes.
extension VirtualBoard {
  // MARK: Sticks

  package func plugStick(_ image: FilePath, readOnly: Bool = false) throws(Fault) -> Int {
    let number = (sticks.max() ?? 0) + 1
    try machine.qmp.ask("object-add", ["qom-type": "throttle-group", "id": JSON("speed\(number)")])
    try machine.qmp.ask(
      "blockdev-add",
      [
        "node-name": JSON("stick\(number)"), "driver": "throttle", "throttle-group": JSON("speed\(number)"),
        "read-only": JSON(readOnly),
        "file": [
          "driver": "raw", "read-only": JSON(readOnly), "file": ["driver": "file", "filename": JSON(path: image)],
        ],
      ])
    try machine.qmp.ask(
      "device_add",
      [
        "driver": "usb-storage", "id": JSON("usb\(number)"), "drive": JSON("stick\(number)"), "bus": "xhci.0",
        "removable": true, "serial": JSON("STICK\(number)"),
      ])
    sticks.insert(number)
    return number
  }

  package func pullStick(_ number: Int) throws(Fault) {
    let qmp = try machine.qmp
    try qmp.ask("device_del", ["id": JSON("usb\(number)")])
    try qmp.event("DEVICE_DELETED") { $0["data"]?["device"]?.string == "usb\(number)" }
    sticks.remove(number)
    // Requests that were under way may hold it a little longer.
    let until = Moment.now + .seconds(10)
    while true {
      do throws(Fault) {
        try qmp.ask("blockdev-del", ["node-name": JSON("stick\(number)")])
        try qmp.ask("object-del", ["id": JSON("speed\(number)")])
        return
      } catch {
        guard Moment.now < until else { throw error }
        _ = Waiting.poll(until: .now + .milliseconds(50)) { false }
      }
    }
  }

  /// So many requests a second from now on; nil is as fast as it can.
  package func slowStick(_ number: Int, to requests: Int?) throws(Fault) {
    try machine.qmp.ask(
      "qom-set",
      [
        "path": JSON("/objects/speed\(number)"), "property": "limits",
        "value": ["iops-total": JSON(requests ?? 0)],
      ])
  }

  // MARK: Power supplies

  package func setBattery(percent: Int, charging: Bool = false) throws(Fault) {
    try setSupply("battery_status", charging ? "charging" : "discharging")
    try setSupply("battery_capacity", "\(percent)")
  }

  package func setCharger(on: Bool) throws(Fault) { try setSupply("ac_online", on ? "on" : "off") }

  private func setSupply(_ parameter: String, _ value: String) throws(Fault) {
    try says("modprobe test_power && echo \(value) > /sys/module/test_power/parameters/\(parameter)")
  }

  // MARK: Network

  /// Pulls the cable out of the board's own socket, for good.
  package func pullCable() throws(Fault) {
    hasCable = false
    try machine.qmp.ask("set_link", ["name": "net", "up": false])
  }

  /// Radio 0 becomes an access point in a network of its own, radio 1 stays the board's.
  /// Open to everybody when there is no password.
  package func accessPointUp(name: String = "Layby", password: String? = nil) throws(Fault) {
    let lock = password.map { "wpa=2 wpa_key_mgmt=WPA-PSK rsn_pairwise=CCMP wpa_passphrase=\(Self.quoted($0))" } ?? ""
    try says(
      """
      set -e
      [ -d /sys/module/mac80211_hwsim ] || { modprobe mac80211_hwsim radios=2; udevadm settle; }
      ip netns list | grep -q '^ap' || {
        ip netns add ap
        phy=$(ls /sys/class/ieee80211 | sort -V | head -n 1)
        iw phy $phy set netns name ap
      }
      radio=\(Self.accessPointRadio)
      printf '%s\n' interface=$radio driver=nl80211 ssid=\(Self.quoted(name)) hw_mode=g channel=1 \
        \(lock) > /run/hostapd.conf
      ip netns exec ap hostapd -B -P /run/hostapd.pid /run/hostapd.conf
      """)
  }

  package func accessPointDown() throws(Fault) {
    try says("kill $(cat /run/hostapd.pid) && while [ -e /run/hostapd.pid ]; do sleep 0.1; done")
  }

  /// In the shell of the guest: the radio of the access point.
  package static let accessPointRadio = "$(ip netns exec ap ls /sys/class/net | grep ^wl | head -n 1)"

  /// The board's own radio, once there is one.
  package func radio() throws(Fault) -> String { try says("ls /sys/class/net | grep wl | head -n 1") }
}
