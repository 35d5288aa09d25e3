internal import CLinux
import Glibc
import Runtime

/// The kernel's framebuffer device. It owns the device and the mapping of its memory. What stands on the panel stays
/// there, until somebody else draws.
package final class Framebuffer: Display {
  /// Asks the driver; a test puts its own answers in its place.
  typealias Question = (Int32, FilePath) throws(Fault) -> FrameClaim

  private let device: FilePath
  private let descriptor: Descriptor
  private let memory: MappedMemory
  private let claim: FrameClaim
  private let layout: FrameLayout
  private let ask: Question

  package convenience init(opening device: FilePath, turn: Turn = .none) throws(Fault) {
    let descriptor = try Descriptor.open(device, O_RDWR, code: "K-130")
    let number = descriptor.number
    try self.init(taking: descriptor, named: device, turn: turn) { number, device throws(Fault) in
      try FrameClaim(of: number, named: device)
    }
    // Whoever had the panel before may have left it dark. Many drivers cannot do it and need not.
    _ = ioctl(number, UInt(FBIOBLANK), Int32(FB_BLANK_UNBLANK))
  }

  init(
    taking descriptor: consuming Descriptor, named device: FilePath, turn: Turn = .none, ask: @escaping Question
  ) throws(Fault) {
    let claim = try ask(descriptor.number, device)
    let layout = try FrameLayout(claim, of: device, turn: turn, pageSize: sysconf(Int32(_SC_PAGESIZE)))
    memory = try MappedMemory(of: descriptor, named: device, length: layout.length)
    self.device = device
    self.descriptor = descriptor
    self.claim = claim
    self.layout = layout
    self.ask = ask
  }

  package var size: Size { layout.size }
  package var isInk: Bool { claim.isInk }
  package var number: Int32 { descriptor.number }
  /// What is written is there.
  package var isBehind: Bool { false }
  package func catchUp() throws(Fault) {}

  /// A fault says that the panel is gone (`missing`) or has another size or order of colours by now.
  package func show(_ canvas: Canvas, changed: [Rect]) throws(Fault) {
    // The memory of a panel that was pulled takes all that is written, and tells nobody.
    let now = try ask(descriptor.number, device)
    guard now == claim else { throw Fault(.passing, "K-137", "\(device) is not what it was: its mode was changed") }
    layout.write(canvas, changed: changed, to: memory.start)
  }
}

/// Owns a shared mapping of a device's memory and gives it back exactly once.
private struct MappedMemory: ~Copyable {
  let start: UnsafeMutableRawPointer
  private let length: Int

  init(of descriptor: borrowing Descriptor, named device: FilePath, length: Int) throws(Fault) {
    let mapped = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number, 0)
    guard let mapped, mapped != MAP_FAILED else { throw Fault.system("K-136", doing: "reach the memory of \(device)") }
    start = mapped
    self.length = length
  }

  deinit { munmap(start, length) }
}
