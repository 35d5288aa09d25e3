import Glibc
import Runtime

/// What `image/build` made of a virtual board: the disk, and beside it what a direct boot takes.
package struct BoardImage: Sendable {
  package let folder: FilePath
  /// The emulator's words for its devices: board/virtual/machine.
  private let machine: FilePath

  package init(at folder: FilePath, machine: FilePath) {
    self.folder = folder.absolute
    self.machine = machine.absolute
  }

  package var disk: FilePath { folder / "disk.img" }
  package var kernel: FilePath { folder / "kernel" }
  package var initrd: FilePath { folder / "initrd" }
  /// The layer with tools for tests over the root that is shipped.
  package var tools: FilePath { folder / "tools.img" }

  package func isThere(withTools: Bool) -> Bool { missing(withTools: withTools).isEmpty }

  package func missing(withTools: Bool) -> [FilePath] {
    ([disk, kernel, initrd, folder / "cmdline"] + (withTools ? [tools] : [])).filter { !$0.exists }
  }

  /// The kernel's words as the image's own boot has them.
  package func kernelWords() throws(Fault) -> [String] {
    let text = String(decoding: try AtomicFile.read(folder / "cmdline", limit: 4_096), as: UTF8.self)
    return text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// A word a line; a comment begins with #.
  package func machineWords() throws(Fault) -> [String] {
    let text = String(decoding: try AtomicFile.read(machine, limit: 65_536), as: UTF8.self)
    return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  /// Changes whenever the image does: sizes and moments of its files, in nanoseconds.
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

/// FNV-1a: names a saved state by what it was made of. Not against malice.
func shortHash(_ text: String) -> String {
  let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  let digits = String(hash, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
