import Runtime

/// The emulator's command line. Every boot has the devices of board/virtual/machine, because a saved state fits no
/// other; what may differ is what stands behind them.
package struct LineUp: Sendable {
  package enum Disk: Sendable, Equatable {
    /// A qcow2 over the image: what the guest writes stays apart.
    case overlay(FilePath)
    /// A raw copy, every write of which is kept in order in a log as well.
    case logged(raw: FilePath, log: FilePath)
  }

  package enum Clock: Sendable, Equatable {
    case right
    /// Starts there at each power-on: a board whose clock has no battery.
    case wrong(String)
  }

  package var image: BoardImage
  package var disk: Disk
  package var withTools = true
  package var kernelWords: [String] = []
  package var clock = Clock.right
  /// Nil: nobody sees the screen but by `screendump`.
  package var window: String?
  /// Devices that this board alone has; it is booted from the beginning, for no saved state fits it.
  package var more: [String] = []
  /// What the screen hangs at in the place of the board's own card; booted from the beginning likewise.
  package var screenCard: String?
  /// The saved memory to go on from.
  package var incoming: FilePath?
  /// Holds the sockets, the console's log and what the emulator says.
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
  /// What the emulator's own sound card plays, when there is one: 48 kHz, stereo, 16 bits.
  package var sound: FilePath { folder / "sound.wav" }

  /// The board's own words, with the drives behind them that they name.
  package func words() throws(Fault) -> [String] {
    var words = ["qemu-system-x86_64"]
    words += try image.machineWords().map { word in
      if let screenCard, word.hasPrefix("virtio-gpu-pci,") { return screenCard }
      return word.replacing("{RUN}", with: folder.escaped)
    }
    words += ["-display", window ?? "none"]
    words += ["-kernel", "\(image.kernel)", "-initrd", "\(image.initrd)"]
    words += ["-append", (kernelWords + (withTools ? ["layby.tools"] : [])).joined(separator: " ")]
    words += ["-qmp", "unix:\(qmp.escaped),server=on,wait=off"]
    words += diskWords
    // No device by itself: what is plugged in later plays into it.
    words += ["-audiodev", "wav,id=sound,path=\(sound.escaped),out.frequency=48000,out.channels=2,out.format=s16"]
    words += more
    let tools =
      withTools
      ? "driver=raw,node-name=tools,read-only=on,file.driver=file,file.filename=\(image.tools.escaped)"
      : "driver=null-co,node-name=tools,read-only=on,size=1048576"
    words += ["-blockdev", tools]
    if case .wrong(let base) = clock { words += ["-rtc", "base=\(base),clock=vm"] }
    if let incoming { words += ["-incoming", "exec:cat '\(incoming)'"] }
    return words
  }

  /// Flushes go through to the files, so that what the guest flushed is there when the emulator is killed.
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
  /// As the emulator's options want it: a comma stands twice.
  fileprivate var escaped: String {
    "\(self)".split(separator: ",", omittingEmptySubsequences: false).joined(separator: ",,")
  }
}
