import Glibc
import Runtime

/// A file below /sys that controls a light.
enum KernelFile {
  /// `code` is told when it is refused.
  static func write(_ text: String, to path: FilePath, code: String) throws(Fault) {
    // Not made when it is not there.
    let number = path.withCString { open($0, O_WRONLY | O_CLOEXEC) }
    guard number >= 0 else { throw refused(path, code) }
    defer { close(number) }
    let bytes = Array(text.utf8)
    guard Glibc.write(number, bytes, bytes.count) == bytes.count else { throw refused(path, code) }
  }

  private static func refused(_ path: FilePath, _ code: String) -> Fault {
    let fault = Fault.system(code, doing: "set \(path)", errno: errno)
    guard fault.kind == .denied else { return fault }
    let message = "\(fault.message); a rule of udev has to give that file to the group video, and group write"
    return Fault(.denied, code, message)
  }
}
