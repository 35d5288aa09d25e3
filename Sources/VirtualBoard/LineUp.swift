import Runtime

/// The emulator's command line. Every boot has the same devices in the same order, because a saved state fits no other
/// line-up; what may differ is what stands behind them. Pure, so that a test can read it.
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
  /// The saved memory to go on from.
  package var incoming: FilePath?
  /// Holds the sockets, the console's log and what the emulator says.
  package var folder: FilePath

  package init(image: BoardImage, disk: Disk, folder: FilePath) {
    self.image = image
    self.disk = disk
    self.folder = folder
  }

  package var console: FilePath { folder / "console.log" }
  package var output: FilePath { folder / "emulator.log" }
  package var qmp: FilePath { folder / "qmp" }
  package var agent: FilePath { folder / "agent" }
  package var hands: FilePath { folder / "hands" }

  /// What a saved state depends on, besides the image itself.
  package static var machine: [String] {
    [
      "-nodefaults", "-no-user-config", "-M", "pc", "-accel", "tcg", "-cpu", "max", "-smp", "1", "-m", "768",
      "-vga", "none", "-device", "virtio-gpu-pci,xres=800,yres=480,edid=on",
      "-device", "virtio-serial-pci,id=ports",
      "-device", "virtserialport,bus=ports.0,nr=1,chardev=agent,name=org.layby.agent",
      "-device", "virtserialport,bus=ports.0,nr=2,chardev=hands,name=org.layby.hands",
      "-device", "qemu-xhci,id=xhci", "-device", "i6300esb",
      "-netdev", "user,id=net,restrict=on", "-device", "virtio-net-pci,netdev=net,romfile=",
      "-action", "watchdog=reset", "-action", "reboot=reset",
    ]
  }

  package var words: [String] {
    var words = ["qemu-system-x86_64"] + Self.machine
    words += ["-display", window ?? "none"]
    words += ["-kernel", "\(image.kernel)", "-initrd", "\(image.initrd)"]
    words += ["-append", (kernelWords + (withTools ? ["layby.tools"] : [])).joined(separator: " ")]
    for (name, path) in [("agent", agent), ("hands", hands)] {
      words += ["-chardev", "socket,id=\(name),path=\(path.escaped),server=on,wait=off"]
    }
    words += ["-qmp", "unix:\(qmp.escaped),server=on,wait=off", "-serial", "file:\(console)"]
    words += diskWords
    if withTools {
      words += [
        "-blockdev", "driver=raw,node-name=tools,read-only=on,file.driver=file,file.filename=\(image.tools.escaped)",
      ]
      words += ["-device", "virtio-blk-pci,drive=tools,serial=tools"]
    }
    if case .wrong(let base) = clock { words += ["-rtc", "base=\(base),clock=vm"] }
    if let incoming { words += ["-incoming", "exec:cat '\(incoming)'"] }
    return words
  }

  /// Flushes go through to the files, so that what the guest flushed is there when the emulator is killed.
  private var diskWords: [String] {
    let device = ["-device", "virtio-blk-pci,drive=disk,serial=disk,bootindex=0"]
    switch disk {
    case .overlay(let path):
      return ["-blockdev", "driver=qcow2,node-name=disk,file.driver=file,file.filename=\(path.escaped)"] + device
    case .logged(let raw, let log):
      return [
        "-blockdev", "driver=file,node-name=raw,filename=\(raw.escaped)",
        "-blockdev", "driver=file,node-name=log,filename=\(log.escaped)",
        "-blockdev",
        "driver=blklogwrites,node-name=disk,file=raw,log=log,log-sector-size=512,log-super-update-interval=1",
      ] + device
    }
  }
}

extension FilePath {
  /// As the emulator's options want it: a comma stands twice.
  fileprivate var escaped: String {
    "\(self)".split(separator: ",", omittingEmptySubsequences: false).joined(separator: ",,")
  }
}
