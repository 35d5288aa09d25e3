import Glibc
import Runtime

/// A board in QEMU, for tests: with power, a knob and buttons, a screen, sound, and a real kernel. Its disk survives power
/// cuts, and is deleted with this object.
///
/// Calls block, each with a time limit. Only one thread may use it at a time.
package final class VirtualBoard {
  package enum Start: Sendable {
    /// Not switched on yet.
    case off
    case ready, playing

    var saved: SavedStates.Name? {
      switch self {
      case .off: nil
      case .ready: .ready
      case .playing: .playing
      }
    }
  }

  package let image: BoardImage
  let work: WorkFolder
  var lineUp: LineUp
  private var running: Machine?
  private var chip: Spawned?
  /// The numbers of the sticks that are plugged in.
  var sticks: Set<Int> = []
  /// Whether a cable is in the board's own socket. It leads nowhere, but a board with one takes itself for online.
  var hasCable = true
  private static let patience: Duration = .seconds(240)

  /// `logged`: all writes to the disk are logged in their order, for `CrashImage`.
  package init(_ start: Start, of image: BoardImage, logged: Bool = false) throws(Fault) {
    self.image = image
    work = try WorkFolder()
    let overlay = work.path / "disk.qcow2"
    var base = (path: image.disk, format: "raw")
    let states = try SavedStates(of: image)
    if let name = start.saved {
      try states.prepare(name)
      base = (states.disk(name), "qcow2")
    }
    try Overlay.make(overlay, over: base.path, format: base.format, in: work.path)
    var disk = LineUp.Disk.overlay(overlay)
    if logged {
      let raw = work.path / "disk.raw"
      try Overlay.flatten(overlay, into: raw, in: work.path)
      try Spawned.run(
        ["cp", "--sparse=always", "\(raw)", "\(work.path / "disk.before")"], output: work.path / "cp.log")
      try Spawned.run(["truncate", "--size=1M", "\(work.path / "disk.writes")"], output: work.path / "cp.log")
      disk = .logged(raw: raw, log: work.path / "disk.writes")
    }
    lineUp = LineUp(image: image, disk: disk, folder: work.path)
    lineUp.kernelWords = try image.kernelWords()
    guard let name = start.saved else { return }
    var going = lineUp
    going.incoming = states.memory(name)
    running = try Machine(going)
  }

  /// The board as it is shipped, without the tools of tests, and not switched on yet.
  package init(shipped image: BoardImage, window: String?) throws(Fault) {
    self.image = image
    work = try WorkFolder()
    let overlay = work.path / "disk.qcow2"
    try Overlay.make(overlay, over: image.disk, format: "raw", in: work.path)
    lineUp = LineUp(image: image, disk: .overlay(overlay), folder: work.path)
    lineUp.kernelWords = try image.kernelWords()
    lineUp.withTools = false
    lineUp.window = window
  }

  package var machine: Machine {
    get throws(Fault) {
      guard let running else { throw Fault(.missing, "V-190", "the board has no power") }
      return running
    }
  }

  // MARK: Power

  /// Switches it on and waits until the agent answers. Music may begin before or after that.
  package func boot(clock: LineUp.Clock = .right, words: [String] = [], within limit: Duration? = nil) throws(Fault) {
    cutPower()
    lineUp.clock = clock
    var now = lineUp
    now.kernelWords += words
    let machine = try Machine(now)
    running = machine
    if !hasCable { try pullCable() }
    try machine.waitUntilUp(within: limit ?? Self.patience)
  }

  /// Switches it on and does not wait.
  package func powerOn() throws(Fault) {
    cutPower()
    running = try Machine(lineUp)
  }

  /// Waits until it has started again after a reset of its own.
  package func waitUntilUpAgain(within limit: Duration? = nil) throws(Fault) {
    try machine.waitUntilUp(within: limit ?? Self.patience)
  }

  /// May be called at any time. The guest is not warned.
  package func cutPower() {
    running?.cut()
    running = nil
    sticks = []
  }

  // MARK: Shell

  /// Runs a command in the guest as root. Any exit code is fine.
  @discardableResult
  package func shell(_ command: String, within limit: Duration = .seconds(60)) throws(Fault) -> Agent.Ran {
    try machine.agent.run(command, within: limit)
  }

  /// Runs a command in the guest as root, and returns its output. Throws when its exit code is not 0.
  @discardableResult
  package func says(_ command: String, within limit: Duration = .seconds(60)) throws(Fault) -> String {
    let ran = try shell(command, within: limit)
    guard ran.code == 0 else { throw Fault(.malformed, "V-191", "\(command) ended with \(ran.code): \(ran.line)") }
    return ran.line
  }

  /// Checks again and again until it is so. `instead` describes the state for the error. Each time `progress` returns
  /// another value, `limit` begins again, so that a slow machine does not fail the test.
  package func waitUntil(
    _ what: String, within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(100),
    instead: () -> String = { "" }, progress: () -> String = { "" }, _ isSo: () throws(Fault) -> Bool
  ) throws(Fault) {
    var (end, before) = (Moment.now + limit, progress())
    let last = Moment.now + limit * 10
    while true {
      if try isSo() { return }
      let now = (at: Moment.now, progress: progress())
      if now.progress != before { (end, before) = (min(now.at + limit, last), now.progress) }
      guard now.at < end else {
        throw Fault(.passing, "V-192", "it was not so within \(limit) that \(what) \(instead()) \(now.progress)")
      }
      _ = Waiting.poll(until: .now + pause) { false }
    }
  }

  // MARK: Hands and eyes

  package func press(_ button: Hands.Switch, for time: Int = 60) throws(Fault) {
    try machine.hands.make(Hands.press(button, for: time))
  }

  package func hold(_ button: Hands.Switch) throws(Fault) { try machine.hands.make(Hands.hold(button)) }
  package func release(_ button: Hands.Switch) throws(Fault) { try machine.hands.make(Hands.release(button)) }

  /// A positive number turns clockwise.
  package func turn(_ detents: Int) throws(Fault) { try machine.hands.make(Hands.turn(detents)) }

  /// Any other moves of knob and buttons.
  package func make(_ moves: [Hands.Move]) throws(Fault) { try machine.hands.make(moves) }

  package func screen() throws(Fault) -> Screen { try machine.screen() }

  /// The last lines of the kernel's console, for messages.
  package var consoleSays: String { (work.path / "console").lastWords }
}

/// Sound cards of QEMU, beside the loopback card of the guest's kernel. QEMU records what they play.
extension VirtualBoard {
  /// Plugs in a USB DAC of 48 kHz and 16 bits, and returns its name for ALSA.
  package func plugDAC() throws(Fault) -> String {
    try says("modprobe -a xhci_pci snd_usb_audio")
    try machine.qmp.ask("device_add", ["driver": "usb-audio", "id": "dac", "audiodev": "sound", "bus": "xhci.0"])
    try waitUntil("the USB DAC is there") { () throws(Fault) in try usbCard() != nil }
    return "hw:\(try usbCard() ?? "none"),0"
  }

  /// The number of the card that came by USB.
  private func usbCard() throws(Fault) -> String? {
    let said = try shell("ls -d /proc/asound/card*/usbid; test -e /dev/snd/pcmC1D0p && udevadm settle").line
    return said.split(separator: "\n").first { $0.hasSuffix("/usbid") }
      .flatMap { $0.split(separator: "/").dropLast().last }.map { String($0.dropFirst(4)) }
  }

  /// Sets all volume controls of the card to the maximum, since a lower volume changes the samples. Returns the controls.
  @discardableResult
  package func loudenDAC() throws(Fault) -> String {
    let card = try usbCard() ?? "1"
    return try says(
      """
      amixer -c \(card) scontrols | sed -n "s/.*'\\(.*\\)'.*/\\1/p" | while read -r name; do
        amixer -q -c \(card) sset "$name" 100% unmute
      done
      amixer -c \(card)
      """)
  }

  package func pullDAC() throws(Fault) {
    let qmp = try machine.qmp
    try qmp.ask("device_del", ["id": "dac"])
    try qmp.event("DEVICE_DELETED") { $0["data"]?["device"]?.string == "dac" }
  }

  /// Adds Intel's HD audio, which cannot be plugged in later. Call it before `boot`.
  package func solderHDA() {
    lineUp.more += [
      "-device", "intel-hda,id=hda,addr=0x0a", "-device", "hda-output,bus=hda.0,audiodev=sound,mixer=off",
    ]
  }

  /// Switches it off and copies its card; what happens until `takeFirstCard` happens to the copy.
  package func copyCard() throws(Fault) {
    cutPower()
    try Spawned.run(["cp", "\(work.path / "disk.qcow2")", "\(work.path / "disk.first")"], output: work.path / "cp.log")
  }

  package func takeFirstCard() throws(Fault) {
    cutPower()
    try Spawned.run(["mv", "\(work.path / "disk.first")", "\(work.path / "disk.qcow2")"], output: work.path / "cp.log")
  }

  /// Puts the card into a board with that number and, where `memory` names its folder, with a TPM. Call it before each
  /// `boot` of a board with one.
  package func putCard(inBoard number: String, tpm memory: FilePath? = nil) throws(Fault) {
    cutPower()
    lineUp.number = number
    (lineUp.chip, chip) = (nil, nil)
    guard let memory else { return }
    try Folder.make(memory)
    let socket = work.path / "chip"
    _ = socket.withCString { unlink($0) }
    // It ends with the emulator.
    chip = try Spawned(
      [
        "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(memory)", "--ctrl", "type=unixio,path=\(socket)", "--flags",
        "startup-clear",
      ], output: memory / "log")
    guard Waiting.poll(until: .now + .seconds(20), { socket.exists }) else {
      throw Fault(.unsupported, "V-197", "swtpm does not start; \(memory / "log") may say why")
    }
    lineUp.chip = socket
  }

  /// Replaces the graphics card by one with 1024 x 768 pixels of 16 bits. Call it before `boot`.
  package func solderCirrus() { lineUp.screenCard = "cirrus-vga,id=panel,addr=0x02" }

  /// What these cards have played so far; the last moments may be missing. (The sizes in the file's header are not yet
  /// right, so they are not used.)
  package func played() throws(Fault) -> Recording {
    let bytes = try AtomicFile.read(lineUp.sound, limit: 1 << 28)
    return Recording(rate: 48_000, channels: 2, format: "S16_LE", bytes: Array(bytes.dropFirst(44)))
  }

  package var hasPlayed: Bool { lineUp.sound.exists }

  /// Copies a file of this computer into the guest.
  package func lay(_ file: FilePath, at path: String) throws(Fault) {
    let bytes = try AtomicFile.read(file, limit: 1 << 24)
    try says(": > \(path)")
    // In pieces, because a line of the agent has a limit.
    for start in stride(from: 0, to: bytes.count, by: 24_576) {
      let part = Base64.encode(Array(bytes[start..<min(start + 24_576, bytes.count)]))
      try says("printf %s \(part) | base64 -d >> \(path)")
    }
    try says("chmod +x \(path)")
  }
}

/// A simulated radio network, through which the board reaches a server on this computer.
extension VirtualBoard {
  /// The server's address in that network.
  package static let server = "192.0.2.1"
  private static let card = "52:54:00:6c:61:7a"
  private static let inSpace = "10.0.2.15"
  package static let portInSpace = 8080

  /// Starts the access point, and connects it with the server at `port`. The network device for that is plugged in once
  /// after each power-on.
  package func wayUp(toPort port: Int) throws(Fault) {
    try accessPointUp()
    if try shell("test -e /run/way").code != 0 { try layCable(into: "ap") }
    try says(
      """
      set -e
      radio=\(Self.accessPointRadio)
      ip -n ap addr replace \(Self.server)/24 dev $radio
      """)
    try start(
      "exec ip netns exec ap socat TCP-LISTEN:80,bind=\(Self.server),fork,reuseaddr TCP:10.0.2.2:\(port)",
      into: "/tmp/way")
  }

  /// Takes the radio signal away. Packets on their way are lost.
  package func wayDown() throws(Fault) {
    try accessPointDown()
    try says("pkill -x socat; while pidof socat > /dev/null; do sleep 0.1; done")
  }

  /// Joins the network, as the network service of a board would do it.
  package func joinWay() throws(Fault) {
    let radio = try radio()
    try says("ip link set \(radio) up")
    // `iw` tries only once, and does not find an access point that has just been started.
    try waitUntil("the radio has joined", every: .seconds(1)) { () throws(Fault) in
      try shell("iw dev \(radio) link | grep -q 'SSID: Layby' || { iw dev \(radio) connect Layby; false; }").code == 0
    }
    try says("ip addr replace 192.0.2.2/24 dev \(radio); ip route replace default via \(Self.server)")
  }

  /// Connects QEMU's network, in which 10.0.2.2 is this computer, with a name space of the guest; once after each power-on.
  package func layCable(into space: String) throws(Fault) {
    let qmp = try machine.qmp
    let way = JSON("tcp:127.0.0.1:0-\(Self.inSpace):\(Self.portInSpace)")
    try qmp.ask("netdev_add", ["type": "user", "id": "way", "hostfwd": [["str": way]]])
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
      ip link set $cable netns \(space)
      ip -n \(space) link set lo up
      ip -n \(space) link set $cable up
      ip -n \(space) addr add \(Self.inSpace)/24 dev $cable
      : > /run/way
      """)
  }

  /// The port of 127.0.0.1 on this computer that QEMU forwards to `portInSpace`, in the name space with the cable.
  package func forwardedPort() throws(Fault) -> Int {
    let words = try machine.qmp.ask("human-monitor-command", ["command-line": "info usernet"]).string ?? ""
    // TCP[HOST_FORWARD]  12  127.0.0.1 38745  10.0.2.15  8080  0  0
    let row = words.split(whereSeparator: \.isNewline).first { $0.contains("HOST_FORWARD") }
    guard let row = row?.split(separator: " "), row.count > 3, let port = Int(row[3]) else {
      throw Fault(.malformed, "V-198", "the emulator does not say which port leads to the board: \(words)")
    }
    return port
  }
}

/// The disk of a board that was started with `logged`.
extension VirtualBoard {
  private var writes: FilePath { work.path / "disk.writes" }

  /// How many writes and flushes the disk has had. Whatever is acknowledged by now was written before that.
  package func writesSoFar() throws(Fault) -> Int {
    let file = try Descriptor.open(writes, O_RDONLY, code: "V-196")
    var head = [UInt8](repeating: 0, count: 28)
    guard read(file.number, &head, head.count) == head.count else {
      throw Fault.system("V-196", doing: "read \(writes)")
    }
    return try WriteLog.count(inHead: head)
  }

  package func writeLog() throws(Fault) -> WriteLog {
    try WriteLog(parsing: try AtomicFile.read(writes, limit: 1 << 31))
  }

  /// Makes a file with the disk's content after such a cut. It is deleted with the board.
  package func crashDisk(_ crash: CrashImage, named name: String) throws(Fault) -> FilePath {
    let path = work.path / name
    try Spawned.run(
      ["cp", "--sparse=always", "\(work.path / "disk.before")", "\(path)"], output: work.path / "cp.log")
    try crash.apply(toFile: path)
    return path
  }

  /// Switches it on with the disk's content after such a cut.
  package func boot(fromCrash crash: CrashImage) throws(Fault) {
    cutPower()
    for old in ["crash", "crash.qcow2"] { (work.path / old).remove() }
    let overlay = work.path / "crash.qcow2"
    try Overlay.make(overlay, over: try crashDisk(crash, named: "crash"), format: "raw", in: work.path)
    lineUp.disk = .overlay(overlay)
    try boot()
  }

  /// The end of QEMU's own output, for messages.
  package var emulatorSays: String { (work.path / "emulator.log").lastWords }
}
