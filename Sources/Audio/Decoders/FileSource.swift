import Formats
import Glibc
import Runtime

/// A file on a disk. It is read at its own position, so the kernel's is never touched and reading ahead is asked for.
package final class FileSource: ByteSource {
  private let descriptor: Descriptor
  private let path: FilePath
  private let size: Int64
  package private(set) var position: Int64 = 0
  /// The file's beginning. It is looked at again and again when a track starts: for the kind of the file, for its head or
  /// its tags, and by the decoder's library, with looks at the file's end in between. It is read once.
  private var head = Window()
  /// What was read last elsewhere. On its way to a place in the middle of a song a library asks for each header of four
  /// bytes, thousands of them.
  private var held = Window()

  /// Bytes of the file that are kept, from `start` on.
  private struct Window {
    let space = UnsafeMutableRawBufferPointer.allocate(byteCount: FileSource.most, alignment: 16)
    private(set) var start: Int64 = 0
    private var filled = 0

    func has(_ position: Int64) -> Bool { position >= start && position < start + Int64(filled) }

    mutating func hold(_ count: Int, from position: Int64) { (start, filled) = (position, count) }

    /// As many bytes as there are from `position` on.
    func copy(from position: Int64, to buffer: UnsafeMutableRawBufferPointer) -> Int {
      let place = Int(position - start)
      let count = min(buffer.count, filled - place)
      if count > 0 { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: space[place..<place + count])) }
      return count
    }
  }

  /// Little enough that a jump on a cold card costs no more than its first page.
  private static let most = 16 << 10

  package var name: String { path.description }
  package var length: Int64? { size }

  /// Only a regular file is music. A pipe or a device is refused without waiting for its other end.
  package init(_ path: FilePath) throws(Fault) {
    var status = stat()
    // To open a device may already do something: a watchdog begins to count.
    if path.withCString({ stat($0, &status) }) == 0 { try Self.expectMusic(status.st_mode, path) }
    descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, code: "A-101")
    self.path = path
    guard fstat(descriptor.number, &status) == 0 else { throw Fault.system("A-102", doing: "look at \(path)") }
    try Self.expectMusic(status.st_mode, path)
    size = Int64(status.st_size)
    posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  private static func expectMusic(_ mode: mode_t, _ path: FilePath) throws(Fault) {
    switch mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Fault(.malformed, "A-103", "\(path) is a folder; expected a music file")
    default: throw Fault(.malformed, "A-104", "\(path) is a pipe or a device; expected a music file")
    }
  }

  deinit {
    head.space.deallocate()
    held.space.deallocate()
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    if head.has(position) { return advance(by: head.copy(from: position, to: buffer)) }
    if !held.has(position) {
      if buffer.count >= Self.most { return try advance(by: fetch(into: buffer)) }
      if position == 0 {
        head.hold(try fetch(into: head.space), from: 0)
        return advance(by: head.copy(from: 0, to: buffer))
      }
      held.hold(0, from: position)
      held.hold(try fetch(into: held.space), from: position)
    }
    return advance(by: held.copy(from: position, to: buffer))
  }

  private func advance(by count: Int) -> Int {
    position += Int64(count)
    return count
  }

  private func fetch(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    while true {
      let count = pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(position))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Fault.system("A-105", doing: "read \(path)") }
      return count
    }
  }

  package func seek(to position: Int64) throws(Fault) {
    self.position = try place(at: position)
  }
}
