import Runtime

/// The emulator's command line. Every boot has the devices of board/virtual/machine, because a saved state can only be
/// loaded with exactly these. What they are connected to (disk, clock, window) may differ.
package struct LineUp: Sendable {
  package enum Disk: Sendable, Equatable {
    /// A qcow2 file over the image, which takes what the guest writes. The image stays as it is.
    case overlay(FilePath)
    /// A raw copy of the image, and a log of all writes to it in their order.
    case logged(raw: FilePath, log: FilePath)
  }

  package enum Clock: Sendable, Equatable {
    case right
    /// The clock shows this time at each power-on, as on a board whose clock has no battery.
    case wrong(String)
    /// The clock has a battery, and has gone on to this time while the board was off.
    case went(to: String)
  }

  package var image: BoardImage
  package var disk: Disk
  package var withTools = true
  package var kernelWords: [String] = []
  package var clock = Clock.right
  /// QEMU's display option. Nil: no window; the screen can be seen by QMP's `screendump`.
  package var window: String?
  /// More devices. Such a board has to be booted, because no saved state fits it.
  package var more: [String] = []
  /// Another graphics card in the place of the board's own. Such a board has to be booted too.
  package var screenCard: String?
  /// The number that the board's disk says of itself.
  package var number = "disk"
  /// The socket of a TPM in software. Such a board has to be booted too.
  package var chip: FilePath?
  /// The file with the saved memory to continue from; nil for a boot.
  package var incoming: FilePath?
  /// The folder for the sockets, the console's log and QEMU's output.
  package var folder: FilePath

  package init(image: BoardImage, disk: Disk, folder: FilePath) {
    self.image = image
    self.disk = disk
    self.folder = folder
  }

  package var console: FilePath { folder / "console" }
  package var output: FilePath { folder / "emulator.log" }
  package var qmp: FilePath { folder / "qmp" }
  package var agent: FilePath { folder / "agent" }
  package var hands: FilePath { folder / "hands" }
  /// A recording of QEMU's sound cards, if there are any: 48 kHz, stereo, 16 bits.
  package var sound: FilePath { folder / "sound.wav" }

  /// The whole command line: the options of board/virtual/machine, and the drives that these name.
  package func words() throws(Fault) -> [String] {
    var words = ["qemu-system-x86_64"]
    words += try image.machineWords().map { word in
      if let screenCard, word.hasPrefix("virtio-gpu-pci,") { return screenCard }
      return word.replacing("{RUN}", with: folder.escaped).replacing("serial=disk", with: "serial=\(number)")
    }
    words += ["-display", window ?? "none"]
    words += ["-kernel", "\(image.kernel)", "-initrd", "\(image.initrd)"]
    words += ["-append", (kernelWords + (withTools ? ["layby.tools"] : [])).joined(separator: " ")]
    words += ["-qmp", "unix:\(qmp.escaped),server=on,wait=off"]
    words += diskWords
    // A sink without a card: cards that are plugged in later play into it.
    words += ["-audiodev", "wav,id=sound,path=\(sound.escaped),out.frequency=48000,out.channels=2,out.format=s16"]
    words += more
    if let chip {
      words += ["-chardev", "socket,id=chip,path=\(chip.escaped)", "-tpmdev", "emulator,id=tpm,chardev=chip"]
      words += ["-device", "tpm-tis,tpmdev=tpm"]
    }
    let tools =
      withTools
      ? "driver=raw,node-name=tools,read-only=on,file.driver=file,file.filename=\(image.tools.escaped)"
      : "driver=null-co,node-name=tools,read-only=on,size=1048576"
    words += ["-blockdev", tools]
    switch clock {
    case .right: break
    case .wrong(let base), .went(let base): words += ["-rtc", "base=\(base),clock=vm"]
    }
    if let incoming { words += ["-incoming", "exec:cat '\(incoming)'"] }
    return words
  }

  /// With QEMU's default cache mode, which passes flushes on to the files: what the guest flushed is there after QEMU is
  /// killed.
  private var diskWords: [String] {
    switch disk {
    case .overlay(let path):
      ["-blockdev", "driver=qcow2,node-name=disk,file.driver=file,file.filename=\(path.escaped)"]
    case .logged(let raw, let log):
      [
        "-blockdev", "driver=file,node-name=raw,filename=\(raw.escaped)",
        "-blockdev", "driver=file,node-name=log,filename=\(log.escaped)",
        "-blockdev",
        "driver=blklogwrites,node-name=disk,file=raw,log=log,log-sector-size=512,log-super-update-interval=1",
      ]
    }
  }
}

extension FilePath {
  /// For QEMU's options, in which a comma is written twice.
  fileprivate var escaped: String {
    "\(self)".split(separator: ",", omittingEmptySubsequences: false).joined(separator: ",,")
  }
}
