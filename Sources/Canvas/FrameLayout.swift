import Runtime

/// A framebuffer's claim that was checked: every pixel of it lies inside the first `length` bytes of the mapping. All
/// that writes to the panel's memory goes by these figures, so a driver that lies is refused here or harmless.
struct FrameLayout: Sendable {
  /// As it is seen: upright.
  let size: Size
  private let turn: Turn
  /// From the mapping's begin to the first visible row, and from there to its first visible pixel.
  private let start: Int
  private let leftBits: Int
  private let stride: Int
  private let pixels: PixelLayout
  /// How much must be mapped.
  let length: Int

  /// As many as a canvas has at most.
  private static let longestSide = 8_192

  init(_ claim: FrameClaim, of device: FilePath, turn: Turn = .none, pageSize: Int = 4_096) throws(Fault) {
    guard PixelLayout.depths.contains(claim.bitsPerPixel) else {
      throw Fault(
        .unsupported, "K-132",
        "cannot draw on \(device): it has \(claim.bitsPerPixel) bits a pixel, and 1, 8, 16, 24 or 32 are expected")
    }
    guard let pixels = PixelLayout(claim) else {
      let expected =
        switch claim.bitsPerPixel {
        case 1: "black and white"
        case 8: "256 greys"
        default: "red, green and blue, each in bits of its own"
        }
      throw Fault(
        .unsupported, "K-133",
        "cannot draw on \(device): its pixels of \(claim.bitsPerPixel) bits are not \(expected)")
    }
    let (width, height) = (Int(claim.width), Int(claim.height))
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
      throw Fault(
        .malformed, "K-134",
        "cannot draw on \(device): it says it is \(width) x \(height), and a side has 1 to \(Self.longestSide) pixels")
    }
    // Each factor has 32 bits, so no product leaves 64.
    let rowEnd = ((Int(claim.left) + width) * pixels.bitsPerPixel + 7) / 8
    let lastRow = (Int(claim.top) + height - 1).multipliedReportingOverflow(by: Int(claim.stride))
    guard rowEnd <= claim.stride, !lastRow.overflow, lastRow.partialValue <= Int(claim.memory) - rowEnd else {
      throw Fault(
        .malformed, "K-135",
        "cannot draw on \(device): \(height) rows of \(claim.stride) bytes do not hold \(width) x \(height) pixels in "
          + "\(claim.memory) bytes")
    }
    // A mapping begins with a page, and the memory perhaps inside it.
    let inPage = Int(claim.address % UInt64(pageSize))
    self.turn = turn
    self.pixels = pixels
    size = turn.turned(Size(width: width, height: height))
    stride = Int(claim.stride)
    start = inPage + Int(claim.top) * stride
    leftBits = Int(claim.left) * pixels.bitsPerPixel
    length = inPage + lastRow.partialValue + rowEnd
  }

  /// Writes what `changed` holds of the canvas and the panel can show; `memory` has `length` bytes.
  func write(_ canvas: Canvas, changed: [Rect], to memory: UnsafeMutableRawPointer) {
    let panel = Rect(x: 0, y: 0, width: size.width, height: size.height)
    let path = turn.path(through: size, row: canvas.size.width)
    for rect in changed {
      let visible = turn.turned(rect.intersection(canvas.bounds).intersection(panel), of: size)
      if visible.isEmpty { continue }
      for y in visible.rows {
        let first = canvas.row(0) + (path.start + visible.x * path.right + y * path.down)
        pixels.write(
          PixelLayout.Run(first: first, step: path.right, count: visible.width, x: visible.x, y: y),
          to: memory + (start + y * stride), bit: leftBits + visible.x * pixels.bitsPerPixel)
      }
    }
  }
}
