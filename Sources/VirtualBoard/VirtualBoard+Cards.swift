import Runtime

/// Sound cards beside the loop: made by the emulator, which writes down what they play.
extension VirtualBoard {
  /// A USB DAC of 48 kHz and 16 bits, from now on until it is pulled. Its name for ALSA.
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

  /// All that it has of volume, to the full: at any other its frames are not those that it was given. What it has.
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

  /// Intel's sound in the chip set, which cannot be plugged in later; before `boot`.
  package func solderHDA() {
    lineUp.more += [
      "-device", "intel-hda,id=hda,addr=0x0a", "-device", "hda-output,bus=hda.0,audiodev=sound,mixer=off",
    ]
  }

  /// A screen of 1024 x 768 with 16 bits a pixel, in the place of the other; before `boot`.
  package func solderCirrus() { lineUp.screenCard = "cirrus-vga,id=panel,addr=0x02" }

  /// What these cards have played by now, but for the last moments. The header's sizes are not right yet.
  package func played() throws(Fault) -> Recording {
    let bytes = try AtomicFile.read(lineUp.sound, limit: 1 << 28)
    return Recording(rate: 48_000, channels: 2, format: "S16_LE", bytes: Array(bytes.dropFirst(44)))
  }

  package var hasPlayed: Bool { lineUp.sound.exists }

  /// Lays a file of this computer's into the guest.
  package func lay(_ file: FilePath, at path: String) throws(Fault) {
    let bytes = try AtomicFile.read(file, limit: 1 << 24)
    try says(": > \(path)")
    // A command is a line of the agent's, and not an endless one.
    for start in stride(from: 0, to: bytes.count, by: 24_576) {
      let part = Base64.encode(Array(bytes[start..<min(start + 24_576, bytes.count)]))
      try says("printf %s \(part) | base64 -d >> \(path)")
    }
    try says("chmod +x \(path)")
  }
}
