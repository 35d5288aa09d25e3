import Runtime

/// A panel in the program's own memory, written as a framebuffer's is: what a frame costs, and how much of it goes over
/// a panel's wires, can be found out where there is none. Main loop only.
package final class MemoryPanel: Display {
  package let size: Size
  private let layout: FrameLayout
  private let bitsPerPixel: Int
  private let memory: UnsafeMutableRawPointer
  /// Of the panel's memory, since it was made.
  package private(set) var written = 0

  /// With 16 bits a pixel as most small panels have them (5, 6, 5), else with 8 a colour, or with one in all.
  package init(size: Size, bitsPerPixel: Int, turn: Turn = .none) throws(Fault) {
    let seen = turn.turned(size)
    let stride = (seen.width * bitsPerPixel + 7) / 8
    var claim = FrameClaim(
      width: UInt32(seen.width), height: UInt32(seen.height), bitsPerPixel: UInt32(bitsPerPixel),
      red: .init(offset: 16, length: 8), green: .init(offset: 8, length: 8), blue: .init(offset: 0, length: 8),
      stride: UInt32(stride), memory: UInt32(stride * seen.height))
    switch bitsPerPixel {
    case 1: claim.look = .monochrome(whiteIs: true)
    case 16:
      (claim.red, claim.green) = (.init(offset: 11, length: 5), .init(offset: 5, length: 6))
      claim.blue = .init(offset: 0, length: 5)
    default: break
    }
    layout = try FrameLayout(claim, of: FilePath("memory"), turn: turn)
    self.size = layout.size
    self.bitsPerPixel = bitsPerPixel
    memory = .allocate(byteCount: layout.length, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: layout.length)
  }

  deinit { memory.deallocate() }

  package func show(_ canvas: Canvas, changed: [Rect]) throws(Fault) {
    layout.write(canvas, changed: changed, to: memory)
    for rect in changed { written += (rect.width * bitsPerPixel + 7) / 8 * rect.height }
  }

  package var isInk: Bool { bitsPerPixel == 1 }
  package var number: Int32 { -1 }
  package var isBehind: Bool { false }
  package func catchUp() throws(Fault) {}

  /// Everything that stands on it.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: layout.length) }
}
