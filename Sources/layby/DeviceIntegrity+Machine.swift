import Runtime
import Services

/// What the kernel and the image say of this machine.
extension DeviceIntegrity {
  static var now: Self {
    let release = text(of: FilePath("/usr/lib/os-release"))
    return Self(
      image: image(release), root: root,
      isTraced: isTraced(text(of: FilePath("/proc/self/status"))))
  }

  /// A depot takes 50 letters of it.
  static func image(_ release: String) -> String {
    func value(_ name: String) -> String? {
      let line = release.split(separator: "\n").first { $0.hasPrefix("\(name)=") }
      return line.map { $0.dropFirst(name.utf8.count + 1).filter { $0 != "\"" } }
    }
    let system = [value("IMAGE_ID") ?? value("ID"), value("IMAGE_VERSION") ?? value("VERSION_ID")]
    let whole = "layby \(version) on \(system.compactMap(\.self).joined(separator: " "))"
    return String(String.UnicodeScalarView(whole.unicodeScalars.prefix(50)))
  }

  /// The kernel says the number of the process that traces this one; 0 is none.
  static func isTraced(_ status: String) -> Bool {
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("TracerPid:") }) else { return false }
    return line.contains { "123456789".contains($0) }
  }

  static func root(mapping: String, isSquashed: Bool) -> Root {
    if mapping.hasPrefix("CRYPT-VERITY-") { return .verified }
    return isSquashed ? .unverified : .unknown
  }

  private static var root: Root {
    guard let mount = rootMount(text(of: FilePath("/proc/self/mountinfo"))) else { return .unknown }
    let mapping = text(of: FilePath("/sys/dev/block/\(mount.device)/dm/uuid"))
    return root(mapping: mapping, isSquashed: mount.system == "squashfs")
  }

  /// The device and the file system that the root is on: the last line about it counts, as it lies over those before.
  static func rootMount(_ mounts: String) -> (device: String, system: String)? {
    for line in mounts.split(separator: "\n").reversed() {
      let fields = line.split(separator: " ")
      guard fields.count > 4, fields[4] == "/", let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count,
        fields[2].utf8.allSatisfy({ 0x30...0x3A ~= $0 })
      else { continue }
      return (String(fields[2]), String(fields[dash + 1]))
    }
    return nil
  }

  /// Empty where there is no such file.
  private static func text(of path: FilePath) -> String {
    do throws(Fault) { return String(decoding: try AtomicFile.read(path, limit: 65_536), as: UTF8.self) } catch {
      return ""
    }
  }
}
