import Glibc
import Runtime

/// Reads a `Machine`. All files are below `root`, which tests replace. Files that are missing or cannot be read are left
/// out; that is no error.
package struct MachineReader: Sendable {
  let root: FilePath
  let rights: Rights
  let freeBytes: @Sendable (FilePath) -> Int64?
  let lines: @Sendable () -> LineDirectory
  let network: @Sendable () -> NetworkReading?

  /// More devices of one kind are not looked at.
  static let most = 256

  package init(
    root: FilePath = FilePath("/"), rights: Rights = .ofThisProcess,
    freeBytes: @escaping @Sendable (FilePath) -> Int64? = MachineReader.freeBytes,
    lines: @escaping @Sendable () -> LineDirectory = { KernelLines().directory() },
    network: @escaping @Sendable () -> NetworkReading? = MachineReader.lookAtNetwork
  ) {
    self.root = root
    self.rights = rights
    self.freeBytes = freeBytes
    self.lines = lines
    self.network = network
  }

  /// `date` and `screen` are not files; the caller knows them.
  package func read(_ wishes: SurveyWishes, date: Int64, screen: Machine.Screen?) -> Machine {
    var machine = Machine()
    machine.date = date
    machine.screen = screen
    machine.userName = entry(in: "etc/passwd", numbered: rights.user) ?? "number \(rights.user)"
    machine.user = rights.user
    machine.soundCards = soundCards()
    machine.gpioChips = devices(in: "dev", named: "gpiochip") { _ in nil }
    if !wishes.lines.isEmpty { machine.lines = lines() }
    machine.inputs = devices(in: "dev/input", named: "event") { text("sys/class/input/\($0)/device/name") }
    machine.framebuffer = framebuffer()
    machine.graphicsCards = devices(in: "dev/dri", named: "card") { _ in nil }
    machine.powerSupplies = names("sys/class/power_supply").compactMap(powerSupply)
    machine.watchdog = device("dev/watchdog", label: text("sys/class/watchdog/watchdog0/identity"))
    machine.networks = names("sys/class/net").filter { $0 != "lo" }.map(networkInterface)
    machine.network = network()
    machine.clock = names("sys/class/rtc").first.map { text("sys/class/rtc/\($0)/name") ?? $0 }
    machine.realTimePriority = realTimePriority()
    machine.memoryTotal = memory("MemTotal:")
    machine.memoryAvailable = memory("MemAvailable:")
    machine.fonts = wishes.fonts.map {
      Machine.Font(path: $0.description, isReadable: rights.mayRead(under($0)))
    }
    machine.secrets = wishes.secrets.compactMap(secretFile)
    machine.hasSystemd = exists("run/systemd/system")
    machine.hasJournal = exists("run/systemd/journal/socket")
    (machine.state, machine.freeBytes) = place(wishes.state)
    return machine
  }

  /// What an ordinary user may still write there.
  package static func freeBytes(_ folder: FilePath) -> Int64? {
    var status = statvfs()
    guard folder.withCString({ statvfs($0, &status) }) == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(status.f_frsize))
    return overflow ? .max : bytes
  }

  /// Nil where the kernel may not be asked.
  @Sendable package static func lookAtNetwork() -> NetworkReading? {
    do throws(Fault) { return try NetworkSurroundings().read() } catch { return nil }
  }

  // MARK: The system

  /// The highest real-time priority that this process may ask for; 0 is none.
  private func realTimePriority() -> Int {
    let sysNice: UInt64 = 1 << 23
    let status = lines("proc/self/status").first { $0.hasPrefix("CapEff:") }
    if let mask = status.flatMap({ UInt64(word($0, 1), radix: 16) }), mask & sysNice != 0 { return 99 }
    guard let limit = lines("proc/self/limits").first(where: { $0.hasPrefix("Max realtime priority") }) else {
      return 0
    }
    let soft = word(limit, 3)
    return soft == "unlimited" ? 99 : min(max(Int(soft) ?? 0, 0), 99)
  }

  private func memory(_ key: String) -> Int64? {
    lines("proc/meminfo").first { $0.hasPrefix(key) }.flatMap { Int64(word($0, 1)) }
      .flatMap { (0...(Int64.max >> 10)).contains($0) ? $0 << 10 : nil }
  }

  private func secretFile(_ path: FilePath) -> Machine.SecretFile? {
    FileStatus(under(path)).map { file in
      Machine.SecretFile(
        path: path.description, mode: file.mode & 0o777, owner: file.user,
        ownerName: entry(in: "etc/passwd", numbered: file.user) ?? "number \(file.user)")
    }
  }

  /// The folder, and the bytes free where it is or will be.
  private func place(_ folder: FilePath) -> (Machine.FolderState, Int64?) {
    if let status = FileStatus(under(folder)) {
      guard status.isFolder else { return (.isNoFolder, nil) }
      let isOpen = rights.mayWrite(under(folder))
      return (isOpen ? .usable : .closed(at: folder.description), freeBytes(under(folder)))
    }
    var above = folder.folder
    while FileStatus(under(above)) == nil, above.folder != above { above = above.folder }
    let isOpen = rights.mayWrite(under(above))
    return (isOpen ? .canBeMade : .closed(at: above.description), freeBytes(under(above)))
  }

  // MARK: Files

  /// `path` as it is found under the root; a relative one stays the caller's.
  func under(_ path: FilePath) -> FilePath {
    guard path.isAbsolute, root.bytes != [UInt8(ascii: "/")] else { return path }
    return FilePath(bytes: root.bytes + path.bytes) ?? path
  }

  func exists(_ path: String) -> Bool { FileStatus(root / path) != nil }

  func names(_ folder: String) -> [String] {
    do throws(Fault) { return try Folder.names(in: root / folder, limit: Self.most).map(\.description) } catch {
      return []
    }
  }

  /// A short file's text without control characters; nil when it is not there or empty.
  func text(_ path: String) -> String? {
    let text = lines(path).joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  /// Lines without what a terminal could take for a command.
  func lines(_ path: String) -> [String] {
    let bytes: [UInt8]
    do throws(Fault) { bytes = try AtomicFile.read(root / path, limit: 65_536) } catch { return [] }
    return bytes.split(separator: 0x0A).map { line in
      let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
        .map { $0.properties.generalCategory == .control ? " " : $0 }
      return String(String.UnicodeScalarView(scalars))
    }
  }

  func word(_ line: String, _ place: Int) -> String {
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    return words.indices.contains(place) ? String(words[place]) : ""
  }

  /// The name that stands before a number in /etc/passwd or /etc/group.
  func entry(in file: String, numbered number: UInt32) -> String? {
    for line in lines(file) {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count > 2, UInt32(fields[2]) == number { return String(fields[0]) }
    }
    return nil
  }
}

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
