import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("Devices around the board, seen by Debian's tools", .enabled(if: Board.isWanted, Board.whyNot))
struct DevicesInstrumentTests {
  @Test("a key of a made-up keyboard is what evtest sees, and another key is not")
  func keys() async throws {
    try await Board.with(.ready) { board in
      let keyboard = try board.plugKeyboard()
      try board.start("stdbuf -oL evtest \(keyboard)", into: "/tmp/evtest")
      try board.waitUntil("evtest listens") { () throws(Fault) in
        try board.shell("grep -q Testing /tmp/evtest").code == 0
      }
      try board.key("KEY_PLAYPAUSE", on: keyboard)
      try board.waitUntil("evtest sees the key let go") { () throws(Fault) in
        try board.shell("grep -q 'KEY_PLAYPAUSE), value 0' /tmp/evtest").code == 0
      }
      #expect(try board.shell("grep -c 'KEY_PLAYPAUSE), value 1' /tmp/evtest").line == "1")
      #expect(try board.shell("grep -c 'KEY_NEXTSONG), value' /tmp/evtest").line == "0")
    }
  }

  @Test("battery and charger are what the kernel shows, and keep still when nobody touches them")
  func power() async throws {
    try await Board.with(.ready) { board in
      func read(_ what: String) throws -> String { try board.says("cat /sys/class/power_supply/\(what)") }
      try board.setBattery(percent: 7)
      try board.setCharger(on: false)
      #expect(try read("test_battery/capacity") == "7" && read("test_battery/status") == "Discharging")
      #expect(try read("test_ac/online") == "0")
      try board.setCharger(on: true)
      #expect(try read("test_ac/online") == "1" && read("test_battery/capacity") == "7")
    }
  }

  @Test("a stick is there after it was plugged and not after it was pulled")
  func sticks() async throws {
    try await Board.with(.ready) { board in
      let folder = TempFolder()
      let image = folder.path / "stick"
      try Spawned.run(["truncate", "--size=8M", "\(image)"], output: folder.path / "out")
      func disks() throws -> String {
        try board.says("modprobe -a xhci_pci usb_storage sd_mod; lsblk -dnrbo TRAN,SIZE")
      }
      #expect(try !disks().contains("usb"))
      let stick = try board.plugStick(image)
      try board.waitUntil("lsblk sees the stick") { () throws(Fault) in
        try board.says("lsblk -dnrbo TRAN,SIZE").contains("usb 8388608")
      }
      try board.pullStick(stick)
      try board.waitUntil("lsblk sees no stick") { () throws(Fault) in
        try !board.says("lsblk -dno TRAN").contains("usb")
      }
    }
  }

  @Test("iw sees the access point come and go")
  func network() async throws {
    try await Board.with(.ready) { board in
      try board.accessPointUp(name: "Roadside")
      let radio = try board.radio()
      func sees() throws(Fault) -> Bool {
        try board.shell("ip link set \(radio) up; iw dev \(radio) scan flush | grep 'SSID: Roadside'").code == 0
      }
      try board.waitUntil("iw sees the access point") { () throws(Fault) in try sees() }
      try board.accessPointDown()
      try board.waitUntil("iw sees none") { () throws(Fault) in try !sees() }
    }
  }

  @Test("a picture of the screen has what was written to the framebuffer, and only then")
  func screen() async throws {
    try await Board.with(.ready) { board in
      let colour: UInt32 = 0x2010FE
      #expect(try board.screen()[700, 400] != colour)
      // Nobody has lit the screen yet.
      try board.says("echo 0 > /sys/class/graphics/fb0/blank")
      try board.says(
        #"printf '\xfe\x10\x20\x00' | dd of=/dev/fb0 bs=4 seek=$((400 * 800 + 700)) conv=notrunc status=none"#)
      try board.waitUntil("the pixel is seen") { () throws(Fault) in try board.screen()[700, 400] == colour }
      let screen = try board.screen()
      #expect(screen.width == 800 && screen.height == 480 && screen[699, 400] != colour && screen[700, 401] != colour)
    }
  }
}
