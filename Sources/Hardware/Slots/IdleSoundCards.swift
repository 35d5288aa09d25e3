import Glibc
import Runtime

/// USB sound cards that are plugged in and that no driver of the kernel has taken.
package enum IdleSoundCards {
  /// `devices`: where the kernel lists what USB has, /sys/bus/usb/devices.
  package static func areThere(in devices: FilePath = FilePath("/sys/bus/usb/devices")) -> Bool {
    // A board without USB has none.
    let names = (try? Folder.names(in: devices)) ?? []
    return names.contains { name in
      let interface = devices / name.description
      return word(interface / "bInterfaceClass") == "01" && word(interface / "bInterfaceSubClass") == "01"
        && !exists(interface / "driver")
    }
  }

  private static func word(_ file: FilePath) -> String? {
    // A card that is unplugged while this reads counts as not there.
    let bytes = try? AtomicFile.read(file, limit: 16)
    return bytes.map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
  }

  private static func exists(_ file: FilePath) -> Bool { file.withCString { access($0, F_OK) == 0 } }
}
