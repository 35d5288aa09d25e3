import Runtime

/// Programs that go on in the guest, and input devices that the kernel makes up for them.
extension VirtualBoard {
  /// Goes on while other commands run; what it writes is in a file inside the guest.
  package func start(_ command: String, into file: String) throws(Fault) {
    try says("setsid bash -c \(Self.quoted(command)) > \(file) 2>&1 < /dev/null &")
  }

  /// A keyboard with media keys and a wheel, made by the kernel's uinput; the path of its event device.
  package func plugKeyboard() throws(Fault) -> String { try plug("keyboard", Self.keyboard) }

  /// A touch screen of five fingers and 800 by 480 places, the same way.
  package func plugTouchScreen() throws(Fault) -> String { try plug("touchscreen", Self.touchScreen) }

  private func plug(_ name: String, _ description: String) throws(Fault) -> String {
    try says("modprobe -a uinput evdev; printf %s \(Self.quoted(description)) > /tmp/\(name)")
    try start("exec evemu-device /tmp/\(name)", into: "/tmp/\(name).said")
    var path = ""
    try waitUntil("the \(name) is there") { () throws(Fault) in
      path = try shell("sed -n 's/.*: *\\(.dev.input.event[0-9]*\\).*/\\1/p' /tmp/\(name).said").line
      if path.isEmpty { return false }
      return try shell("test -e \(path)").code == 0
    }
    return path
  }

  package func unplugKeyboard() throws(Fault) { try says("pkill -x evemu-device") }

  package func unplugTouchScreen() throws(Fault) { try says("pkill -x evemu-device") }

  /// A finger is put down, stays for so many seconds, goes through the other places and is lifted. All of it is played by
  /// one program: with one for each event, each of which has to be started in the guest, a swipe became a drag.
  package func touch(_ places: [(x: Int, y: Int)], for stay: Double = 0, on device: String) throws(Fault) {
    // In the first second it waits for nothing.
    var (milliseconds, record) = (1_000, "")
    func event(_ type: Int, _ code: Int, _ value: Int) {
      let micros = String(milliseconds % 1_000 * 1_000 + 1_000_000).dropFirst()
      let numbers = "\(String(type, radix: 16)) \(String(code, radix: 16)) \(value)"
      record += "E: \(milliseconds / 1_000).\(micros) \(numbers)\n"
    }
    // The kernel's EV_ABS with ABS_MT_TRACKING_ID, ABS_MT_POSITION_X and _Y, and EV_SYN.
    event(3, 0x39, 7)
    for (index, place) in places.enumerated() {
      event(3, 0x35, place.x)
      event(3, 0x36, place.y)
      event(0, 0, 0)
      milliseconds += index == 0 ? max(Int(stay * 1_000), 20) : 20
    }
    event(3, 0x39, -1)
    event(0, 0, 0)
    try says("printf \(Self.quoted(record)) | evemu-play \(device)")
  }

  /// Down and up again, by the kernel's name of the key.
  package func key(_ name: String, on device: String) throws(Fault) {
    for value in [1, 0] {
      try says("evemu-event --sync \(device) --type EV_KEY --code \(name) --value \(value)")
    }
  }

  package func wheel(_ steps: Int, on device: String) throws(Fault) {
    try says("evemu-event --sync \(device) --type EV_REL --code REL_WHEEL --value \(steps)")
  }

  /// What evemu makes a device of: its name, what it is, and one row of bits for each kind of event.
  private static func description(
    _ name: String, isDirect: Bool = false, _ kinds: [(kind: String, bits: [Int], count: Int)]
  ) -> String {
    func rows(_ kind: String, _ bits: [Int], of count: Int) -> String {
      var bytes = [UInt8](repeating: 0, count: count)
      for bit in bits { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
      let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
      return stride(from: 0, to: count, by: 8)
        .map { "B: \(kind) \(digits[$0..<$0 + 8].joined(separator: " "))\n" }.joined()
    }
    return "N: \(name)\nI: 0003 1d6b 0104 0001\nP: \(isDirect ? "02" : "00") 00 00 00 00 00 00 00\n"
      + kinds.map { rows($0.kind, $0.bits, of: $0.count) }.joined()
  }

  /// Space, Enter, F24, and the media keys from input-event-codes.h; for the wheel a mouse's left button as well.
  private static let keyboard = description(
    "Layby test keyboard",
    [
      ("00", [0, 1, 2], 8), ("01", [28, 57, 113, 114, 115, 163, 164, 165, 194, 200, 201, 207, 272], 96),
      ("02", [0, 1, 8], 8),
    ])

  /// Behind the bits what each axis reaches: its places, and for several fingers their slots and numbers. Before version
  /// 1.1 of this form an axis had no resolution.
  private static let touchScreen =
    "# EVEMU 1.3\n"
    + description(
      "Layby test glass", isDirect: true,
      [("00", [0, 1, 3], 8), ("01", [330], 96), ("03", [0, 1, 47, 53, 54, 57], 8)])
    + "A: 00 0 799 0 0 10\nA: 01 0 479 0 0 10\nA: 2f 0 4 0 0 0\nA: 35 0 799 0 0 10\nA: 36 0 479 0 0 10\n"
    + "A: 39 0 65535 0 0 0\n"
}
