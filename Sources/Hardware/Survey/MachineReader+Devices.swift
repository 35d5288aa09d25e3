import Runtime

extension MachineReader {
  /// /proc/asound/cards has two lines a card: ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`, and where it sits.
  func soundCards() -> [Machine.SoundCard] {
    let outputs = names("dev/snd").filter { $0.hasPrefix("pcmC") && $0.hasSuffix("p") }
    return lines("proc/asound/cards").compactMap { line in
      guard let open = line.firstIndex(of: "["), let close = line[open...].firstIndex(of: "]"),
        let number = Int(Self.trimmed(line[..<open]))
      else { return nil }
      let rest = line[close...].drop { $0 == "]" || $0 == ":" || $0 == " " }
      let driver = rest.prefix { $0 != " " }
      return Machine.SoundCard(
        number: number, id: Self.trimmed(line[line.index(after: open)..<close]),
        driver: String(driver),
        name: Self.trimmed(rest.dropFirst(driver.count).drop { $0 == " " || $0 == "-" }),
        outputs: outputs.filter { $0.hasPrefix("pcmC\(number)D") }.compactMap { device("dev/snd/\($0)", label: nil) })
    }
  }

  func framebuffer() -> Machine.Framebuffer? {
    guard let device = device("dev/fb0", label: text("sys/class/graphics/fb0/name")) else { return nil }
    let size = (text("sys/class/graphics/fb0/virtual_size") ?? "").split(separator: ",").map { Int($0) ?? 0 }
    return Machine.Framebuffer(
      device: device, width: size.first ?? 0, height: size.count == 2 ? size[1] : 0,
      bitsPerPixel: text("sys/class/graphics/fb0/bits_per_pixel").flatMap { Int($0) } ?? 0)
  }

  /// Nil for what feeds only what is plugged in: a mouse, a headset.
  func powerSupply(_ name: String) -> Machine.PowerSupply? {
    let folder = "sys/class/power_supply/\(name)"
    guard text("\(folder)/scope") != "Device" else { return nil }
    return Machine.PowerSupply(
      name: name, type: text("\(folder)/type") ?? "", status: text("\(folder)/status"),
      percent: text("\(folder)/capacity").flatMap { Int($0) }, isOnline: text("\(folder)/online").map { $0 != "0" })
  }

  func networkInterface(_ name: String) -> Machine.NetworkInterface {
    let folder = "sys/class/net/\(name)"
    return Machine.NetworkInterface(
      name: name, isWireless: exists("\(folder)/wireless") || exists("\(folder)/phy80211"),
      isUp: text("\(folder)/operstate") == "up")
  }

  /// Those whose names are `prefix` and a number, in the order of the numbers.
  func devices(in folder: String, named prefix: String, label: (String) -> String?) -> [Machine.Device] {
    names(folder)
      .compactMap { name in name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)).map { (name, $0) } : nil }
      .sorted { $0.1 < $1.1 }
      .compactMap { name, _ in device("\(folder)/\(name)", label: label(name)) }
  }

  /// Nil when it is not there.
  func device(_ path: String, label: String?) -> Machine.Device? {
    let place = root / path
    guard let status = FileStatus(place) else { return nil }
    let isOpenToGroup = status.mode >> 3 & 6 == 6 && status.group != 0
    return Machine.Device(
      path: "/\(path)", label: label ?? "", isReadable: rights.mayRead(place), isWritable: rights.mayWrite(place),
      openTo: isOpenToGroup ? entry(in: "etc/group", numbered: status.group) : nil)
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
