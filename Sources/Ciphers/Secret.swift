internal import CCiphers
import Glibc
import Runtime

/// Bytes that nobody else is to see: a key, or what keys are made from. They lie on pages of their own, which are zeroed
/// before they are given back. Where the kernel allows it, these are kept out of swap, core files and child processes.
///
/// There is one owner, and it cannot be copied. What reads them does so inside `withBytes`.
package struct Secret: ~Copyable, Sendable {
  // Read alone after `init`, by whoever has the one owner.
  nonisolated(unsafe) private let bytes: UnsafeMutableRawBufferPointer
  private let count: Int

  /// `fill` writes exactly `count` bytes.
  package init(
    count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Fault) -> Void
  ) throws(Fault) {
    let space = try Self.pages(count)
    do throws(Fault) { try fill(UnsafeMutableRawBufferPointer(rebasing: space[..<count])) } catch {
      Self.giveBack(space)
      throw error
    }
    bytes = space
    self.count = count
  }

  private static func pages(_ count: Int) throws(Fault) -> UnsafeMutableRawBufferPointer {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let length = max((count + page - 1) / page, 1) * page
    guard let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      start != MAP_FAILED
    else { throw Fault.system("Y-104", doing: "get memory for a key") }
    // Where one of these is refused, the key is used all the same: a limit on locked memory is no reason to play nothing.
    _ = mlock(start, length)
    _ = madvise(start, length, MADV_DONTDUMP)
    _ = madvise(start, length, MADV_DONTFORK)
    return UnsafeMutableRawBufferPointer(start: start, count: length)
  }

  private static func giveBack(_ space: UnsafeMutableRawBufferPointer) {
    guard let start = space.baseAddress else { return }
    explicit_bzero(start, space.count)
    munmap(start, space.count)
  }

  /// Copies the bytes and zeroes `source`, of which nobody else may hold a copy. When there is no memory for a key, it
  /// throws and leaves `source` as it is.
  package init(taking source: inout [UInt8]) throws(Fault) {
    try self.init(count: source.count) { space in space.copyBytes(from: source) }
    source.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    source = []
  }

  /// From the kernel's generator.
  package static func random(_ count: Int) throws(Fault) -> Secret {
    try Secret(count: count) { space in if let start = space.baseAddress { arc4random_buf(start, space.count) } }
  }

  deinit { Self.giveBack(bytes) }

  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> Result) throws(Fault) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count]))
  }
}

/// Random bytes that are no secret: a nonce, an identity.
package func randomBytes(_ count: Int) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { space, filled in
    if let start = space.baseAddress { arc4random_buf(start, count) }
    filled = count
  }
}
