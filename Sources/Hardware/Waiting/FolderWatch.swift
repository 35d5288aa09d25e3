internal import CLinux
import Glibc
import Runtime

/// Tells when names in a folder come, go or change hands: a device that is plugged in gets its name first and its
/// group a moment later. With its contents it also tells when somebody has finished writing a file there: a file's
/// name comes before what stands in it.
struct FolderWatch: ~Copyable {
  private let descriptor: Descriptor
  private let folder: FilePath
  private let wanted: UInt32

  init(_ folder: FilePath, andContents: Bool = false, code: String) throws(Fault) {
    let wanted = layby_inotify_names | (andContents ? layby_inotify_contents : 0)
    // Ours only when nothing can be thrown any more: Swift 6.0.3 breaks on the other order.
    let descriptor = Descriptor(taking: inotify_init1(layby_inotify_flags))
    guard descriptor.number >= 0, Self.follow(folder, wanted, descriptor.number) else {
      throw Fault.system(code, doing: "watch \(folder)")
    }
    self.descriptor = descriptor
    self.folder = folder
    self.wanted = wanted
  }

  var number: Int32 { descriptor.number }

  /// The folder, or the one above it while it is not there. Once more is harmless: the kernel keeps one watch a folder.
  @discardableResult
  private static func follow(_ folder: FilePath, _ wanted: UInt32, _ number: Int32) -> Bool {
    [folder, folder.folder].contains { place in
      place.withCString { inotify_add_watch(number, $0, wanted) } >= 0
    }
  }

  /// Takes what has happened since; true when a name with this beginning was meant, the folder itself, or nobody knows
  /// what.
  borrowing func changed(_ prefix: String) -> Bool {
    var hasChanged = false
    var bytes = [UInt8](repeating: 0, count: 4_096)
    // Bounded: in a folder that never rests, the next round takes the rest.
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
