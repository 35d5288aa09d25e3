import Pictures

/// A picture on the disk: a head that says what it is, its pixels, three bytes each, and a sum over all. Nothing of it
/// is believed before the sum is right: a power cut may have left anything.
///
///     0  "LAYBYART"      8  version, 1 byte     9  frame: 0 filling, 1 fitting
///    10  wanted width   12  wanted height      14  width    16  height   (2 bytes each, little end first)
///    18  identity, 16   34  pixels             then the sum, 8
enum ArtRecord {
  private static let head = 34
  private static let name = Array("LAYBYART".utf8)

  static func length(of size: Size) -> Int { head + size.width * size.height * 3 + 8 }

  static func bytes(of picture: Picture, as key: ArtKey) -> [UInt8] {
    var bytes = opening(key)
    bytes.reserveCapacity(length(of: picture.size))
    for value in [picture.size.width, picture.size.height] { append(value, to: &bytes) }
    bytes += Self.bytes(of: key.identity)
    for pixel in picture.pixels {
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 16))
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 8))
      bytes.append(UInt8(truncatingIfNeeded: pixel))
    }
    return bytes + little(ArtIdentity(of: bytes).lower)
  }

  /// Nil when it is not whole, or another's.
  static func picture(from bytes: [UInt8], of key: ArtKey) -> Picture? {
    guard bytes.count >= head + 8, Array(bytes[..<14]) == opening(key),
      Array(bytes[18..<head]) == Self.bytes(of: key.identity)
    else { return nil }
    let size = Size(
      width: Int(bytes[14]) | Int(bytes[15]) << 8, height: Int(bytes[16]) | Int(bytes[17]) << 8)
    guard bytes.count == length(of: size),
      Array(bytes.suffix(8)) == little(ArtIdentity(of: Array(bytes.dropLast(8))).lower)
    else { return nil }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(size.width * size.height)
    for at in stride(from: head, to: bytes.count - 8, by: 3) {
      pixels.append(UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]))
    }
    return Picture(size: size, pixels: pixels)
  }

  private static func opening(_ key: ArtKey) -> [UInt8] {
    var bytes = name + [1]
    let (wanted, sign) = shape(of: key.frame)
    bytes.append(sign)
    for value in [wanted.width, wanted.height] { append(value, to: &bytes) }
    return bytes
  }

  static func shape(of frame: PictureFrame) -> (wanted: Size, sign: UInt8) {
    switch frame {
    case .filling(let size): (size, 0)
    case .fitting(let size): (size, 1)
    }
  }

  private static func append(_ value: Int, to bytes: inout [UInt8]) {
    bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private static func bytes(of identity: ArtIdentity) -> [UInt8] { little(identity.upper) + little(identity.lower) }

  private static func little(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }
}
