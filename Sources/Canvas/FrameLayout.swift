import Runtime

/// A framebuffer's claim that was checked: every pixel of `size` lies inside the first `length` bytes of the mapping.
/// All that writes to the panel's memory goes by these figures, so a driver that lies is refused here or harmless.
struct FrameLayout: Equatable, Sendable {
  let size: Size
  /// From the mapping's begin to the first visible pixel, in bytes.
  private let start: Int
  private let stride: Int
  private let pixels: PixelLayout
  /// How much must be mapped.
  let length: Int

  /// As many as a canvas has at most.
  private static let longestSide = 8_192
  private static let bytesPerPixel = 4

  init(_ claim: FrameClaim, of device: FilePath, pageSize: Int = 4_096) throws(Fault) {
    guard claim.bitsPerPixel == 32 else {
      throw Fault(
        .unsupported, "K-132",
        "cannot draw on \(device): it has \(claim.bitsPerPixel) bits a pixel, and 32 are expected")
    }
    let colours = PixelLayout(red: claim.red, green: claim.green, blue: claim.blue, opacity: claim.opacity)
    guard let colours, claim.isPlain else {
      throw Fault(
        .unsupported, "K-133", "cannot draw on \(device): its pixels are not 8 bits each of red, green and blue")
    }
    let (width, height) = (Int(claim.width), Int(claim.height))
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
      throw Fault(
        .malformed, "K-134",
        "cannot draw on \(device): it says it is \(width) x \(height), and a side has 1 to \(Self.longestSide) pixels")
    }
    // Each factor has 32 bits, so no product leaves 64.
    let rowEnd = (Int(claim.left) + width) * Self.bytesPerPixel
    let lastRow = (Int(claim.top) + height - 1).multipliedReportingOverflow(by: Int(claim.stride))
    guard rowEnd <= claim.stride, Int(claim.stride) % Self.bytesPerPixel == 0, !lastRow.overflow,
      lastRow.partialValue <= Int(claim.memory) - rowEnd
    else {
      throw Fault(
        .malformed, "K-135",
        "cannot draw on \(device): \(height) rows of \(claim.stride) bytes do not hold \(width) x \(height) pixels in "
          + "\(claim.memory) bytes")
    }
    // A mapping begins with a page, and the memory perhaps inside it.
    let inPage = Int(claim.address % UInt64(pageSize)) / Self.bytesPerPixel * Self.bytesPerPixel
    size = Size(width: width, height: height)
    stride = Int(claim.stride)
    start = inPage + Int(claim.top) * stride + Int(claim.left) * Self.bytesPerPixel
    length = inPage + lastRow.partialValue + rowEnd
    pixels = colours
  }

  /// Writes what `changed` holds of the canvas and the panel can show; `memory` has `length` bytes.
  func write(_ canvas: Canvas, changed: [Rect], to memory: UnsafeMutableRawPointer) {
    let panel = Rect(x: 0, y: 0, width: size.width, height: size.height)
    for rect in changed {
      let visible = rect.intersection(canvas.bounds).intersection(panel)
      for y in visible.rows {
        let row = memory + (start + y * stride + visible.x * Self.bytesPerPixel)
        pixels.write(canvas.row(y) + visible.x, count: visible.width, to: row.assumingMemoryBound(to: UInt32.self))
      }
    }
  }
}
