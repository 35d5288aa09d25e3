internal import CLinux
import Glibc
import Runtime

/// Tells when files in a folder appear, disappear or change their owner (inotify). The owner matters because a new device
/// file gets its group a moment after its name. With `andContents` it also tells when somebody has finished writing a
/// file, because the name appears before the content.
struct FolderWatch: ~Copyable {
  private let descriptor: Descriptor
  private let folder: FilePath
  private let wanted: UInt32

  init(_ folder: FilePath, andContents: Bool = false, code: String) throws(Fault) {
    let wanted = layby_inotify_names | (andContents ? layby_inotify_contents : 0)
    // The properties are set only after the last `throw`; Swift 6.0.3 crashes on the other order.
    let descriptor = Descriptor(taking: inotify_init1(layby_inotify_flags))
    guard descriptor.number >= 0, Self.follow(folder, wanted, descriptor.number) else {
      throw Fault.system(code, doing: "watch \(folder)")
    }
    self.descriptor = descriptor
    self.folder = folder
    self.wanted = wanted
  }

  var number: Int32 { descriptor.number }

  /// Watches the folder, or its parent while it does not exist. Watching one again changes nothing in the kernel.
  @discardableResult
  private static func follow(_ folder: FilePath, _ wanted: UInt32, _ number: Int32) -> Bool {
    [folder, folder.folder].contains { place in
      place.withCString { inotify_add_watch(number, $0, wanted) } >= 0
    }
  }

  /// Reads the events since the last call. True when one was about a file whose name begins with `prefix` or about the
  /// folder itself, and when the kernel has dropped events.
  borrowing func changed(_ prefix: String) -> Bool {
    var hasChanged = false
    var bytes = [UInt8](repeating: 0, count: 4_096)
    // A limit, so that a folder that changes all the time does not block the loop; the next call reads the rest.
    for _ in 0..<16 {
      let count = read(descriptor.number, &bytes, bytes.count)
      guard count > 0 else { break }
      let happened = bytes[..<count]
      if Self.speaks(of: Array(prefix.utf8), in: happened) || Self.speaks(of: folder.name.bytes, in: happened) {
        hasChanged = true
      }
    }
    if hasChanged { Self.follow(folder, wanted, descriptor.number) }
    return hasChanged
  }

  /// Each event is 16 bytes, of which the last four tell how long the name behind them is; without one the folder
  /// itself is meant, or too much happened to be told.
  static func speaks(of prefix: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while rest.count >= 16 {
      let length = rest.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      if name.isEmpty || name.starts(with: prefix) { return true }
      rest = rest.dropFirst(16 + length)
    }
    return false
  }
}
