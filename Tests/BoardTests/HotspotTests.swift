import Runtime
import TestSupport
import Testing
import VirtualBoard

/// From a board without any file to Wi-Fi joined, by a telephone. Radio 0 is the owner's access point, the last radio the
/// telephone in a name space of its own, and what is between them the board's.
@Suite("The hotspot on the board", .enabled(if: Board.isWanted, Board.whyNot))
struct HotspotTests {
  private static let password = "a good password"

  @Test("is begun on the panel, and a telephone that reads its code sets up Wi-Fi on its page; then nothing listens")
  func firstSetup() async throws {
    try await Board.with(.playing) { board in
      // Longer than an emulator needs for all of this.
      try board.layby("repeat", "all")
      try board.roadAndTelephone(password: Self.password)
      let before = try board.listeners()
      try board.press(.knob, for: 900)
      for row in ["Settings", "Wi-Fi", "Set up by phone", "Start"] { try board.choose(row) }
      try board.waitUntilThePanelSays("WIFI:T:WPA;S:Layby-", within: .seconds(240))
      let code = try board.panelWords
      let name = try #require(code.part(from: "S:", to: ";")), secret = try #require(code.part(from: "P:", to: ";"))
      #expect(try board.layby("wifi")["wifi"]?["state"] == "hotspot")
      #expect(try board.plays)

      try board.telephoneJoins(name, secret)
      // The first question starts what answers, and a telephone asks again.
      try board.waitUntil("a name is answered", within: .seconds(120), every: .seconds(1)) { () throws(Fault) in
        try board.telephoneAsks(for: "captive.example").hasSuffix("10 86 86 1")
      }
      let listed = try Listener.listed()
      for one in try board.listeners().subtracting(before) where one.port < 32_768 {
        #expect(listed.contains(one), "\(one) listens and is not in image/README.md")
      }
      // As telephones look whether there is a page to be seen first.
      let probe = try board.telephoneFetches("GET /generate_204 HTTP/1.1", host: "connectivitycheck.example")
      #expect(probe.hasPrefix("HTTP/1.1 302") && probe.contains("Location: http://10.86.86.1/"), "\(probe)")
      let page = try board.telephoneFetches("GET / HTTP/1.1")
      #expect(page.contains("Roadside") && page.contains("<form"), "\(page)")
      // Nobody comes to it but by the hotspot, not even from the board itself.
      #expect(try board.shell("timeout 5 socat -u TCP4:10.86.86.1:80,connect-timeout=3 -").code != 0)

      let token = try #require(page.part(from: "name=\"token\" value=\"", to: "\""))
      let number = try #require(page.number(ofNetwork: "Roadside"), "\(page)")
      let answer = try board.telephoneSends("token=\(token)&network=\(number)&name=&password=a+good+password")
      #expect(answer.contains("Roadside") && !answer.contains("class=\"wrong\""), "\(answer)")
      try board.waitUntil("it has joined", within: .seconds(240), every: .seconds(2)) { () throws(Fault) in
        let wifi = try board.layby("wifi")
        return wifi["wifi"]?["address"]?.string?.hasPrefix("192.168.78.") == true && wifi["hotspot"]?["state"] == "off"
      }
      #expect(try board.layby("wifi")["wifi"]?["network"]?.string == "Roadside")
      let gone = try board.listeners()
      #expect(!gone.contains { [53, 67, 80].contains($0.port) && !before.contains($0) }, "\(gone)")
      #expect(try board.shell("test -e /run/layby-page").code != 0)
      #expect(try board.says("systemctl is-active layby-hotspot layby-page.socket || true") == "inactive\ninactive")
      let log = try board.says("journalctl -b --no-pager -o cat")
      #expect(!log.contains(secret) && !log.contains(Self.password))
      #expect(try board.says("stat -c '%U %a' /data/network/wifi.conf") == "root 600")
      #expect(try board.plays)
    }
  }

  @Test(
    "its page can be read and used in Chromium, at a telephone's screen size",
    .enabled(if: Board.isLong, Board.whyNotLong))
  func browser() async throws {
    let folder = TempFolder()
    try await Board.with(.playing) { board in
      _ = try board.hotspotWithTelephone(roadside: Self.password)
      try board.layCable(into: "phone")
      let road = "TCP4-LISTEN:\(VirtualBoard.portInSpace),fork TCP4:10.86.86.1:80"
      try board.says("(ip netns exec phone setsid socat \(road) >/dev/null 2>&1 </dev/null &)")
      let said = folder.path / "said"
      let browser = "\(Board.top)/Tests/lib/telephone-browser.py", port = "\(try board.forwardedPort())"
      try Spawned.run(
        ["python3", browser, port, "\(folder.path)", "Roadside", Self.password], output: said, within: .seconds(300))
      let seen = try JSON(parsing: try AtomicFile.read(said, limit: 1 << 20))
      // It asked for another page, and was sent to the hotspot's.
      #expect(seen["page"] == "http://10.86.86.1/", "\(seen)")
      #expect(seen["networks"]?.items?.first == "Roadside", "\(seen)")
      // As wide as the screen, and no row too low for a finger.
      #expect(seen["width"] == 390 && seen["lowest"]?.double ?? 0 >= 40, "\(seen)")
      #expect(seen["mistake"]?.string?.contains("password") == true, "\(seen)")
      #expect(seen["goodbye"]?.string?.contains("Roadside") == true, "\(seen)")
      #expect(seen["complaints"] == [], "\(seen)")
      try board.waitUntil("it has joined", within: .seconds(240), every: .seconds(2)) { () throws(Fault) in
        try board.layby("wifi")["wifi"]?["address"]?.string?.hasPrefix("192.168.78.") == true
      }
      #expect(try board.plays)
    }
  }

  @Test("comes back with the reason when the password was wrong, and ends when it is called off")
  func wrongPassword() async throws {
    try await Board.with(.playing) { board in
      let first = try board.hotspotWithTelephone(roadside: Self.password)
      let token = try #require(try board.telephoneFetches("GET / HTTP/1.1").part(from: "token\" value=\"", to: "\""))
      let answer = try board.telephoneSends("token=\(token)&network=other&name=Roadside&password=another+password")
      #expect(answer.contains("Roadside"), "\(answer)")
      try board.waitUntil("it has ended", within: .seconds(120)) { () throws(Fault) in
        try board.layby("wifi")["hotspot"]?["state"] != "on"
      }
      let second = try board.waitUntilTheHotspotIsOn(within: .seconds(400))
      #expect(second.name == first.name && second.password == first.password, "a telephone does not know it again")
      try board.waitUntil("the telephone comes back by itself", within: .seconds(120), every: .seconds(2)) {
        () throws(Fault) in try board.telephoneFetches("GET / HTTP/1.1").contains("refuses the password")
      }
      try board.layby("wifi", "hotspot", "off")
      try board.waitUntil("it is off", within: .seconds(60)) { () throws(Fault) in
        try board.layby("wifi")["hotspot"]?["state"] == "off"
      }
      #expect(try !board.listeners().contains { $0.port == 80 || $0.port == 67 })
      #expect(try board.plays)
    }
  }
}

extension VirtualBoard {
  fileprivate func waitUntilTheHotspotIsOn(
    within limit: Duration = .seconds(240)
  ) throws(Fault) -> (name: String, password: String) {
    var hotspot: JSON?
    try waitUntil("the hotspot is on", within: limit, every: .seconds(1)) { () throws(Fault) in
      hotspot = try layby("wifi")["hotspot"]
      return hotspot?["state"] == "on"
    }
    return (hotspot?["name"]?.string ?? "", hotspot?["password"]?.string ?? "")
  }

  /// The hotspot is on, and the telephone has joined it.
  fileprivate func hotspotWithTelephone(roadside password: String) throws(Fault) -> (name: String, password: String) {
    // Longer than an emulator needs for all of this.
    try layby("repeat", "all")
    try roadAndTelephone(password: password)
    // Later it cannot look around, and its page lists what was seen.
    try waitUntil("the owner's network is seen", within: .seconds(90), every: .seconds(2)) { () throws(Fault) in
      try layby("wifi", "look")["networks"]?.items?.contains { $0["name"]?.string == "Roadside" } == true
    }
    try layby("wifi", "hotspot", "on")
    let hotspot = try waitUntilTheHotspotIsOn()
    try telephoneJoins(hotspot.name, hotspot.password)
    return hotspot
  }

  /// The owner's network, and a third radio as a telephone.
  fileprivate func roadAndTelephone(password: String) throws(Fault) {
    try says("modprobe mac80211_hwsim radios=3; udevadm settle")
    try accessPointUp(name: "Roadside", password: password)
    try givesAddresses(on: "wlan", network: "192.168.78")
    try says(
      """
      set -e
      ip netns add phone
      iw phy $(ls /sys/class/ieee80211 | sort -V | tail -n 1) set netns name phone
      ip netns exec phone ip link set lo up
      """)
    try writeFile("/run/telephone", Self.telephone)
    try says("chmod 755 /run/telephone")
  }

  fileprivate func telephoneJoins(_ name: String, _ password: String) throws(Fault) {
    var said = ""
    do throws(Fault) {
      try says("bash /run/telephone join \(Self.quoted(name)) \(Self.quoted(password))")
      try waitUntil("the telephone has an address", within: .seconds(180), every: .seconds(2)) { () throws(Fault) in
        said = try shell("bash /run/telephone address").line
        return said.hasPrefix("10.86.86.")
      }
    } catch {
      let log = try shell("tail -n 20 /run/telephone.log; journalctl -b -n 30 --no-pager -o cat")
      throw Fault(error.kind, error.code, "\(error.message)\n\(said)\n\(log.text)")
    }
  }

  /// The last bytes of the answer, in decimal digits.
  fileprivate func telephoneAsks(for name: String) throws(Fault) -> String {
    let question = name.split(separator: ".").map { "\\x0\(String($0.utf8.count, radix: 16))\($0)" }.joined()
    return try shell("bash /run/telephone ask '\(question)'").line.split(separator: " ").joined(separator: " ")
  }

  fileprivate func telephoneFetches(_ line: String, host: String = "10.86.86.1") throws(Fault) -> String {
    try writeFile("/run/request", "\(line)\r\nHost: \(host)\r\n\r")
    return try shell("bash /run/telephone fetch").text
  }

  fileprivate func telephoneSends(_ form: String) throws(Fault) -> String {
    try writeFile(
      "/run/request",
      "POST /join HTTP/1.1\r\nHost: 10.86.86.1\r\nOrigin: http://10.86.86.1\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.utf8.count)\r\n\r\n\(form)")
    return try shell("bash /run/telephone fetch").text
  }

  private static let telephone = """
    #!/bin/bash
    # A telephone in the name space "phone": joins a network, asks for an address, a name and a page.
    device=$(ip netns exec phone ls /sys/class/net | grep wl)
    mac=$(ip netns exec phone cat /sys/class/net/$device/address | tr -d :)
    zeros() { printf '00%.0s' $(seq "$1"); }
    # One packet to whoever gives addresses, and the answer as digits.
    boot() {
      local text=01010600aabbccdd00008000$(zeros 16)$mac$(zeros 202)63825363$1ff$(zeros 20)
      printf "$(printf %s "$text" | sed 's/../\\\\x&/g')" | ip netns exec phone timeout 10 socat -T 4 - \\
        UDP4-DATAGRAM:255.255.255.255:67,bind=0.0.0.0:68,broadcast,so-bindtodevice=$device | head -c 576 |
        od -An -v -tx1 | tr -d ' \\n'
    }
    case $1 in
      join)
        printf '%s\\n' ctrl_interface=/run/telephone.d 'network={' "ssid=\\"$2\\"" "psk=\\"$3\\"" '}' >/run/telephone.conf
        ip netns exec phone wpa_supplicant -B -D nl80211 -i $device -c /run/telephone.conf -f /run/telephone.log
        ;;
      address)
        offer=$(boot 350101)
        [ ${#offer} -ge 480 ] || exit 1
        given=$(boot "3501033204${offer:32:8}36040a565601")
        [ "${given:480:6}" = 350105 ] || { printf '%s\\n' "${given:480:40}"; exit 1; }
        address=$(printf '%d.%d.%d.%d' 0x${given:32:2} 0x${given:34:2} 0x${given:36:2} 0x${given:38:2})
        ip netns exec phone ip address replace $address/24 dev $device
        printf '%s\\n' $address
        ;;
      ask)
        printf "\\x12\\x34\\x01\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00$2\\x00\\x00\\x01\\x00\\x01" |
          ip netns exec phone timeout 10 socat -T 5 - UDP4:10.86.86.1:53 | tail -c 4 | od -An -tu1
        ;;
      fetch) ip netns exec phone timeout 20 socat -t 15 - TCP4:10.86.86.1:80,connect-timeout=10 </run/request ;;
    esac
    """
}

extension String {
  /// What stands behind the first and before the next of two texts.
  fileprivate func part(from start: String, to end: Character) -> String? {
    guard let place = indices.first(where: { self[$0...].hasPrefix(start) }) else { return nil }
    return String(self[index(place, offsetBy: start.count)...].prefix { $0 != end })
  }

  /// By its row of the page: `value="3"...> <bdi>NAME`.
  fileprivate func number(ofNetwork name: String) -> Int? {
    let row = split(separator: "\n").first { $0.contains("<bdi>\(name)</bdi>") }
    return row.flatMap { String($0).part(from: "value=\"", to: "\"") }.flatMap { Int($0) }
  }
}
