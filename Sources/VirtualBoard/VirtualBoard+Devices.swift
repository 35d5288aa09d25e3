import Runtime

/// Programs that go on in the guest, and input devices that the kernel makes up for them.
extension VirtualBoard {
  /// Goes on while other commands run; what it writes is in a file inside the guest.
  package func start(_ command: String, into file: String) throws(Fault) {
    try says("setsid bash -c \(Self.quoted(command)) > \(file) 2>&1 < /dev/null &")
  }

  /// A keyboard with media keys and a wheel, made by the kernel's uinput; the path of its event device.
  package func plugKeyboard() throws(Fault) -> String {
    try says("modprobe -a uinput evdev; printf %s \(Self.quoted(Self.keyboard)) > /tmp/keyboard")
    try start("exec evemu-device /tmp/keyboard", into: "/tmp/keyboard.said")
    var path = ""
    try waitUntil("the keyboard is there") { () throws(Fault) in
      path = try shell("sed -n 's/.*: *\\(.dev.input.event[0-9]*\\).*/\\1/p' /tmp/keyboard.said").line
      if path.isEmpty { return false }
      return try shell("test -e \(path)").code == 0
    }
    return path
  }

  package func unplugKeyboard() throws(Fault) { try says("pkill -x evemu-device") }

  /// Down and up again, by the kernel's name of the key.
  package func key(_ name: String, on device: String) throws(Fault) {
    for value in [1, 0] {
      try says("evemu-event --sync \(device) --type EV_KEY --code \(name) --value \(value)")
    }
  }

  package func wheel(_ steps: Int, on device: String) throws(Fault) {
    try says("evemu-event --sync \(device) --type EV_REL --code REL_WHEEL --value \(steps)")
  }

  /// What evemu makes a device of: its name and one row of bits for each kind of event.
  private static var keyboard: String {
    func rows(_ kind: String, _ bits: [Int], of count: Int) -> String {
      var bytes = [UInt8](repeating: 0, count: count)
      for bit in bits { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
      let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
      return stride(from: 0, to: count, by: 8)
        .map { "B: \(kind) \(digits[$0..<$0 + 8].joined(separator: " "))\n" }.joined()
    }
    // Space, Enter, and the media keys from input-event-codes.h; for the wheel a mouse's left button as well.
    let keys = [28, 57, 113, 114, 115, 163, 164, 165, 200, 201, 207, 272]
    return "N: Layby test keyboard\nI: 0003 1d6b 0104 0001\nP: 00 00 00 00 00 00 00 00\n"
      + rows("00", [0, 1, 2], of: 8) + rows("01", keys, of: 96) + rows("02", [0, 1, 8], of: 8)
  }
}
