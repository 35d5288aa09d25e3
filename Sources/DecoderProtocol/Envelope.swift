import Glibc

/// One message between the player and the program that decodes foreign files for it, in memory of its own that is used
/// again and again: 16 bytes of head and up to 64 KiB behind it. A message is one packet of the socket, so it arrives
/// whole or not at all.
package final class Envelope {
  /// What stands at the head of every message, in the machine's own order of bytes: both ends are on one machine.
  package struct Head: Equatable, Sendable {
    package var kind: UInt32
    package var count: UInt32
    package var number: Int64

    package init(kind: UInt32, count: UInt32 = 0, number: Int64 = 0) {
      self.kind = kind
      self.count = count
      self.number = number
    }
  }

  package static let headSize = 16
  package static let most = 65_536

  private let memory = UnsafeMutableRawPointer.allocate(byteCount: headSize + most, alignment: 16)
  /// Bytes behind the head.
  package private(set) var size = 0

  package init() { memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.headSize + Self.most) }

  deinit { memory.deallocate() }

  package var head: Head {
    get {
      Head(
        kind: memory.load(as: UInt32.self), count: memory.load(fromByteOffset: 4, as: UInt32.self),
        number: memory.load(fromByteOffset: 8, as: Int64.self))
    }
    set {
      memory.storeBytes(of: newValue.kind, as: UInt32.self)
      memory.storeBytes(of: newValue.count, toByteOffset: 4, as: UInt32.self)
      memory.storeBytes(of: newValue.number, toByteOffset: 8, as: Int64.self)
    }
  }

  /// All that can stand behind the head.
  package var space: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory + Self.headSize, count: Self.most)
  }

  /// What does.
  package var content: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(space)[..<size])
  }

  /// `size` bytes of `space` were written.
  package func close(_ head: Head, size: Int = 0) {
    self.head = head
    self.size = max(0, min(size, Self.most))
  }

  package func close(_ head: Head, _ bytes: some Sequence<UInt8>) {
    var size = 0
    for byte in bytes.prefix(Self.most) {
      space[size] = byte
      size += 1
    }
    close(head, size: size)
  }

  /// For the program, which may call nothing but this. False when nobody is there any more to read it.
  package func send(to socket: Int32) -> Bool {
    while true {
      let count = Glibc.write(socket, memory, Self.headSize + size)
      if count < 0 && errno == EINTR { continue }
      return count == Self.headSize + size
    }
  }

  /// For the player, who waits for nobody: false too when messages are sent and not read.
  package func post(to socket: Int32) -> Bool {
    while true {
      let count = Glibc.send(socket, memory, Self.headSize + size, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      if count < 0 && errno == EINTR { continue }
      return count == Self.headSize + size
    }
  }

  /// The next message; false when the other end is gone, or sent what is none. It waits for one.
  package func receive(from socket: Int32) -> Bool {
    while true {
      let count = Glibc.read(socket, memory, Self.headSize + Self.most)
      if count < 0 && errno == EINTR { continue }
      size = max(count - Self.headSize, 0)
      return count >= Self.headSize
    }
  }

  /// For tests and fuzzers: as if these bytes had arrived.
  package func fill(_ bytes: some Sequence<UInt8>) -> Bool {
    var count = 0
    for byte in bytes.prefix(Self.headSize + Self.most) {
      memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
      count += 1
    }
    size = max(count - Self.headSize, 0)
    return count >= Self.headSize
  }
}
