import Runtime
import TestSupport
import Testing
import VirtualBoard

/// What the image does by itself with a network: addresses, names and the time. A second name space of the guest is the
/// network: `dnsmasq` gives addresses and answers to names there, and a script gives the time.
@Suite("Network and clock on the board", .enabled(if: Board.isWanted, Board.whyNot))
struct NetworkTests {
  @Test("a cable gives an address and names; nothing listens but what image/README.md lists")
  func cable() async throws {
    try await Board.with(.playing) { board in
      // Longer than an emulator needs for all of this.
      try board.layby("repeat", "all")
      try board.cableIn()
      try board.waitUntilOnline("lan0", "192.168.77.")
      #expect(try board.says("getent hosts music.example | cut -d' ' -f1") == "192.168.77.9")
      // The board has a name for who is beside it.
      let asked = try board.namedByMulticast("layby.local")
      #expect(asked.contains("192.168.77."), "\(asked)")
      let listed = try Listener.listed()
      let found = try board.listeners()
      #expect(!listed.isEmpty && !found.isEmpty)
      // Who asks for the time or a name does so from some high port, and hears only whom it asked.
      let asking = found.filter { $0.protocolName == "udp" && $0.port >= 32_768 }
      #expect(asking.allSatisfy { ["systemd-timesyn", "systemd-resolve"].contains($0.program) }, "\(asking)")
      for one in found.subtracting(asking) {
        #expect(listed.contains(one), "\(one) listens and is not in image/README.md")
      }
      #expect(found.contains(Listener(protocolName: "udp", port: 5353, program: "systemd-resolve")), "\(found)")
      #expect(try board.plays)
    }
  }

  @Test(
    "the time comes from the network, also when a line appears late, and from the owner's servers",
    .enabled(if: Board.isLong, Board.whyNotLong))
  func time() async throws {
    try await Board.with(.playing) { board in
      // Longer than an emulator needs for all of this.
      try board.layby("repeat", "all")
      try board.says("date -s 2001-01-01")
      try board.cableIn()
      try board.timeServerUp(year: 2031)
      try board.waitUntil("the clock is right", within: .seconds(120)) { () throws(Fault) in
        try board.says("date +%Y") == "2031"
      }
      // Over a restart of the service it is known where the clock was.
      #expect(try board.says("stat -c %U /data/clock/clock") == "systemd-timesync")
      try board.says("printf '[clock]\\nservers = 192.168.77.1\\n' > /data/layby.conf && chmod 644 /data/layby.conf")
      try board.waitUntil("the servers are taken up", within: .seconds(30)) { () throws(Fault) in
        try board.shell("cat /run/systemd/timesyncd.conf.d/servers.conf").text.contains("NTP=192.168.77.1")
      }
      #expect(try board.plays)
    }
  }

  @Test("a network that is chosen by `layby wifi` is joined, gives an address, and is forgotten again")
  func radio() async throws {
    try await Board.with(.playing) { board in
      // Longer than an emulator needs for all of this.
      try board.layby("repeat", "all")
      try board.accessPointUp(name: "Roadside", password: "a good password")
      try board.givesAddresses(on: "wlan", network: "192.168.78")
      let radio = try board.radio()
      // Somebody who cannot wait.
      try board.says("for n in $(seq 25); do layby wifi look >/dev/null; done")
      #expect(try board.says("systemctl is-active layby-look.path") == "active")
      try board.waitUntil("it is seen", within: .seconds(90), every: .seconds(2)) { () throws(Fault) in
        let networks = try board.layby("wifi", "look")["networks"]?.items ?? []
        return networks.contains { $0["name"]?.string == "Roadside" && $0["locked"] == true }
      }
      try board.layby("wifi", "join", "Roadside", "a good password")
      try board.waitUntilOnline(radio, "192.168.78.")
      try board.waitUntil("the player knows it", within: .seconds(60)) { () throws(Fault) in
        let wifi = try board.layby("wifi")["wifi"]
        return wifi?["network"]?.string == "Roadside" && wifi?["address"]?.string?.hasPrefix("192.168.78.") == true
      }
      #expect(try !board.says("journalctl -b --no-pager -o cat").contains("a good password"))
      try board.layby("wifi", "forget")
      try board.waitUntil("it has left", within: .seconds(60)) { () throws(Fault) in
        try board.layby("wifi")["wifi"]?["state"] == "not joined"
      }
      #expect(try board.shell("test -e /data/network/wifi.conf").code != 0)
      #expect(try board.plays)
    }
  }

  @Test("a radio is switched on whenever it comes, also when several come at once")
  func radiosComeAndGo() async throws {
    try await Board.with(.playing) { board in
      for round in 1...8 {
        try board.says("modprobe mac80211_hwsim radios=4; udevadm settle")
        try board.waitUntil("all four are on, the time \(round)", within: .seconds(30)) { () throws(Fault) in
          try board.says("ip -o link show up | grep -c wlan || true") == "4"
        }
        try board.says("modprobe -r mac80211_hwsim; udevadm settle")
      }
    }
  }

  @Test("wishes that come too often for systemd are heard again later, without a new start of the board")
  func manyWishes() async throws {
    try await Board.with(.playing) { board in
      let wish = "/run/layby/look-for-networks"
      try board.says(
        """
        set -e
        mkdir -p /run/systemd/system/layby-look.service.d
        printf '[Unit]\\nStartLimitBurst=3\\n' > /run/systemd/system/layby-look.service.d/few.conf
        systemctl daemon-reload
        """)
      try board.waitUntil("systemd gives it up", within: .seconds(60)) { () throws(Fault) in
        try board.shell("touch \(wish); systemctl is-failed layby-look.path").line == "failed"
      }
      try board.waitUntil("it is heard", within: .seconds(180), every: .seconds(2)) { () throws(Fault) in
        try board.shell("test -e \(wish) || systemctl is-active layby-look.path").line == "active"
      }
    }
  }

  @Test("a wrong password, and a network that gives no address, are told in words")
  func refused() async throws {
    try await Board.with(.playing) { board in
      // Longer than an emulator needs for all of this.
      try board.layby("repeat", "all")
      try board.accessPointUp(name: "Roadside", password: "a good password")
      try board.layby("wifi", "join", "Roadside", "another password")
      try board.waitUntil("it is told", within: .seconds(150)) { () throws(Fault) in
        try board.layby("wifi")["wifi"]?["state"] == "refused: password"
      }
      try board.layby("wifi", "join", "Roadside", "a good password")
      try board.waitUntil("it has no address", within: .seconds(90)) { () throws(Fault) in
        try board.layby("wifi")["wifi"]?["state"] == "no address"
      }
    }
  }

  @Test(
    "a captive portal is reported until somebody has passed it",
    .enabled(if: Board.isLong, Board.whyNotLong))
  func portal() async throws {
    try await Board.with(.playing) { board in
      // Longer than an emulator needs for all of this.
      try board.layby("repeat", "all")
      // A board with a cable takes itself for online by that.
      try board.pullCable()
      try board.accessPointUp(name: "Hotel", password: "a good password")
      try board.givesAddresses(on: "wlan", network: "192.168.78")
      try board.says("ip -n ap address add 192.168.78.9/24 dev \(VirtualBoard.accessPointRadio)")
      try board.answerAllRequests("HTTP/1.1 200 OK", body: "<p>Room number?")
      try board.setProbe("http://music.example/check")
      try board.layby("wifi", "join", "Hotel", "a good password")
      try board.waitUntil("the page is told", within: .seconds(150), every: .seconds(1)) { () throws(Fault) in
        try board.layby("wifi")["wifi"]?["state"] == "portal"
      }
      // Somebody has seen it, with a telephone.
      try board.answerAllRequests("HTTP/1.1 204 No Content")
      try board.waitUntil("it is online", within: .seconds(120), every: .seconds(1)) { () throws(Fault) in
        try board.layby("wifi")["wifi"]?["state"] == "online"
      }
      #expect(try board.plays)
    }
  }

  @Test(
    "an IPv6-only network gives an address, names and the internet",
    .enabled(if: Board.isLong, Board.whyNotLong))
  func versionSix() async throws {
    try await Board.with(.playing) { board in
      // Longer than an emulator needs for all of this.
      try board.layby("repeat", "all")
      // A cable would go before the radio.
      try board.pullCable()
      try board.accessPointUp(name: "Roadside", password: "a good password")
      try board.says(
        """
        set -e
        device=\(VirtualBoard.accessPointRadio)
        ip netns exec ap ip -6 address add fd78::1/64 dev $device nodad
        ip netns exec ap ip -6 address add fd78::9/64 dev $device nodad
        ip netns exec ap dnsmasq --conf-file=/dev/null --no-resolv --no-hosts --user=root --pid-file= \
          --interface=$device --bind-interfaces --enable-ra --dhcp-range=fd78::,ra-stateless,64 \
          --dhcp-option=option6:dns-server,[fd78::1] --address=/music.example/fd78::9 \
          --dhcp-leasefile=/run/leases-six
        """)
      try board.answerAllRequests("HTTP/1.1 204 No Content")
      try board.setProbe("http://music.example/check")
      try board.layby("wifi", "join", "Roadside", "a good password")
      try board.waitUntilOnline(try board.radio(), "fd78:")
      try board.waitUntil("it is online", within: .seconds(150), every: .seconds(1)) { () throws(Fault) in
        let wifi = try board.layby("wifi")["wifi"]
        return wifi?["state"] == "online" && wifi?["address"]?.string?.hasPrefix("fd78:") == true
      }
      #expect(try board.says("getent ahosts music.example | cut -d' ' -f1 | sort -u") == "fd78::9")
      #expect(try board.plays)
    }
  }

  @Test("with the country of the owner the radio obeys its rules")
  func country() async throws {
    try await Board.with(.playing) { board in
      // Longer than an emulator needs for all of this.
      try board.layby("repeat", "all")
      try board.accessPointUp(name: "Roadside")
      try board.says("printf '[network]\\ncountry = DE\\n' > /data/layby.conf && chmod 644 /data/layby.conf")
      try board.waitUntil("the rules are those of Germany", within: .seconds(30)) { () throws(Fault) in
        try board.says("iw reg get | head -n 3").contains("country DE")
      }
    }
  }
}

/// What waits for somebody from outside.
struct Listener: Hashable, CustomStringConvertible {
  let protocolName: String
  let port: Int
  let program: String

  var description: String { "\(protocolName) \(port) \(program)" }

  /// The rows of the table in image/README.md: | protocol | port | program | ...
  static func listed() throws -> Set<Listener> {
    let page = String(decoding: try AtomicFile.read(Board.top / "image/README.md", limit: 1_000_000), as: UTF8.self)
    let rows = page.split(separator: "\n").map { $0.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } } }
    return Set(
      rows.flatMap { cells -> [Listener] in
        guard cells.count >= 3, cells[0] == "udp" || cells[0] == "tcp", let port = Int(cells[1]) else { return [] }
        return cells[2].split(separator: ",").map {
          Listener(protocolName: cells[0], port: port, program: String($0))
        }
      })
  }
}

extension VirtualBoard {
  /// A cable to a network of its own, `lan`, with a server for addresses and names at 192.168.77.1.
  func cableIn() throws(Fault) {
    try says(
      """
      set -e
      ip netns add lan
      ip link add lan0 type veth peer name plug netns lan
      ip netns exec lan ip link set lo up
      """)
    // It stands for a card, and cards have no kind.
    try says(
      """
      set -e
      mkdir -p /run/systemd/network
      sed 's/^Type=ether/Name=lan0/; /^Kind=/d' /etc/systemd/network/20-wired.network > /run/systemd/network/10-lan.network
      systemctl restart systemd-networkd
      ip netns exec lan ip link set plug up
      """)
    try givesAddresses(on: "plug", space: "lan", network: "192.168.77")
  }

  /// `dnsmasq` on the device whose name begins so.
  func givesAddresses(on device: String, space: String = "ap", network: String) throws(Fault) {
    let found = "$(ip netns exec \(space) ls /sys/class/net | grep ^\(device == "wlan" ? "wl" : device) | head -n 1)"
    try says(
      """
      set -e
      device=\(found)
      ip netns exec \(space) ip address add \(network).1/24 dev $device
      ip netns exec \(space) dnsmasq --conf-file=/dev/null --no-resolv --no-hosts --user=root --pid-file= \
        --interface=$device --bind-interfaces --dhcp-range=\(network).50,\(network).90,1h \
        --dhcp-option=option:ntp-server,\(network).1 --address=/music.example/\(network).9 \
        --dhcp-leasefile=/run/leases-\(space)
      """)
  }

  /// The player is told by which page it finds out whether the internet is there.
  func setProbe(_ page: String) throws(Fault) {
    try says("printf '[network]\\nprobe = \(page)\\n' > /data/layby.conf && chmod 644 /data/layby.conf")
    try says("systemctl restart layby")
    try waitUntil("it plays again", within: .seconds(90)) { () throws(Fault) in try plays }
  }

  /// A web server at the access point that gives every request this answer, in the place of the one before.
  func answerAllRequests(_ line: String, body: String = "") throws(Fault) {
    // The file's last line gets its end when it is written.
    try writeFile("/run/answer", "\(line)\r\nConnection: close\r\n\r" + (body.isEmpty ? "" : "\n\(body)"))
    try says(
      """
      pkill -x socat
      while pidof socat >/dev/null; do sleep 0.1; done
      (ip netns exec ap setsid socat -t 2 TCP6-LISTEN:80,fork,reuseaddr,ipv6-v6only=0 \
        SYSTEM:'timeout 1 head -n 1 >/dev/null; cat /run/answer' >/dev/null 2>&1 </dev/null &)
      """)
  }

  /// A server for the time, which is wrong by years.
  func timeServerUp(year: Int) throws(Fault) {
    try writeFile(
      "/run/tell-time",
      """
      #!/bin/bash
      # Answers one question by NTP: it is the first of June of that year.
      exec 2>/dev/null
      asked=$(dd bs=48 count=1 status=none | od -An -v -tx1 | tr -d ' \\n')
      now=$(printf %08x $(($(date -u -d '\(year)-06-01' +%s) + 2208988800)))
      answer=24010600000000000000000074657374${now}00000000${asked:80:16}${now}00000000${now}00000000
      printf "$(printf %s "$answer" | sed 's/../\\\\x&/g')"
      """)
    try says("chmod 755 /run/tell-time")
    try says(
      "(ip netns exec lan setsid socat -T 2 UDP4-RECVFROM:123,fork EXEC:/run/tell-time >/dev/null 2>&1 </dev/null &)")
  }

  func writeFile(_ path: String, _ text: String) throws(Fault) {
    try says("cat > \(path) <<'ENDOFTEXT'\n\(text)\nENDOFTEXT")
  }

  func addresses(of device: String) throws(Fault) -> [String] {
    let lines = try says("ip -o address show dev \(device) scope global | awk '{ print $4 }'")
    return lines.split(separator: "\n").map(String.init)
  }

  func waitUntilOnline(_ device: String, _ beginning: String) throws(Fault) {
    do throws(Fault) {
      try waitUntil("\(device) has an address", within: .seconds(90)) { () throws(Fault) in
        try addresses(of: device).contains { $0.hasPrefix(beginning) }
      }
    } catch {
      let log = "journalctl -b -u systemd-networkd -n 20 --no-pager -o cat"
      let state = try shell("ip address show dev \(device); \(log)")
      throw Fault(error.kind, error.code, "\(error.message)\n\(state.text)")
    }
  }

  /// As a computer beside it asks: one question to everybody, and what came back as text.
  func namedByMulticast(_ name: String) throws(Fault) -> String {
    var question = "\\x00\\x00\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00"
    for part in name.split(separator: ".") {
      question += "\\x0\(String(part.utf8.count, radix: 16))\(part)"
    }
    question += "\\x00\\x00\\x01\\x80\\x01"
    try writeFile(
      "/run/ask",
      """
      #!/bin/bash
      printf '\(question)' | timeout 3 ip netns exec lan socat -T 2 - \
        UDP4-DATAGRAM:224.0.0.251:5353,ip-multicast-if=192.168.77.1 | tail -c 4 | od -An -tu1
      """)
    var numbers = ""
    try waitUntil("it answers to its name", within: .seconds(40)) { () throws(Fault) in
      numbers = try shell("bash /run/ask").text
      return numbers.split(separator: " ").count == 4
    }
    return numbers.split { $0 == " " || $0 == "\n" }.joined(separator: ".")
  }

  /// By the kernel's own lists, with the program that each belongs to.
  func listeners() throws(Fault) -> Set<Listener> {
    let lines = try says("ss -H -tulpn")
    var found: Set<Listener> = []
    for line in lines.split(separator: "\n") {
      let cells = line.split(separator: " ")
      guard cells.count >= 6, let port = cells[4].split(separator: ":").last.flatMap({ Int($0) }) else { continue }
      let quoted = line.split(separator: "\"")
      found.insert(
        Listener(protocolName: String(cells[0]), port: port, program: quoted.count > 1 ? String(quoted[1]) : "?"))
    }
    return found
  }
}
