import Glibc
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
    return String("layby \(version) on \(system.compactMap(\.self).joined(separator: " "))".prefix(50))
  }

  /// The kernel says the number of the process that traces this one; 0 is none.
  static func isTraced(_ status: String) -> Bool {
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("TracerPid:") }) else { return false }
    return line.contains { "123456789".contains($0) }
  }

  static func root(mapping: String?, isSquashed: Bool) -> Root {
    if mapping?.hasPrefix("CRYPT-VERITY-") == true { return .verified }
    return isSquashed ? .unverified : .unknown
  }

  private static var root: Root {
    var facts = stat()
    var system = statfs()
    guard stat("/", &facts) == 0, statfs("/", &system) == 0 else { return .unknown }
    let device = "/sys/dev/block/\(gnu_dev_major(facts.st_dev)):\(gnu_dev_minor(facts.st_dev))/dm/uuid"
    let mapping = text(of: FilePath(device))
    return root(mapping: mapping.isEmpty ? nil : mapping, isSquashed: system.f_type == squashFileSystem)
  }

  private static let squashFileSystem: Int = 0x7371_7368

  /// Empty where there is no such file.
  private static func text(of path: FilePath) -> String {
    do throws(Fault) { return String(decoding: try AtomicFile.read(path, limit: 65_536), as: UTF8.self) } catch {
      return ""
    }
  }
}
