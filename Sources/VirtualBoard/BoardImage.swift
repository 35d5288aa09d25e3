import Glibc
import Runtime

/// The files that `image/build` makes for a virtual board: the disk, and kernel and initrd for a boot without a boot
/// loader.
package struct BoardImage: Sendable {
  package let folder: FilePath
  /// The file with QEMU's options for the devices: board/virtual/machine.
  private let machine: FilePath

  package init(at folder: FilePath, machine: FilePath) {
    self.folder = folder.absolute
    self.machine = machine.absolute
  }

  package var disk: FilePath { folder / "disk.img" }
  package var kernel: FilePath { folder / "kernel" }
  package var initrd: FilePath { folder / "initrd" }
  /// A file system with the tools of tests, which is laid over the root file system.
  package var tools: FilePath { folder / "tools.img" }

  package func isThere(withTools: Bool) -> Bool { missing(withTools: withTools).isEmpty }

  package func missing(withTools: Bool) -> [FilePath] {
    ([disk, kernel, initrd, folder / "cmdline"] + (withTools ? [tools] : [])).filter { !$0.exists }
  }

  /// The kernel's command line, as the image's boot loader passes it.
  package func kernelWords() throws(Fault) -> [String] {
    let text = String(decoding: try AtomicFile.read(folder / "cmdline", limit: 4_096), as: UTF8.self)
    return text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// One option on each line; a comment begins with #.
  package func machineWords() throws(Fault) -> [String] {
    let text = String(decoding: try AtomicFile.read(machine, limit: 65_536), as: UTF8.self)
    return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  /// Sizes and modification times of the image's files, in nanoseconds. It changes whenever the image does.
  package func identity(withTools: Bool) throws(Fault) -> String {
    var parts: [String] = []
    for path in [disk, kernel, initrd, folder / "cmdline"] + (withTools ? [tools] : []) {
      var found = stat()
      guard path.withCString({ stat($0, &found) }) == 0 else { throw Fault.system("V-140", doing: "look at \(path)") }
      parts.append("\(path.name) \(found.st_size) \(found.st_mtim.tv_sec).\(found.st_mtim.tv_nsec)")
    }
    return (parts + (try machineWords())).joined(separator: "\n")
  }
}

extension FilePath {
  package var exists: Bool { withCString { access($0, F_OK) } == 0 }
}

/// FNV-1a, for the names of saved states. It is no protection against made-up input.
func shortHash(_ text: String) -> String {
  let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  let digits = String(hash, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
