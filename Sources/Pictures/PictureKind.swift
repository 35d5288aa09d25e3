internal import CPictures

/// Told by the first bytes; names lie.
package enum PictureKind: String, CaseIterable, Sendable {
  case jpeg = "JPEG"
  case png = "PNG"
  case webp = "WebP"

  package init?(_ bytes: [UInt8]) {
    switch bytes.withUnsafeBufferPointer({ layby_picture_kind_of($0.baseAddress, $0.count) }) {
    case Int32(LAYBY_JPEG.rawValue): self = .jpeg
    case Int32(LAYBY_PNG.rawValue): self = .png
    case Int32(LAYBY_WEBP.rawValue): self = .webp
    default: return nil
    }
  }
}
