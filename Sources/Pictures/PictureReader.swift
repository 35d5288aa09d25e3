internal import CPictures
import Runtime

/// Owns one decoder of libjpeg, libpng or libwebp and gives it back exactly once. The bytes stay where they are as long
/// as it lives.
struct PictureReader: ~Copyable {
  private let decoder: OpaquePointer
  private let name: String
  private(set) var size: Size
  /// Pixels that were gone through so far.
  private var work: Int64 = 0
  private let limits: PictureLimits

  /// Its head is read; `size` is what the picture says of itself, and within the limits.
  init(_ bytes: UnsafeBufferPointer<UInt8>, named name: String, limits: PictureLimits) throws(Fault) {
    guard let decoder = layby_picture_open(bytes.baseAddress, bytes.count) else {
      let kinds = PictureKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Fault(.unsupported, "K-140", "\(name) is no picture that is known here; expected one of \(kinds)")
    }
    var fault: Fault?
    var size = Size(width: 1, height: 1)
    if layby_picture_head(decoder) == 0 {
      fault = Fault(.malformed, "K-141", "the picture \(name) cannot be read: \(Self.reason(decoder))")
    } else {
      size = Size(width: Int(layby_picture_width(decoder)), height: Int(layby_picture_height(decoder)))
      if size.width < 1 || size.height < 1 || size.width * size.height > limits.pixels {
        fault = Fault(
          .unsupported, "K-142",
          "the picture \(name) says it has \(size.width) x \(size.height) pixels; up to \(limits.pixels) are decoded")
      }
    }
    self.decoder = decoder
    self.name = name
    self.limits = limits
    self.size = size
    failure = fault
  }

  deinit { layby_picture_close(decoder) }

  /// What was wrong with the head: a value that cannot be copied may not fail once it is whole.
  let failure: Fault?

  private static func reason(_ decoder: OpaquePointer) -> String {
    let text = String(cString: layby_picture_reason(decoder))
    return text.isEmpty ? "it is broken" : shownPlain(text)
  }

  /// Why no more rows came; nil when all came.
  var reason: String? {
    let text = String(cString: layby_picture_reason(decoder))
    return text.isEmpty ? nil : shownPlain(text)
  }

  /// From now on `size` is that of the rows: as small as it goes, but not smaller than `least`. False when it is no
  /// longer wanted.
  mutating func begin(atLeast least: Size, isWanted: () -> Bool) throws(Fault) -> Bool {
    guard layby_picture_begin(decoder, Int32(least.width), Int32(least.height), limits.memory) != 0 else {
      throw Fault(.unsupported, "K-143", "the picture \(name) cannot be decoded: \(Self.reason(decoder))")
    }
    size = Size(width: Int(layby_picture_width(decoder)), height: Int(layby_picture_height(decoder)))
    while isWanted() {
      switch layby_picture_step(decoder, &work) {
      case 1: return true
      case 0: throw Fault(.malformed, "K-144", "the picture \(name) cannot be decoded: \(Self.reason(decoder))")
      default: try keepWithinBounds()
      }
    }
    return false
  }

  /// Four bytes a pixel: red, green, blue, alpha. False when there are no more.
  mutating func read(_ row: UnsafeMutablePointer<UInt8>) throws(Fault) -> Bool {
    work += Int64(size.width)
    try keepWithinBounds()
    return layby_picture_row(decoder, row) != 0
  }

  private func keepWithinBounds() throws(Fault) {
    guard work > limits.work else { return }
    throw Fault(
      .unsupported, "K-145", "the picture \(name) takes more work than a picture may: it is gone through too often")
  }
}
