internal import CLinux
import Glibc
import Runtime

/// What is asked of a graphics card's driver; a test answers in its place.
protocol CardKernel: AnyObject {
  /// 0, or the errno.
  func ask(_ request: UInt, _ question: UnsafeMutableRawPointer?) -> Int32
  /// Nil, with errno, when it cannot be reached.
  func map(at offset: UInt64, length: Int) -> UnsafeMutableRawPointer?
  func unmap(_ memory: UnsafeMutableRawPointer, length: Int)
  /// How many bytes of events came; none, or less, when there is nothing to be told.
  func read(into space: UnsafeMutableRawBufferPointer) -> Int
  /// Can be read when there is something to be told.
  var number: Int32 { get }
}

/// Owns the card's descriptor. Whatever was made through it and not given back goes when it is closed.
final class OpenCard: CardKernel {
  private let descriptor: Descriptor
  private static let attempts = 100

  init(_ device: FilePath) throws(Fault) {
    descriptor = try Descriptor.open(device, O_RDWR | O_NONBLOCK, code: "K-150")
  }

  var number: Int32 { descriptor.number }

  func ask(_ request: UInt, _ question: UnsafeMutableRawPointer?) -> Int32 {
    for _ in 0..<Self.attempts {
      let status = question.map { ioctl(descriptor.number, request, $0) } ?? ioctl(descriptor.number, request, Int32(0))
      if status == 0 { return 0 }
      guard errno == EINTR else { return errno }
    }
    return EINTR
  }

  func map(at offset: UInt64, length: Int) -> UnsafeMutableRawPointer? {
    guard let offset = off_t(exactly: offset) else {
      errno = EOVERFLOW
      return nil
    }
    let mapped = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number, offset)
    return mapped == MAP_FAILED ? nil : mapped
  }

  func unmap(_ memory: UnsafeMutableRawPointer, length: Int) { munmap(memory, length) }

  func read(into space: UnsafeMutableRawBufferPointer) -> Int {
    Glibc.read(descriptor.number, space.baseAddress, space.count)
  }
}
